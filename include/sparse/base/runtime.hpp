#pragma once
/// Starting and stopping Kokkos in programs.

#include <memory>
#include <string>

#include <sparse/base/config.hpp>

namespace sparse {

/// Runs Kokkos from construction to destruction. Make it the first object in `main`: sets and fields must be destroyed
/// before it.
class Runtime {
public:
  /// @param threads  host threads; 0: `OMP_NUM_THREADS`, else all cores, with the backend Threads, too
  explicit Runtime(int threads = 0);

private:
  std::unique_ptr<Kokkos::ScopeGuard> kokkos_;
};

/// Name of the backend that kernels run on, and its number of threads on the host: "OpenMP, 2 threads".
std::string backend_name();

}  // namespace sparse
