#pragma once
/// Searches in sets: from the number of a cell to its coordinates and back, and for rows in order.

#include <sparse/sets/interval_set.hpp>

namespace sparse {
namespace detail {

/// The index of the last number that is at most `value`. The numbers increase; the first one is 0, and `count` >= 1.
KOKKOS_FORCEINLINE_FUNCTION Index last_at_most(Index const* numbers, Index count, Index value) {
  Index first = 0;
  while (count > 1) {
    Index const half = count / 2;
    bool const right = numbers[first + half] <= value;
    first += right ? half : 0;
    count = right ? count - half : half;
  }
  return first;
}

/// Finds rows for increasing keys. It looks a few rows ahead, then bisects. `seek` returns the first row whose key is
/// not smaller, as `SetView::lower_row` does.
struct RowCursor {
  Index row = -1;

  KOKKOS_FUNCTION Index seek(SetView const& set, RowKey wanted) {
    if (row < 0) return row = set.lower_row(wanted);
    for (int step = 0; step < 8; ++step, ++row)
      if (row == set.row_count || set.key(row) >= wanted) return row;
    return row = set.lower_row(wanted);
  }
};

}  // namespace detail

/// The cell of number `index`, 0 <= index < cell_count. Cost: logarithmic in the intervals.
template <int Dim>
KOKKOS_FUNCTION Vec<Coord, Dim> cell_of(SetView const& set, Index index) {
  Index const i = detail::last_at_most(set.cell_offsets, set.interval_count, index);
  Index const r = detail::last_at_most(set.row_ptr, set.row_count, i);
  auto const x = set.intervals[i].begin + set.x_shift + static_cast<Coord>(index - set.cell_offsets[i]);
  return cell_at<Dim>(set.key(r), x);
}

/// The cell of number `index`. For single queries on the host; in kernels use `cell_of(view, index)`. Waits for the
/// answer. Cost: logarithmic in the intervals.
/// @throws std::invalid_argument  if there is no such cell
template <int Dim>
Vec<Coord, Dim> cell_of(IntervalSet<Dim> const& set, Index index);

/// The number of each of the `cells` in the set, or -1 for a cell outside of the set: [cells.size()], in device memory.
/// Cost: a search among the rows and one in the row for each cell; does not wait.
template <int Dim>
Buffer<Index> find(IntervalSet<Dim> const& set, Buffer<Vec<Coord, Dim>> const& cells);

}  // namespace sparse
