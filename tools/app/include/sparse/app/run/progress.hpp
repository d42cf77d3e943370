#pragma once
/// What a long run tells while it runs.

#include <chrono>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sparse/base/config.hpp>

namespace sparse::app {

/// A line with step, time, time step, cells per level, one watched number, cell updates per second, and the time left.
///
/// On a terminal the line stays in place, is cut to its width, and changes ten times a second at most. Elsewhere a new
/// line is printed every ten seconds. The last line is always printed in full.
class Progress {
public:
  /// @param last_time, last_step  where the run ends, whichever comes first
  /// @param total                 gives the watched number; called only when a line is printed
  /// @param name                  of the watched number
  Progress(double last_time, Index last_step, std::function<double()> total, std::string_view name = "mass",
           std::FILE* out = stdout);

  /// @param updates  cells that were updated since the last report
  void report(Index step, double time, double dt, std::span<Index const> cells_per_level, Index updates);
  /// Prints the line of the last report once more; it stays.
  void finish();

  /// Since the run began [s].
  double seconds() const;
  /// Cell updates per second since the start.
  double updates_per_second() const { return static_cast<double>(updates_) / seconds(); }

private:
  using Clock = std::chrono::steady_clock;
  std::string line() const;
  void print(std::string_view line, char const* end);

  double last_time_;
  Index last_step_;
  std::function<double()> total_;
  std::string name_;
  std::FILE* out_;
  bool is_terminal_;
  Clock::time_point start_, printed_;
  Index updates_ = 0, step_ = 0;  // step 0: there was no report
  double time_ = 0, dt_ = 0;
  std::vector<Index> cells_per_level_;
};

}  // namespace sparse::app
