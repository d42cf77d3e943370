#include <limits>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/transform.hpp>

#include "places.hpp"
#include "range.hpp"

namespace sparse {
namespace {

/// True when row r meets the slice.
struct IsInSlice {
  SetView set;
  int axis;
  Coord position;
  KOKKOS_FUNCTION bool operator()(Index r) const {
    return axis == 0 ? set.find_in_row(r, position) >= 0 : cell_at<3>(set.key(r), 0)[axis] == position;
  }
};

// ---- extrusion

/// Row r of a set that repeats every row of another set: either all rows for each plane, or all planes for each row.
struct RepeatedRow {
  SetView set;
  Index period;
  bool is_plane_by_plane;
  KOKKOS_FORCEINLINE_FUNCTION Index source(Index r) const { return is_plane_by_plane ? r % period : r / period; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[source(r) + 1] - set.row_ptr[source(r)]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    for (Index i = set.row_ptr[source(r)]; i < set.row_ptr[source(r) + 1]; ++i) *out++ = set.intervals[i];
    return out;
  }
};

struct SpanRow {
  Interval span;
  KOKKOS_FUNCTION Index bound(Index) const { return 1; }
  KOKKOS_FUNCTION Interval* operator()(Index, Interval* out) const {
    *out = span;
    return out + 1;
  }
};

/// The key of the row of cell (x, y) after it becomes (k, x, y).
struct KeyOfStandingCell {
  RowKey* keys;
  KOKKOS_FUNCTION void operator()(Index i, Vec<Coord, 2> const& cell) const {
    keys[i] = row_key(Vec<Coord, 3>{0, cell[0], cell[1]});
  }
};

}  // namespace

IntervalSet<2> slice(IntervalSet<3> const& set, int axis, Coord position) {
  detail::expect_axis(axis, 3, "slice: no such axis");
  if (set.is_empty()) return {};
  Context const context = set.context();
  SetView const view = axis == 0 ? set.view() : set.rows();
  auto const found =
      select_indices(context, "sparse::transform::find_slice", view.row_count, IsInSlice{view, axis, position});
  Index const count = found.size();
  Index const* const rows = found.data();
  if (count == 0) return {};

  if (axis == 0) {  // each row has one cell in the slice: y becomes x
    Buffer<detail::Place> const buffer(context, count);
    detail::Place* const places = buffer.data();
    parallel_for(
        context, "sparse::transform::place_slice", count, KOKKOS_LAMBDA(Index i) {
          Vec<Coord, 3> const cell = cell_at<3>(view.key(rows[i]), 0);
          places[i] = {RowKey{cell[2]}, cell[1]};
        });
    return detail::from_places<2>(context, places, places, count);
  }
  Buffer<RowKey> const key_buffer(context, count);
  RowKey* const keys = key_buffer.data();
  int const kept = 3 - axis;
  parallel_for(
      context, "sparse::transform::list_rows", count,
      KOKKOS_LAMBDA(Index i) { keys[i] = cell_at<3>(view.key(rows[i]), 0)[kept]; });
  return assemble<2>(context, "sparse::transform::slice", keys, count, detail::ListedRow{view, rows});
}

IntervalSet<3> extrude(IntervalSet<2> const& set, Coord begin, Coord end, int axis) {
  detail::expect_axis(axis, 3, "extrude: no such axis");
  expects(begin <= end, "extrude: the end lies before the begin");
  if (set.is_empty() || begin == end) return {};
  Vec<std::int64_t, 3> first{}, last = Vec<std::int64_t, 3>::filled(1);
  first[axis] = begin;
  last[axis] = end;
  detail::expect_in_range<3>(first, last, "extrude");
  Index const length = Index{end} - begin;
  expects(set.cell_count() <= std::numeric_limits<Index>::max() / 64 / length,
          "extrude: the result has more cells than 64 bits count");
  Context const context = set.context();
  SetView const view = axis == 0 ? set.view() : set.rows();

  if (axis == 0) {
    Buffer<RowKey> const keys(context, view.cell_count);
    detail::visit_cells<2>(context, "sparse::transform::standing_keys", view, KeyOfStandingCell{keys.data()});
    return assemble<3>(context, "sparse::transform::extrude", keys.data(), view.cell_count, SpanRow{{begin, end}});
  }
  Index const count = view.row_count * length;
  bool const is_plane_by_plane = axis == 2;
  RepeatedRow const repeated{view, is_plane_by_plane ? view.row_count : length, is_plane_by_plane};
  Buffer<RowKey> const buffer(context, count);
  RowKey* const keys = buffer.data();
  parallel_for(
      context, "sparse::transform::repeat_keys", count, KOKKOS_LAMBDA(Index r) {
        auto const old = static_cast<Coord>(view.key(repeated.source(r)));
        auto const added = static_cast<Coord>(begin + (is_plane_by_plane ? r / repeated.period : r % repeated.period));
        keys[r] = row_key(is_plane_by_plane ? Vec<Coord, 3>{0, old, added} : Vec<Coord, 3>{0, added, old});
      });
  return assemble<3>(context, "sparse::transform::extrude", keys, count, repeated);
}

}  // namespace sparse
