#pragma once
/// Copies rows from scratch memory into a set.

#include <sparse/sets/assemble.hpp>

namespace sparse::detail {

/// Moves the rows that WritePart wrote to scratch memory behind those already in the set.
struct PlacePart {
  Stretch stretch;
  RowCounts const* starts;
  RowCounts before;
  SetArrays from, to;
  KOKKOS_FUNCTION void operator()(Index part) const {
    Index const begin = stretch.part_begin(part), row = begin - stretch.first;
    Index const row_count = starts[part + 1].rows - starts[part].rows;
    Index const interval_count = starts[part + 1].intervals - starts[part].intervals;
    Index const to_row = before.rows + starts[part].rows, to_interval = before.intervals + starts[part].intervals;
    for (Index r = 0; r < row_count; ++r) {
      to.row_keys[to_row + r] = from.row_keys[row + r];
      to.row_ptr[to_row + r + 1] = to_interval + from.row_ptr[row + r];
    }
    Interval const* const source = from.intervals + stretch.offset(begin);
    Interval* const target = to.intervals + to_interval;
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < interval_count; ++i) target[i] = source[i];
  }
};

}  // namespace sparse::detail
