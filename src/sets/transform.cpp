#include <sparse/sets/transform.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/assemble.hpp>

#include "places.hpp"
#include "range.hpp"
#include "sort_by_key.hpp"

namespace sparse {
namespace {

// ---- mappings of rows: the intervals stay as they are

template <int Dim>
struct SwapKey {
  int axis_a, axis_b;
  KOKKOS_FUNCTION RowKey operator()(RowKey key) const {
    Vec<Coord, Dim> cell = cell_at<Dim>(key, 0);
    Coord const a = cell[axis_a];
    cell[axis_a] = cell[axis_b];
    cell[axis_b] = a;
    return row_key(cell);
  }
};

template <int Dim>
struct MirrorKey {
  int axis;
  std::int64_t sum;  // coordinate plus the coordinate of its mirror image
  KOKKOS_FUNCTION RowKey operator()(RowKey key) const {
    Vec<Coord, Dim> cell = cell_at<Dim>(key, 0);
    cell[axis] = static_cast<Coord>(sum - cell[axis]);
    return row_key(cell);
  }
};

struct KeyedRow {
  RowKey key;
  Index row;
};

template <class Map>
struct MapKey {
  RowKey const* keys;
  Map map;
  KeyedRow* out;
  KOKKOS_FUNCTION void operator()(Index r) const { out[r] = {map(keys[r]), r}; }
};

/// The set whose rows have the keys `map(key)`. These keys must be different.
template <int Dim, class Map>
IntervalSet<Dim> map_rows(IntervalSet<Dim> const& set, Map const& map) {
  Context const context = set.context();
  SetView const view = set.rows();
  Buffer<KeyedRow> keyed(context, view.row_count);
  parallel_for(context, "sparse::transform::map_keys", view.row_count, MapKey<Map>{view.row_keys, map, keyed.data()});
  detail::stable_sort_by_key(context, keyed);
  KeyedRow const* const sorted = keyed.data();
  Buffer<RowKey> const key_buffer(context, view.row_count);
  Buffer<Index> const row_buffer(context, view.row_count);
  RowKey* const keys = key_buffer.data();
  Index* const rows = row_buffer.data();
  parallel_for(
      context, "sparse::transform::list_rows", view.row_count, KOKKOS_LAMBDA(Index r) {
        keys[r] = sorted[r].key;
        rows[r] = sorted[r].row;
      });
  return assemble<Dim>(context, "sparse::transform::map_rows", keys, view.row_count, detail::ListedRow{view, rows});
}

struct MirrorRow {
  SetView set;
  std::int64_t twice_plane;
  Index capacity() const { return set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[r + 1] - set.row_ptr[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    for (Index i = set.row_ptr[r + 1]; i-- > set.row_ptr[r];) {
      Interval const interval = set.intervals[i];
      *out++ = {static_cast<Coord>(twice_plane - interval.end), static_cast<Coord>(twice_plane - interval.begin)};
    }
    return out;
  }
};

template <int Dim>
struct PlaceSwapped {
  int axis_a, axis_b;
  detail::Place* out;
  KOKKOS_FUNCTION void operator()(Index i, Vec<Coord, Dim> cell) const {
    Coord const a = cell[axis_a];
    cell[axis_a] = cell[axis_b];
    cell[axis_b] = a;
    out[i] = {row_key(cell), cell[0]};
  }
};

/// The cells of `set` without a neighbour at `step` along `axis`, as sorted places after x and `axis` are swapped.
/// There the intervals of the result begin (step -1) or end (step 1).
template <int Dim>
Buffer<detail::Place> turning_places(IntervalSet<Dim> const& set, int axis, Coord step) {
  Context const context = set.context();
  auto const cells = detail::combine<Dim>(context, set.rows(), moved(set.rows(), Vec<Coord, Dim>::along(axis, -step)),
                                          detail::in_first_only);
  Buffer<detail::Place> places(context, cells.cell_count());
  detail::visit_cells<Dim>(context, "sparse::transform::place_ends", cells.view(),
                           PlaceSwapped<Dim>{0, axis, places.data()});
  // Places of one row differ only in their old coordinate along `axis`. They are in this order already.
  detail::stable_sort_by_key(context, places);
  return places;
}

}  // namespace

template <int Dim>
IntervalSet<Dim> mirror(IntervalSet<Dim> const& set, int axis, Coord plane) {
  detail::expect_axis(axis, Dim, "mirror: no such axis");
  if (set.is_empty()) return set;
  Box<Dim> const bounds = set.bounds();
  Vec<std::int64_t, Dim> begin, end;
  for (int a = 0; a < Dim; ++a) {
    begin[a] = a == axis ? 2 * std::int64_t{plane} - bounds.end[a] : bounds.begin[a];
    end[a] = a == axis ? 2 * std::int64_t{plane} - bounds.begin[a] : bounds.end[a];
  }
  detail::expect_in_range<Dim>(begin, end, "mirror");
  if (axis != 0) return map_rows(set, MirrorKey<Dim>{axis, 2 * std::int64_t{plane} - 1});
  SetView const view = set.rows();
  return assemble<Dim>(set.context(), "sparse::transform::mirror", view.row_keys, view.row_count,
                       MirrorRow{view, 2 * std::int64_t{plane}});
}

template <int Dim>
IntervalSet<Dim> transpose(IntervalSet<Dim> const& set, int axis_a, int axis_b) {
  detail::expect_axis(axis_a, Dim, "transpose: no such axis");
  detail::expect_axis(axis_b, Dim, "transpose: no such axis");
  if (axis_a == axis_b || set.is_empty()) return set;
  if (axis_a != 0 && axis_b != 0) return map_rows(set, SwapKey<Dim>{axis_a, axis_b});
  int const axis = axis_a + axis_b;  // one of them is 0
  auto const firsts = turning_places(set, axis, -1), lasts = turning_places(set, axis, 1);
  return detail::from_places<Dim>(set.context(), firsts.data(), lasts.data(), firsts.size());
}

template <int Dim>
IntervalSet<Dim> rotate(IntervalSet<Dim> const& set, int from, int to) {
  detail::expect_axis(from, Dim, "rotate: no such axis");
  detail::expect_axis(to, Dim, "rotate: no such axis");
  expects(from != to, "rotate: a quarter turn takes one axis to another");
  return mirror(transpose(set, from, to), from, 0);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> mirror(IntervalSet<Dim> const&, int, Coord);                                               \
  template IntervalSet<Dim> transpose(IntervalSet<Dim> const&, int, int);                                              \
  template IntervalSet<Dim> rotate(IntervalSet<Dim> const&, int, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
