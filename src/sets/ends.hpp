#pragma once
/// Rows as the ends of their intervals, the form in which they are combined.
///
/// A row of n intervals is 2n increasing ends. x is inside when an odd number of ends is less than or equal to x. The
/// ends of a function of rows are the positions at which its value changes.

#include <sparse/sets/interval_set.hpp>

namespace sparse::detail {

/// A row as its ends, with the number of ends that the sweep has passed.
struct Ends {
  Coord const* values = nullptr;
  Index count = 0, next = 0;
  Coord shift = 0;
  Index readable = 0;  ///< values from `values` to the end of their array

  Ends() = default;
  KOKKOS_FORCEINLINE_FUNCTION Ends(Row const& row, SetView const& set)
      : values(reinterpret_cast<Coord const*>(row.first)), count(2 * row.interval_count()), shift(row.shift),
        readable(2 * (set.intervals + set.interval_count - row.first)) {}
  KOKKOS_FORCEINLINE_FUNCTION Ends(Coord const* begin, Coord const* end, Index readable_count)
      : values(begin), count(end - begin), readable(readable_count) {}
  KOKKOS_FORCEINLINE_FUNCTION bool has_more() const { return next < count; }
  KOKKOS_FORCEINLINE_FUNCTION Coord head() const { return values[next] + shift; }
  KOKKOS_FORCEINLINE_FUNCTION unsigned is_inside() const { return next & 1; }
};

/// Takes positions at which the function may change its value. Writes those at which it changes.
struct EndWriter {
  Coord* out;
  unsigned was_inside = 0;

  // Always writes, but advances only if the end is needed: a branch could not be predicted.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Coord x, unsigned inside) {
    *out = x;
    out += inside ^ was_inside;
    was_inside = inside;
  }
};

/// Passes the ends of one operand up to index `stop`, while the other operands do not change.
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

}  // namespace sparse::detail
