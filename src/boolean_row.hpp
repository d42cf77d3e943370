#pragma once
/// Boolean functions of rows, evaluated in one sweep over the ends of their intervals.
///
/// A row of n intervals is 2n increasing ends; x is inside when an odd number of ends is not greater. The ends of the
/// result are those positions at which the function's value changes.

#include <sparse/interval_set.hpp>

#include "count_below.hpp"
#include "row_match.hpp"

namespace sparse::detail {

/// A row as its ends, and how many of them the sweep has passed.
struct Ends {
  Coord const* values = nullptr;
  Index count = 0, next = 0;
  Coord shift = 0;

  KOKKOS_FUNCTION Ends() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Ends(Row const& row)
      : values(reinterpret_cast<Coord const*>(row.first)), count(2 * row.interval_count()), shift(row.shift) {}
  KOKKOS_FORCEINLINE_FUNCTION bool has_more() const { return next < count; }
  KOKKOS_FORCEINLINE_FUNCTION Coord head() const { return values[next] + shift; }
  KOKKOS_FORCEINLINE_FUNCTION unsigned is_inside() const { return next & 1; }
};

/// Takes positions at which the function may change its value, and writes those at which it does.
struct EndWriter {
  Coord* out;
  unsigned was_inside = 0;

  // Written always and kept if needed: which it is cannot be predicted.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Coord x, unsigned inside) {
    *out = x;
    out += inside ^ was_inside;
    was_inside = inside;
  }
};

/// Hands on the ends of one operand until `stop` of them are passed, while the others stay as they are.
KOKKOS_FORCEINLINE_FUNCTION void pass(Ends& ends, Index stop, bool decides, EndWriter& writer) {
  Index const n = stop - ends.next;
  if (decides) {
    Coord const* const from = ends.values + ends.next;
    Coord const shift = ends.shift;
    Coord* const out = writer.out;
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < n; ++i) out[i] = from[i] + shift;
    writer.out += n;
    writer.was_inside ^= n & 1;
  }
  ends.next = stop;
}

/// Both operands have about as many ends: a merge without branches on their values.
KOKKOS_FORCEINLINE_FUNCTION void sweep_pair(Ends& a, Ends& b, TruthTable table, EndWriter& writer) {
  while (a.has_more() && b.has_more()) {
    Coord const x_a = a.head(), x_b = b.head();
    a.next += x_a <= x_b;
    b.next += x_b <= x_a;
    writer(x_a < x_b ? x_a : x_b, value_at(table, a.is_inside() + 2 * b.is_inside()));
  }
}

/// One row of a function of K sets.
template <int K>
struct BooleanRow {
  Sets<K> sets;
  Index const* rows;
  TruthTable table;

  KOKKOS_FORCEINLINE_FUNCTION Row row(Index r, int k) const { return sets.view[k].row(rows[K * r + k]); }

  KOKKOS_FUNCTION Index bound(Index r) const {
    Index n = 1;  // one end is written ahead
    for (int k = 0; k < K; ++k) n += row(r, k).interval_count();
    return n;
  }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Ends ends[K];
    for (int k = 0; k < K; ++k) ends[k] = Ends(row(r, k));
    EndWriter writer{reinterpret_cast<Coord*>(out)};
    if constexpr (K == 2) {
      sweep_pair(ends[0], ends[1], table, writer);
      for (int k = 0; k < 2; ++k) {
        unsigned const others = ends[1 - k].is_inside() << (1 - k);
        pass(ends[k], ends[k].count, value_at(table, others) != value_at(table, others | 1u << k), writer);
      }
    } else {
      sweep_all(ends, writer);
    }
    return reinterpret_cast<Interval*>(writer.out);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void sweep_all(Ends (&ends)[K], EndWriter& writer) const {
    constexpr Coord none = coord_limit + 1;
    Coord head[K];
    for (int k = 0; k < K; ++k) head[k] = ends[k].has_more() ? ends[k].head() : none;
    for (;;) {
      Coord x = head[0];
      for (int k = 1; k < K; ++k) x = head[k] < x ? head[k] : x;
      if (x == none) return;
      unsigned state = 0;
      for (int k = 0; k < K; ++k) {
        ends[k].next += head[k] == x;
        head[k] = ends[k].has_more() ? ends[k].head() : none;
        state |= ends[k].is_inside() << k;
      }
      writer(x, value_at(table, state));
    }
  }
};

}  // namespace sparse::detail
