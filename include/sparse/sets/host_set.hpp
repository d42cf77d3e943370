#pragma once
/// Interval sets in host memory: for building them by hand, for files and for tests.

#include <vector>

#include <sparse/base/interval.hpp>

namespace sparse {

/// A set's arrays on the host, as `IntervalSet::to_host` gives them; the layout is that of `SetView`.
template <int Dim>
struct HostSet {
  std::vector<RowKey> row_keys;     ///< [rows] keys of the rows that are not empty, increasing
  std::vector<Index> row_ptr;       ///< [rows + 1] first interval of each row
  std::vector<Interval> intervals;  ///< [intervals] sorted and apart within a row
  std::vector<Index> cell_offsets;  ///< [intervals] index of an interval's first cell

  /// The sum of the lengths of all intervals.
  Index cell_count() const {
    return intervals.empty() ? 0 : cell_offsets.back() + (Index{intervals.back().end} - intervals.back().begin);
  }

  /// Calls `body(key, interval, offset)` for each interval in order; `offset` is the index of its first cell.
  template <class Body>
  void for_each_interval(Body&& body) const {
    for (std::size_t r = 0; r < row_keys.size(); ++r)
      for (Index i = row_ptr[r]; i < row_ptr[r + 1]; ++i) body(row_keys[r], intervals[i], cell_offsets[i]);
  }
  /// Calls `body(cell, index)` for each cell in order.
  template <class Body>
  void for_each_cell(Body&& body) const {
    for_each_interval([&](RowKey key, Interval interval, Index offset) {
      for (Coord x = interval.begin; x < interval.end; ++x) body(cell_at<Dim>(key, x), offset + (x - interval.begin));
    });
  }
};

}  // namespace sparse
