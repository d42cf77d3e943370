#pragma once
/// The ranks that MPI has started. Needs `sparse::mpi`, which is built with `SPARSE_MPI`.

#include <memory>

#include <sparse/distributed/team.hpp>

namespace sparse::distributed {

/// MPI from the beginning to the end of a program, for one thread of it. There may be one.
///
/// If an exception leaves the scope in which it lives, all ranks are ended at once, with status 1: the others would
/// wait for this one.
class MpiWorld {
public:
  /// @throws std::runtime_error  if MPI runs already, or has run
  MpiWorld(int& argc, char**& argv);
  ~MpiWorld();
  MpiWorld(MpiWorld const&) = delete;
  MpiWorld& operator=(MpiWorld const&) = delete;

  /// All ranks.
  Team& team() { return *team_; }
  /// Ends all ranks at once.
  [[noreturn]] void abort(int status);

private:
  std::unique_ptr<Team> team_;
};

}  // namespace sparse::distributed
