#include "crossings.hpp"

namespace sparse {
Buffer<RowKey> rows_behind(Context const& context, SetView const& shadow) {
  Buffer<RowKey> keys(context, shadow.cell_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::crossings::row_keys", shadow.cell_count, KOKKOS_LAMBDA(Index cell) {
        Index const interval =
            detail::last_at_most(shadow.interval_count, cell, [&](Index i) { return shadow.cell_offsets[i]; });
        Index const row = detail::last_at_most(shadow.row_count, interval, [&](Index r) { return shadow.row_ptr[r]; });
        auto const y = static_cast<Coord>(shadow.intervals[interval].begin + (cell - shadow.cell_offsets[interval]));
        out[cell] = row_key(Vec<Coord, 3>{0, y, static_cast<Coord>(shadow.key(row))});
      });
  return keys;
}

}  // namespace sparse
