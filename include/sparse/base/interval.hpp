#pragma once
/// Intervals, and the key that orders the rows of a set.

#include <sparse/base/config.hpp>
#include <sparse/base/vec.hpp>

namespace sparse {

/// The cells begin, begin + 1, ..., end - 1 of a row.
struct Interval {
  /// The first coordinate, and one past the last.
  Coord begin, end;
  /// Whether both are equal.
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator==(Interval const& a, Interval const& b) {
    return a.begin == b.begin && a.end == b.end;
  }
};

/// Every coordinate but x in one integer whose order is (z, y) order.
///
/// y in 2D, z * 2^32 + y in 3D. The map is linear: the key of a sum is the sum of the keys, so that moving a row or
/// doubling its coordinates is arithmetic on keys, and the row algorithms need not know the dimension.
using RowKey = std::int64_t;

/// The key of the row of a cell: every coordinate but x, in the order of (z, y).
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr RowKey row_key(Vec<Coord, Dim> const& cell) {
  static_assert(Dim == 2 || Dim == 3);
  RowKey key = cell[1];
  if constexpr (Dim == 3) key += RowKey{cell[2]} * (RowKey{1} << 32);
  return key;
}

/// The cell with first coordinate `x` in the row of `key`.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr Vec<Coord, Dim> cell_at(RowKey key, Coord x) {
  if constexpr (Dim == 2) {
    return {x, static_cast<Coord>(key)};
  } else {
    auto const y = static_cast<Coord>(static_cast<std::uint32_t>(key));
    // (key - y) / 2^32, but without the difference, which overflows for keys that no cell has.
    return {x, y, static_cast<Coord>((key >> 32) + (y < 0))};
  }
}

/// Division by 2 that rounds down for negative numbers too.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T floor_half(T x) {
  return x >> 1;
}

}  // namespace sparse
