#pragma once
/// Where fluid comes from.

#include <sparse/incompressible/grid/sample.hpp>

namespace sparse::incompressible::detail {

/// A displacement is short if from anywhere in a deep cell it ends, with the values that are needed there, in reach.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION bool is_short(Vec<T, Dim> const& move) {
  bool result = true;
  SPARSE_UNROLL
  for (int axis = 0; axis < Dim; ++axis)
    result = result && move[axis] > T(-1.5) && move[axis] < T(1.5);  // false for NaN
  return result;
}

/// Goes straight from a place, cell by cell; where a boundary is in the way, along it.
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> walk(GridView<Dim> const& grid, Place<T, Dim> place, Vec<T, Dim> const& move) {
  constexpr int step_limit = 1000;  // nobody comes so far, but loops end
  Vec<T, Dim> from = place.at, to = place.at + move;
  for (int step = 0; step < step_limit; ++step) {
    int axis = -1;
    T first = 0;
    for (int b = 0; b < Dim; ++b) {
      if (!(to[b] < 0 || to[b] > 1)) continue;
      T const when = ((to[b] < 0 ? T(0) : T(1)) - from[b]) / (to[b] - from[b]);
      if (axis >= 0 && !(when < first)) continue;
      axis = b;
      first = when;
    }
    if (axis < 0) break;
    bool const is_upper = to[axis] > 1;
    Index const next = grid.beside(place.position, axis, is_upper);
    if (grid.kind(axis, is_upper ? next : place.position) == FaceKind::open) {
      place.position = next;
      from[axis] -= is_upper ? 1 : -1;
      to[axis] -= is_upper ? 1 : -1;
    } else {
      to[axis] = is_upper ? 1 : 0;
    }
  }
  for (int b = 0; b < Dim; ++b) place.at[b] = to[b] < 0 ? 0 : to[b] > 1 ? 1 : to[b];
  return place;
}

/// A place that fluid at another one comes from, by Runge and Kutta's midpoint rule: straight, with the velocity at
/// half the way. @param steps  time step over spacing; negative to see where fluid goes
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> trace(GridView<Dim> const& grid, FieldView<T const> velocity, Place<T, Dim> const& place,
                                    Vec<T, Dim> const& steps) {
  auto move = velocity_at(grid, velocity, place);
  for (int b = 0; b < Dim; ++b) move[b] *= T(-0.5) * steps[b];
  move = velocity_at(grid, velocity, walk(grid, place, move));
  for (int b = 0; b < Dim; ++b) move[b] *= -steps[b];
  return walk(grid, place, move);
}

/// The middle of a face normal to `axis`, or of a cell for axis Dim, as a place in a cell of the fluid beside it.
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> middle_of(GridView<Dim> const& grid, Index position, int axis) {
  Place<T, Dim> place{position, Vec<T, Dim>::filled(T(0.5))};
  if (axis == Dim) return place;
  place.at[axis] = 0;
  if (grid.is_fluid(position)) return place;
  place.position = grid.beside(position, axis, false);
  place.at[axis] = 1;
  return place;
}

}  // namespace sparse::incompressible::detail
