#include "crossings.hpp"

namespace sparse {
namespace {

/// The last of `count` positions, at least one, that is at most `wanted`, when they increase from the first one on.
KOKKOS_FUNCTION Index last_at_most(Index const* positions, Index count, Index wanted) {
  Index low = 0, high = count;
  while (high - low > 1) {
    Index const middle = low + (high - low) / 2;
    if (positions[middle] <= wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}

}  // namespace

Buffer<RowKey> rows_behind(Context const& context, SetView const& shadow) {
  Buffer<RowKey> keys(context, shadow.cell_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::crossings::row_keys", shadow.cell_count, KOKKOS_LAMBDA(Index cell) {
        Index const interval = last_at_most(shadow.cell_offsets, shadow.interval_count, cell);
        Index const row = last_at_most(shadow.row_ptr, shadow.row_count, interval);
        auto const y = static_cast<Coord>(shadow.intervals[interval].begin + (cell - shadow.cell_offsets[interval]));
        out[cell] = row_key(Vec<Coord, 3>{0, y, static_cast<Coord>(shadow.key(row))});
      });
  return keys;
}

}  // namespace sparse
