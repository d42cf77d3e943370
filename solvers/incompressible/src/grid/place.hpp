#pragma once
/// Places between faces and cells: the values around them, and moves from one place to another.

#include "body.hpp"

namespace sparse::incompressible {

/// A point of the fluid: the position of its cell in storage, and its coordinates in the cell, from 0 to 1 on each
/// axis.
template <class T, int Dim>
struct Place {
  Index position;
  Vec<T, Dim> at;
};

/// 2^Dim values around a point. Bit a of a value's number is 1 for the second value along axis a.
template <class T, int Dim>
struct Corners {
  T value[1 << Dim];
  Vec<T, Dim> share;  ///< weights of the second values, 0 to 1

  /// The multilinear mean. If all corners agree, it is exactly their value.
  KOKKOS_FORCEINLINE_FUNCTION T mean() const {
    T v[1 << Dim];
    SPARSE_UNROLL
    for (int i = 0; i < 1 << Dim; ++i) v[i] = value[i];
    SPARSE_UNROLL
    for (int axis = Dim - 1; axis >= 0; --axis) {
      SPARSE_UNROLL
      for (int i = 0; i < 1 << axis; ++i) v[i] += share[axis] * (v[i + (1 << axis)] - v[i]);
    }
    return v[0];
  }
  KOKKOS_FORCEINLINE_FUNCTION T least() const {
    T result = value[0];
    SPARSE_UNROLL
    for (int i = 1; i < 1 << Dim; ++i) result = value[i] < result ? value[i] : result;
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION T greatest() const {
    T result = value[0];
    SPARSE_UNROLL
    for (int i = 1; i < 1 << Dim; ++i) result = value[i] > result ? value[i] : result;
    return result;
  }
};

namespace detail {

/// The values around a place of component `component` of velocity, or of cells for component Dim. `values` has only
/// this component.
///
/// Along its own axis a component has values on both sides of the cell. Along the other axes, the second value is that
/// of the nearer neighbouring face. If a wall lies between, the mirror image in the wall stands in. The mirror image of
/// a cell value is that value.
template <class T, int Dim>
KOKKOS_FUNCTION Corners<T, Dim> corners_at(GridView<Dim> const& grid, T const* values, int component,
                                           Place<T, Dim> const& place) {
  Corners<T, Dim> corners{};
  bool is_upper[Dim];  // whether the second corner along an axis lies above the first
  Mirror mirror[Dim];
  int walls = 0;  // bit b: a boundary face lies between the values along axis b
  for (int b = 0; b < Dim; ++b) {
    is_upper[b] = true;
    corners.share[b] = place.at[b];
    if (b == component) continue;
    T const from_middle = place.at[b] - T(0.5);
    is_upper[b] = from_middle >= 0;
    corners.share[b] = is_upper[b] ? from_middle : -from_middle;
    int const kind = grid.kind(b, is_upper[b] ? grid.beside(place.position, b, true) : place.position);
    if (kind < FaceKind::boundary) continue;
    walls |= 1 << b;
    mirror[b] = component < Dim ? mirror_of(grid.condition(kind), component) : Mirror{1, 0};
  }
  int const own = component < Dim ? 1 << component : 0;
  Index position[1 << Dim] = {place.position};
  corners.value[0] = values[place.position];
  for (int corner = 1; corner < 1 << Dim; ++corner) {
    position[corner] = -1;  // unless a corner beside it has one
    for (int b = 0; b < Dim && position[corner] < 0; ++b) {
      Index const before = (corner >> b) & 1 ? position[corner & ~(1 << b)] : -1;
      if (before >= 0) position[corner] = grid.beside(before, b, is_upper[b]);
    }
    int const across = corner & ~own, behind_walls = across & walls;
    if (grid.kind(component, position[corner]) != FaceKind::absent) {
      corners.value[corner] = values[position[corner]];
    } else if (behind_walls != 0) {
      T value = corners.value[corner & ~behind_walls];
      for (int b = 0; b < Dim; ++b)
        if ((behind_walls >> b) & 1) value = static_cast<T>(mirror[b].slope) * value + static_cast<T>(mirror[b].offset);
      corners.value[corner] = value;
    } else {  // only this corner is missing: take the mean of the corners beside it
      T sum = 0;
      int count = 0;
      for (int b = 0; b < Dim; ++b)
        if ((across >> b) & 1) {
          sum += corners.value[corner & ~(1 << b)];
          ++count;
        }
      corners.value[corner] = sum / static_cast<T>(count);
    }
  }
  return corners;
}

template <class T, int Dim>
KOKKOS_FUNCTION Vec<T, Dim> velocity_at(GridView<Dim> const& grid, FieldView<T const> velocity,
                                        Place<T, Dim> const& place) {
  Vec<T, Dim> result;
  for (int a = 0; a < Dim; ++a) result[a] = corners_at(grid, velocity.data + a * velocity.stride, a, place).mean();
  return result;
}

/// The centre of a face normal to `axis`, or of a cell for axis Dim, as a place in a fluid cell beside it.
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

/// Moves a place straight, cell by cell. It slides along boundaries that are in the way.
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> walk(GridView<Dim> const& grid, Place<T, Dim> place, Vec<T, Dim> const& move) {
  constexpr int step_limit = 1000;  // never reached; makes sure that the loop ends
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

}  // namespace detail
}  // namespace sparse::incompressible
