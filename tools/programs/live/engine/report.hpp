#pragma once
/// Lines about a run that goes on: for long runs, and for tests of the window and the server.

#include <chrono>

#include "snapshot.hpp"

namespace sparse::live {

/// Prints a line of JSON from time to time.
class Reporter {
public:
  /// @param interval  seconds; 0: never
  explicit Reporter(double interval) : interval_(interval) {}
  /// Prints one if it is time. @param snapshot  the newest one
  void add(Snapshot const& snapshot);

private:
  double interval_;
  Index frame_ = 0;  // of the last line
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace sparse::live
