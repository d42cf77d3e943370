#include <sparse/transform.hpp>

#include <limits>

#include <sparse/assemble.hpp>
#include <sparse/set_algebra.hpp>

#include "sort_by_key.hpp"

namespace sparse {
namespace {

/// A number that `exclusive_scan` can add up.
struct Tally {
  Index value = 0;
  KOKKOS_FORCEINLINE_FUNCTION void add(Tally const& b) { value += b.value; }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(Tally volatile& a, Tally const volatile& b) {
    a.value = a.value + b.value;
  }
};

void expect_axis(int axis, int dimension, char const* message) { expects(axis >= 0 && axis < dimension, message); }

// ---- rows that change places: their intervals stay as they are

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
  std::int64_t sum;  // of a coordinate and its image
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

/// The rows of a set in another order.
struct ListedRow {
  SetView set;
  Index const* rows;
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[rows[r] + 1] - set.row_ptr[rows[r]]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    for (Index i = set.row_ptr[rows[r]]; i < set.row_ptr[rows[r] + 1]; ++i) *out++ = set.intervals[i];
    return out;
  }
};

/// The set whose rows have the keys `map(key)`, each of which is different.
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
  return assemble<Dim>(context, "sparse::transform::map_rows", keys, view.row_count, ListedRow{view, rows});
}

struct MirrorRow {
  SetView set;
  std::int64_t twice_plane;
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[r + 1] - set.row_ptr[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    for (Index i = set.row_ptr[r + 1]; i-- > set.row_ptr[r];) {
      Interval const interval = set.intervals[i];
      *out++ = {static_cast<Coord>(twice_plane - interval.end), static_cast<Coord>(twice_plane - interval.begin)};
    }
    return out;
  }
};

// ---- single cells

/// The last of `count` increasing numbers, the first being 0, that is not greater than `value`.
KOKKOS_FUNCTION Index last_at_most(Index const* numbers, Index count, Index value) {
  Index first = 0;
  while (count > 1) {
    Index const half = count / 2;
    bool const right = numbers[first + half] <= value;
    first += right ? half : 0;
    count = right ? count - half : half;
  }
  return first;
}

/// Calls `body(index, cell)` for the cells of stretch c of a set.
template <int Dim, class Body>
struct VisitStretch {
  // Long enough to pay for finding its first cell; a device has more threads than it needs for that.
  static constexpr Index length = is_host_backend ? 1024 : 1;
  SetView set;
  Body body;

  KOKKOS_FUNCTION void operator()(Index c) const {
    Index cell = c * length;
    Index const last = cell + length < set.cell_count ? cell + length : set.cell_count;
    Index i = last_at_most(set.cell_offsets, set.interval_count, cell);
    Index r = last_at_most(set.row_ptr, set.row_count, i);
    for (; cell < last; ++i) {
      if (i == set.row_ptr[r + 1]) ++r;
      Interval const interval = set.intervals[i];
      Index const shift = interval.begin - set.cell_offsets[i];
      for (; cell < last && cell + shift < interval.end; ++cell)
        body(cell, cell_at<Dim>(set.row_keys[r], static_cast<Coord>(cell + shift)));
    }
  }
};

template <int Dim, class Body>
void visit_cells(Context const& context, char const* label, SetView const& set, Body const& body) {
  constexpr Index length = VisitStretch<Dim, Body>::length;
  parallel_for(context, label, (set.cell_count + length - 1) / length, VisitStretch<Dim, Body>{set, body});
}

/// A place in a row.
struct Place {
  RowKey key;
  Coord x;
};

struct IsNewRow {
  Place const* places;
  KOKKOS_FUNCTION Tally operator()(Index i) const { return {i == 0 || places[i].key != places[i - 1].key ? 1 : 0}; }
};

struct PlacesRow {
  Place const* firsts;
  Place const* lasts;
  Index const* starts;
  KOKKOS_FUNCTION Index bound(Index r) const { return starts[r + 1] - starts[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Index i = starts[r];
    Interval open{firsts[i].x, lasts[i].x + 1};
    for (++i; i < starts[r + 1]; ++i) {
      if (firsts[i].x != open.end) {
        *out++ = open;
        open.begin = firsts[i].x;
      }
      open.end = lasts[i].x + 1;
    }
    *out++ = open;
    return out;
  }
};

/// The set of the intervals from `firsts[i]` to `lasts[i]`, both sorted by key and x.
template <int Dim>
IntervalSet<Dim> from_places(Context const& context, Place const* firsts, Place const* lasts, Index count) {
  if (count == 0) return {};
  auto const ranks = count_and_scan<Tally>(context, "sparse::transform::count_rows", count, IsNewRow{firsts});
  Tally const* const rank = ranks.data();
  Index const row_count = read_back(context, rank + count).value;
  Buffer<RowKey> const key_buffer(context, row_count);
  Buffer<Index> const start_buffer(context, row_count + 1);
  RowKey* const keys = key_buffer.data();
  Index* const starts = start_buffer.data();
  parallel_for(
      context, "sparse::transform::place_rows", count, KOKKOS_LAMBDA(Index i) {
        if (i + 1 == count) starts[row_count] = count;
        if (rank[i].value == rank[i + 1].value) return;
        keys[rank[i].value] = firsts[i].key;
        starts[rank[i].value] = i;
      });
  return assemble<Dim>(context, "sparse::transform::from_places", keys, row_count, PlacesRow{firsts, lasts, starts});
}

template <int Dim>
struct PlaceSwapped {
  int axis_a, axis_b;
  Place* out;
  KOKKOS_FUNCTION void operator()(Index i, Vec<Coord, Dim> cell) const {
    Coord const a = cell[axis_a];
    cell[axis_a] = cell[axis_b];
    cell[axis_b] = a;
    out[i] = {row_key(cell), cell[0]};
  }
};

/// The places of the cells of `set` that have no neighbour at `step` along `axis`, after x and `axis` are swapped,
/// sorted: where the intervals of the result begin (step -1) or end.
template <int Dim>
Buffer<Place> turning_places(IntervalSet<Dim> const& set, int axis, Coord step) {
  Context const context = set.context();
  auto const cells = detail::combine<Dim>(context, set.rows(), moved(set.rows(), Vec<Coord, Dim>::along(axis, -step)),
                                          detail::in_first_only);
  Buffer<Place> places(context, cells.cell_count());
  visit_cells<Dim>(context, "sparse::transform::place_ends", cells.view(), PlaceSwapped<Dim>{0, axis, places.data()});
  // Places of one row differ in their old coordinate along `axis` only, by which they are in order already.
  detail::stable_sort_by_key(context, places);
  return places;
}

// ---- slices

/// Whether row r has a part in the slice.
struct IsInSlice {
  SetView set;
  int axis;
  Coord position;
  KOKKOS_FUNCTION Tally operator()(Index r) const {
    bool const is_in = axis == 0 ? set.find_in_row(r, position) >= 0 : cell_at<3>(set.key(r), 0)[axis] == position;
    return {is_in ? 1 : 0};
  }
};

// ---- extrusion

/// Row r of a set that repeats every row of another: rows times planes, or planes times rows.
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

/// The row of the cells (x, y) -> (k, x, y).
struct KeyOfStandingCell {
  RowKey* keys;
  KOKKOS_FUNCTION void operator()(Index i, Vec<Coord, 2> const& cell) const {
    keys[i] = row_key(Vec<Coord, 3>{0, cell[0], cell[1]});
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> mirror(IntervalSet<Dim> const& set, int axis, Coord plane) {
  expect_axis(axis, Dim, "mirror: no such axis");
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
  expect_axis(axis_a, Dim, "transpose: no such axis");
  expect_axis(axis_b, Dim, "transpose: no such axis");
  if (axis_a == axis_b || set.is_empty()) return set;
  if (axis_a != 0 && axis_b != 0) return map_rows(set, SwapKey<Dim>{axis_a, axis_b});
  int const axis = axis_a + axis_b;  // one of them is 0
  auto const firsts = turning_places(set, axis, -1), lasts = turning_places(set, axis, 1);
  return from_places<Dim>(set.context(), firsts.data(), lasts.data(), firsts.size());
}

template <int Dim>
IntervalSet<Dim> rotate(IntervalSet<Dim> const& set, int from, int to) {
  expect_axis(from, Dim, "rotate: no such axis");
  expect_axis(to, Dim, "rotate: no such axis");
  expects(from != to, "rotate: a quarter turn takes one axis to another");
  return mirror(transpose(set, from, to), from, 0);
}

IntervalSet<2> slice(IntervalSet<3> const& set, int axis, Coord position) {
  expect_axis(axis, 3, "slice: no such axis");
  if (set.is_empty()) return {};
  Context const context = set.context();
  SetView const view = axis == 0 ? set.view() : set.rows();
  auto const ranks =
      count_and_scan<Tally>(context, "sparse::transform::find_slice", view.row_count, IsInSlice{view, axis, position});
  Tally const* const rank = ranks.data();
  Index const count = read_back(context, rank + view.row_count).value;
  if (count == 0) return {};

  if (axis == 0) {  // each row gives one cell: y becomes x
    Buffer<Place> const buffer(context, count);
    Place* const places = buffer.data();
    parallel_for(
        context, "sparse::transform::place_slice", view.row_count, KOKKOS_LAMBDA(Index r) {
          Vec<Coord, 3> const cell = cell_at<3>(view.key(r), 0);
          if (rank[r].value != rank[r + 1].value) places[rank[r].value] = {RowKey{cell[2]}, cell[1]};
        });
    return from_places<2>(context, places, places, count);
  }
  Buffer<RowKey> const key_buffer(context, count);
  Buffer<Index> const row_buffer(context, count);
  RowKey* const keys = key_buffer.data();
  Index* const rows = row_buffer.data();
  int const kept = 3 - axis;
  parallel_for(
      context, "sparse::transform::list_rows", view.row_count, KOKKOS_LAMBDA(Index r) {
        if (rank[r].value == rank[r + 1].value) return;
        keys[rank[r].value] = cell_at<3>(view.key(r), 0)[kept];
        rows[rank[r].value] = r;
      });
  return assemble<2>(context, "sparse::transform::slice", keys, count, ListedRow{view, rows});
}

IntervalSet<3> extrude(IntervalSet<2> const& set, Coord begin, Coord end, int axis) {
  expect_axis(axis, 3, "extrude: no such axis");
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
    visit_cells<2>(context, "sparse::transform::standing_keys", view, KeyOfStandingCell{keys.data()});
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

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> mirror(IntervalSet<Dim> const&, int, Coord);                                               \
  template IntervalSet<Dim> transpose(IntervalSet<Dim> const&, int, int);                                              \
  template IntervalSet<Dim> rotate(IntervalSet<Dim> const&, int, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
