#pragma once
/// Where two vortices are, when they pass each other, and whether they have merged.

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <sparse/base/vec.hpp>

#include <sparse/app/run/folder.hpp>
#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// Follows two maxima of the magnitude of vorticity from step to step. Vortices may cross a period along x.
class VortexTracker {
public:
  /// Follows two vortices from where they start. `spacing`: of cells.
  VortexTracker(double spacing, std::array<sparse::Vec<double, 2>, 2> const& start) : spacing_(spacing), at_(start) {}

  /// What has been seen so far.
  bool is_merged() const { return is_merged_; }
  double merge_time() const { return time_; }
  std::vector<double> const& pass_times() const { return passes_; }
  sparse::Vec<double, 2> const& at(int vortex) const { return at_[static_cast<std::size_t>(vortex)]; }
  /// Between the two; 0 once they have merged.
  double distance() const { return is_merged_ ? 0 : std::hypot(at_[0][0] - at_[1][0], at_[0][1] - at_[1][1]); }

  /// Climbs to the maxima from the last places. If both ways lead to the same cell, the vortices have merged.
  /// @param vorticity  of the cells of a rectangle from the origin on, row by row, `width` in a row
  void add(double time, std::vector<double> const& vorticity, int width) {
    if (is_merged_) return;
    double const before = at_[0][0] - at_[1][0];
    for (auto& at : at_) climb(at, vorticity, width);
    if (distance() < 1.5 * spacing_) {
      is_merged_ = true;
    } else {
      double const after = at_[0][0] - at_[1][0];
      if (before * after < 0) passes_.push_back(time_ + (time - time_) * before / (before - after));
    }
    time_ = time;
  }

  /// Into a checkpoint, or out of it.
  void keep(Keeper& keeper) {
    std::vector<double> numbers = {time_, is_merged_ ? 1.0 : 0.0, at_[0][0], at_[0][1], at_[1][0], at_[1][1]};
    keeper("vortices", numbers);
    keeper("passes", passes_);
    if (numbers.size() != 6) return;
    time_ = numbers[0];
    is_merged_ = numbers[1] != 0;
    at_ = {sparse::Vec<double, 2>{numbers[2], numbers[3]}, sparse::Vec<double, 2>{numbers[4], numbers[5]}};
  }

private:
  /// Moves to the neighbour with the most vorticity until there is none, then to the top of the parabolas there.
  void climb(sparse::Vec<double, 2>& at, std::vector<double> const& vorticity, int width) const {
    int const height = static_cast<int>(vorticity.size()) / width;
    int cell[2] = {static_cast<int>(std::floor(at[0] / spacing_)), static_cast<int>(std::floor(at[1] / spacing_))};
    auto const value = [&](int x, int y) {
      int const column = (x % width + width) % width;
      return std::abs(
          vorticity[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)]);
    };
    for (bool has_moved = true; has_moved;) {
      has_moved = false;
      int const from[2] = {cell[0], cell[1]};
      for (int y = from[1] - 2; y <= from[1] + 2; ++y)
        for (int x = from[0] - 2; x <= from[0] + 2; ++x) {
          if (y < 1 || y >= height - 1 || value(x, y) <= value(cell[0], cell[1])) continue;
          cell[0] = x;
          cell[1] = y;
          has_moved = true;
        }
    }
    for (int axis = 0; axis < 2; ++axis) {
      int const dx = axis == 0 ? 1 : 0, dy = 1 - dx;
      double const low = value(cell[0] - dx, cell[1] - dy), high = value(cell[0] + dx, cell[1] + dy);
      double const curvature = low - 2 * value(cell[0], cell[1]) + high;
      at[axis] = spacing_ * (cell[axis] + 0.5 + (curvature < 0 ? 0.5 * (low - high) / curvature : 0));
    }
  }

  double spacing_, time_ = 0;
  std::array<sparse::Vec<double, 2>, 2> at_;
  std::vector<double> passes_;
  bool is_merged_ = false;
};

/// Reports number and times of passes beside those of theory, and the time of merging.
/// @param what  vortices, rings
inline void report_passes(RunFolder& folder, VortexTracker const& tracker, std::vector<double> const& theory,
                          std::string const& what) {
  auto const& passes = tracker.pass_times();
  folder.report("passes", static_cast<double>(passes.size()), static_cast<double>(theory.size()));
  for (std::size_t i = 0; i < passes.size(); ++i)
    folder.report(fmt::format("time of pass {}", i + 1), passes[i],
                  i < theory.size() ? std::optional(theory[i]) : std::nullopt);
  if (tracker.is_merged()) folder.report("time at which " + what + " have merged", tracker.merge_time());
}

}  // namespace sparse::app
