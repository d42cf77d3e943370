#pragma once
/// The points that fluid comes from.

#include <cmath>

#include "grid/place.hpp"

namespace sparse::incompressible::detail {

/// The point that fluid comes from, by the midpoint rule: a straight move with the velocity at half the way.
/// @param steps  time step over spacing; negative to find where fluid goes
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> trace(GridView<Dim> const& grid, FieldView<T const> velocity, Place<T, Dim> const& place,
                                    Vec<T, Dim> const& steps) {
  auto move = velocity_at(grid, velocity, place);
  for (int b = 0; b < Dim; ++b) move[b] *= T(-0.5) * steps[b];
  move = velocity_at(grid, velocity, walk(grid, place, move));
  for (int b = 0; b < Dim; ++b) move[b] *= -steps[b];
  return walk(grid, place, move);
}

/// Whether a displacement from anywhere in a deep cell ends where the deep plan has all values around.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION bool is_short(Vec<T, Dim> const& move) {
  bool result = true;
  SPARSE_UNROLL
  for (int axis = 0; axis < Dim; ++axis)
    result = result && move[axis] > T(-1.5) && move[axis] < T(1.5);  // false for NaN
  return result;
}

/// Values at places near a deep cell, at constant distances in memory.
template <class T, int Dim>
struct DeepPoint {
  using Rows = Reach<Dim>;
  RunPoint<Dim, 1 + Rows::rows> const& point;

  /// @param at  position relative to the lower corner of the cell, in cells; between -3/2 and 5/2
  KOKKOS_FORCEINLINE_FUNCTION Corners<T, Dim> corners_at(T const* values, int component, Vec<T, Dim> const& at) const {
    Corners<T, Dim> corners;
    int first[Dim];
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const x = b == component ? at[b] : at[b] - T(0.5), base = std::floor(x);
      corners.share[b] = x - base;
      first[b] = static_cast<int>(base);
    }
    int row = 1 + Rows::size + first[1];
    if constexpr (Dim == 3) row += Rows::width * (Rows::size + first[2]);
    SPARSE_UNROLL
    for (int corner = 0; corner < 1 << Dim; ++corner) {
      int const up = ((corner >> 1) & 1) + (Dim == 3 ? Rows::width * ((corner >> 2) & 1) : 0);
      corners.value[corner] = values[point.operand(row + up) + first[0] + (corner & 1)];
    }
    return corners;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec<T, Dim> velocity_at(FieldView<T const> velocity, Vec<T, Dim> const& at) const {
    Vec<T, Dim> result;
    SPARSE_UNROLL
    for (int a = 0; a < Dim; ++a) result[a] = corners_at(velocity.data + a * velocity.stride, a, at).mean();
    return result;
  }
};

}  // namespace sparse::incompressible::detail
