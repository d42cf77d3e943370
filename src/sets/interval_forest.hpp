#pragma once
/// Union-find over the intervals of a set. It joins intervals that touch.

#include <sparse/base/parallel.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse {
namespace detail {

/// Each interval points to an interval with a smaller index; a root points to itself. So the root is the first interval
/// of its component, in whatever order threads work.
///
/// Threads read and halve paths while others link roots. A pointer only ever moves to another ancestor, and an old
/// value is an ancestor, too. So these accesses need no order, but must not be split (volatile). Links are
/// compare-and-swaps of roots.
struct Forest {
  Index* parents;

  KOKKOS_FORCEINLINE_FUNCTION Index volatile& parent(Index i) const { return parents[i]; }

  KOKKOS_FORCEINLINE_FUNCTION Index root(Index i) const {
    Index up = parent(i);
    while (up != i) {
      Index const next = parent(up);
      if (next == up) return up;
      parent(i) = next;
      i = next;
      up = parent(i);
    }
    return i;
  }

  KOKKOS_FORCEINLINE_FUNCTION void join(Index a, Index b) const {
    a = root(a);
    b = root(b);
    while (a != b) {
      Index const low = a < b ? a : b, high = a < b ? b : a;
      Index const seen = Kokkos::atomic_compare_exchange(parents + high, high, low);
      if (seen == high) return;
      a = root(seen);  // another thread linked one of them first
      b = root(low);
    }
  }
};

/// The rows that touch a row and come before it in storage order. `reach` is the gap along x at which intervals of
/// these rows still touch.
struct EarlierRows {
  RowKey offset[4];
  Coord reach[4];
  int count = 0;
};

/// Of two rows that touch, one is before the other. So it suffices to look back.
template <int Dim>
EarlierRows earlier_rows(Neighbours neighbours) {
  EarlierRows rows;
  for (Coord z = Dim == 3 ? -1 : 0; z <= 0; ++z)
    for (Coord y = -1; y <= (z < 0 ? 1 : -1); ++y) {
      int const steps = (y != 0) + (z != 0);
      if (steps > static_cast<int>(neighbours)) continue;
      Vec<Coord, Dim> offset{0, y};
      if (Dim == 3) offset[Dim - 1] = z;
      rows.offset[rows.count] = row_key(offset);
      rows.reach[rows.count++] = steps < static_cast<int>(neighbours) ? 1 : 0;
    }
  return rows;
}

/// Joins the intervals of group c with the intervals of earlier rows that they touch. Groups have equal numbers of
/// intervals, so that long and short rows make equal work.
struct JoinStretch {
  static constexpr Index length = has_many_threads ? 16 : 1024;
  SetView set;
  EarlierRows earlier;
  Forest forest;

  KOKKOS_FUNCTION void operator()(Index c) const {
    Index const begin = c * length, end = begin + length < set.interval_count ? begin + length : set.interval_count;
    RowCursor cursors[4];
    for (Index r = last_at_most(set.row_ptr, set.row_count, begin); r < set.row_count && set.row_ptr[r] < end; ++r) {
      Index const first = set.row_ptr[r] > begin ? set.row_ptr[r] : begin;
      Index const last = set.row_ptr[r + 1] < end ? set.row_ptr[r + 1] : end;
      for (int k = 0; k < earlier.count; ++k) {
        RowKey const wanted = set.key(r) + earlier.offset[k];
        Index const q = cursors[k].seek(set, wanted);
        if (q < set.row_count && set.key(q) == wanted) sweep(first, last, q, earlier.reach[k]);
      }
    }
  }

  /// Joins the intervals i, ..., i_end - 1 with those of row q.
  KOKKOS_FORCEINLINE_FUNCTION void sweep(Index i, Index i_end, Index q, Coord reach) const {
    Index j = first_that_ends_after(q, set.intervals[i].begin - reach);
    Index const j_end = set.row_ptr[q + 1];
    while (i < i_end && j < j_end) {
      Interval const a = set.intervals[i], b = set.intervals[j];
      if (a.begin < b.end + reach && b.begin < a.end + reach) forest.join(i, j);
      // Gaps are at least one cell wide. So the interval that ends first touches nothing further on.
      if (a.end < b.end)
        ++i;
      else
        ++j;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Index first_that_ends_after(Index q, Coord x) const {
    Index low = set.row_ptr[q], high = set.row_ptr[q + 1];
    if (set.intervals[low].end > x) return low;
    while (low < high) {
      Index const middle = low + (high - low) / 2;
      if (set.intervals[middle].end <= x)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

/// Joins all intervals of a set that touch.
template <int Dim>
void join_intervals(Context const& context, SetView const& set, Neighbours neighbours, Forest const& forest) {
  parallel_for(context, "sparse::components::join",
               (set.interval_count + JoinStretch::length - 1) / JoinStretch::length,
               JoinStretch{set, earlier_rows<Dim>(neighbours), forest});
}

/// Makes each interval point to its root.
inline void flatten(Context const& context, Forest const& forest, Index count) {
  parallel_for(
      context, "sparse::components::flatten", count, KOKKOS_LAMBDA(Index i) { forest.parents[i] = forest.root(i); });
}

}  // namespace detail
}  // namespace sparse
