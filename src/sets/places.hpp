#pragma once
/// Sets from single cells of other sets: the common part of transposing, slicing and extruding.

#include <sparse/sets/assemble.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse {
namespace detail {

inline void expect_axis(int axis, int dimension, char const* message) {
  expects(axis >= 0 && axis < dimension, message);
}

/// Calls `body(index, cell)` for the cells of group c of a set.
template <int Dim, class Body>
struct VisitStretch {
  // Long enough to pay for the search for the first cell. A device has enough threads to search for each cell.
  static constexpr Index length = has_many_threads ? 1 : 1024;
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

/// A position in a row.
struct Place {
  RowKey key;
  Coord x;
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

struct BeginsRow {
  Place const* places;
  KOKKOS_FUNCTION bool operator()(Index i) const { return i == 0 || places[i].key != places[i - 1].key; }
};

struct PlacesRow {
  Place const* firsts;
  Place const* lasts;
  Index const* starts;
  Index row_count, place_count;
  KOKKOS_FUNCTION Index end(Index r) const { return r + 1 < row_count ? starts[r + 1] : place_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return end(r) - starts[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Index i = starts[r];
    Index const last = end(r);
    Interval open{firsts[i].x, lasts[i].x + 1};
    for (++i; i < last; ++i) {
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
  auto const first_places = select_indices(context, "sparse::transform::find_rows", count, BeginsRow{firsts});
  Index const row_count = first_places.size();
  Buffer<RowKey> const key_buffer(context, row_count);
  RowKey* const keys = key_buffer.data();
  Index const* const starts = first_places.data();
  parallel_for(
      context, "sparse::transform::keys_of_rows", row_count,
      KOKKOS_LAMBDA(Index r) { keys[r] = firsts[starts[r]].key; });
  return assemble<Dim>(context, "sparse::transform::from_places", keys, row_count,
                       PlacesRow{firsts, lasts, starts, row_count, count});
}

}  // namespace detail
}  // namespace sparse
