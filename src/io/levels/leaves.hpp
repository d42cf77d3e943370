#pragma once
/// The leaves of a level as runs of consecutive cells.

#include <algorithm>
#include <vector>

#include <sparse/io/levels/cells.hpp>

namespace sparse::io {

/// Consecutive cells of one row, whose values start at index `first` of the level's arrays.
struct Run {
  RowKey row;
  Interval x;
  Index first;
};

inline Index cell_count(std::vector<Run> const& runs) {
  Index count = 0;
  for (Run const& run : runs) count += Index{run.x.end} - run.x.begin;
  return count;
}

/// All cells of a set.
template <int Dim>
std::vector<Run> runs_of(HostSet<Dim> const& cells) {
  std::vector<Run> runs;
  runs.reserve(cells.intervals.size());
  cells.for_each_interval([&](RowKey row, Interval x, Index first) { runs.push_back({row, x, first}); });
  return runs;
}

/// The cells of a level that are not covered, in order.
template <int Dim>
std::vector<Run> leaf_runs(LevelCells<Dim> const& level) {
  std::vector<Run> runs;
  auto const& covered = level.covered;
  std::size_t row = 0;  // row of `covered`; follows the rows of the level
  Index cut = 0;
  level.cells.for_each_interval([&](RowKey key, Interval x, Index first) {
    while (row < covered.row_keys.size() && covered.row_keys[row] < key) ++row;
    Coord begin = x.begin;
    auto const keep = [&](Coord end) {
      if (begin < end) runs.push_back({key, {begin, end}, first + (begin - x.begin)});
    };
    if (row < covered.row_keys.size() && covered.row_keys[row] == key) {
      cut = std::max(cut, covered.row_ptr[row]);
      for (; cut < covered.row_ptr[row + 1]; ++cut) {
        Interval const hidden = covered.intervals[static_cast<std::size_t>(cut)];
        if (hidden.begin >= x.end) break;
        keep(std::min(hidden.begin, x.end));
        begin = std::max(begin, hidden.end);
        if (hidden.end > x.end) break;  // it may cover the next interval, too
      }
    }
    keep(x.end);
  });
  return runs;
}

}  // namespace sparse::io
