#include <sparse/sets/assemble.hpp>
#include <sparse/sets/components.hpp>

#include "interval_forest.hpp"

namespace sparse {
namespace {

/// The gaps of a group of rows, as intervals: before, between and behind the intervals of a row. A row has one gap more
/// than intervals. The gaps of row r are numbered from `row_ptr[r] + r` on.
struct GapsOfRows {
  static constexpr Index length = has_many_threads ? 1 : 256;
  SetView set;
  detail::EarlierRows earlier;
  Index* row_ptr;
  Interval* gaps;
  Index* parents;

  KOKKOS_FUNCTION void operator()(Index c) const {
    Index const end = (c + 1) * length < set.row_count ? (c + 1) * length : set.row_count;
    detail::RowCursor before[4], behind[4];
    for (Index r = c * length; r < end; ++r) {
      // A row that is missing in the set is outside as a whole. So the gaps of rows beside it are outside, too.
      bool is_open = false;
      for (int k = 0; k < earlier.count; ++k)
        is_open = is_open || lacks(before[k], set.key(r) + earlier.offset[k]) ||
                  lacks(behind[k], set.key(r) - earlier.offset[k]);
      fill(r, is_open);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool lacks(detail::RowCursor& cursor, RowKey key) const {
    Index const r = cursor.seek(set, key);
    return r == set.row_count || set.key(r) != key;
  }

  KOKKOS_FORCEINLINE_FUNCTION void fill(Index r, bool is_open) const {
    Index const first = set.row_ptr[r] + r, last = set.row_ptr[r + 1] + r;
    row_ptr[r] = first;
    if (r + 1 == set.row_count) row_ptr[r + 1] = last + 1;
    for (Index g = first; g <= last; ++g) {
      gaps[g] = {g == first ? -coord_limit - 1 : set.intervals[g - r - 1].end,
                 g == last ? coord_limit + 1 : set.intervals[g - r].begin};
      // Gap 0 is outside and has the least index. It is the root of all outside gaps.
      parents[g] = is_open || g == first || g == last ? 0 : g;
    }
  }
};

struct FilledRow {
  SetView set;
  Index const* parents;
  Index capacity() const { return set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[r + 1] - set.row_ptr[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Index i = set.row_ptr[r];
    Interval open = set.intervals[i];
    for (++i; i < set.row_ptr[r + 1]; ++i) {
      if (parents[i + r] == 0) {
        *out++ = open;
        open.begin = set.intervals[i].begin;
      }
      open.end = set.intervals[i].end;
    }
    *out++ = open;
    return out;
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> fill_holes(IntervalSet<Dim> const& set, Neighbours neighbours) {
  if (set.is_empty()) return set;
  Context const context = set.context();
  SetView const view = set.rows();
  Index const gap_count = view.interval_count + view.row_count;
  Buffer<Index> const row_ptr(context, view.row_count + 1), parents(context, gap_count);
  Buffer<Interval> const gaps(context, gap_count);
  parallel_for(context, "sparse::components::gaps", (view.row_count + GapsOfRows::length - 1) / GapsOfRows::length,
               GapsOfRows{view, detail::earlier_rows<Dim>(neighbours), row_ptr.data(), gaps.data(), parents.data()});
  SetView gap_view = view;
  gap_view.row_ptr = row_ptr.data();
  gap_view.intervals = gaps.data();
  gap_view.interval_count = gap_count;
  detail::Forest const forest{parents.data()};
  detail::join_intervals<Dim>(context, gap_view, neighbours, forest);
  detail::flatten(context, forest, gap_count);
  return assemble<Dim>(context, "sparse::components::fill", view.row_keys, view.row_count,
                       FilledRow{view, parents.data()});
}

template IntervalSet<2> fill_holes(IntervalSet<2> const&, Neighbours);
template IntervalSet<3> fill_holes(IntervalSet<3> const&, Neighbours);

}  // namespace sparse
