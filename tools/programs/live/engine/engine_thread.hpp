#pragma once
/// The engine in a thread of its own, for programs with a window or a server.

#include <condition_variable>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine.hpp"

namespace sparse::live {

/// Runs Kokkos and an engine in a thread; all that calls Kokkos is there. Commands go in, snapshots come out.
class EngineThread {
public:
  /// Returns when the first snapshot is there.
  /// @param case_name  see `load_case`
  /// @param threads    of kernels; 0: all
  /// @param on_news    called in the engine's thread after each new snapshot; may be empty
  /// @throws std::runtime_error  if the case has no flow
  EngineThread(std::string const& case_name, EngineOptions const& options, int threads,
               std::function<void()> on_news = {});
  ~EngineThread();
  EngineThread(EngineThread const&) = delete;
  EngineThread& operator=(EngineThread const&) = delete;

  /// Asks the engine for something. What it refuses is a message of a snapshot.
  void send(Command const& command);
  /// See `Snapshots::read`; for one thread.
  Snapshot const& newest(bool* is_new = nullptr) { return snapshots_.read(is_new); }
  /// The one that `newest` gave last.
  Snapshot const& current() const { return snapshots_.current(); }

private:
  void run(std::string const& case_name, EngineOptions const& options, int threads);
  std::vector<Command> take();

  std::function<void()> on_news_;
  Snapshots snapshots_;
  std::mutex mutex_;
  std::condition_variable wake_, begun_;
  std::vector<Command> commands_;
  bool has_begun_ = false, stops_ = false;
  std::string error_;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace sparse::live
