#pragma once
/// How kernels follow places and vectors through the steps of a flow map.

#include "grid/place.hpp"
#include "maps.hpp"

namespace sparse::incompressible::detail {

/// The place after a move, in cells. The way is straight if all cells on it must be fluid. Otherwise it slides along
/// boundaries.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Place<T, Dim> moved(PaddedView<Dim> const& view, Place<T, Dim> const& from,
                                                Vec<T, Dim> const& move) {
  T const room = static_cast<T>(view.room[from.position]) - T(0.01);  // rounding must not lead into the next cell
  bool is_inside = true;
  SPARSE_UNROLL
  for (int b = 0; b < Dim; ++b) is_inside = is_inside && move[b] < room && move[b] > -room;  // false for NaN
  if (!is_inside) {
    auto to = walk(view.grid, Place<T, Dim>{view.stored[from.position], from.at}, move);
    to.position = view.padded[to.position];
    return to;
  }
  Place<T, Dim> to;
  Vec<int, Dim> cells;
  SPARSE_UNROLL
  for (int b = 0; b < Dim; ++b) {
    T const at = from.at[b] + move[b], base = std::floor(at);
    cells[b] = static_cast<int>(base);
    to.at[b] = at - base;
  }
  to.position = view.beside(from.position, cells);
  return to;
}

/// The axis normal to the inflow or outflow on which a place lies, or -1.
template <class T, int Dim>
KOKKOS_FUNCTION int open_end_at(PaddedView<Dim> const& view, Place<T, Dim> const& place) {
  for (int b = 0; b < Dim; ++b) {
    if (place.at[b] > 0 && place.at[b] < 1) continue;
    Index const here = view.stored[place.position];
    int const kind = view.grid.kind(b, place.at[b] > 0 ? view.grid.beside(here, b, true) : here);
    if (kind < FaceKind::boundary) continue;
    BoundaryKind const boundary = view.grid.condition(kind).kind;
    if (boundary == BoundaryKind::inflow || boundary == BoundaryKind::outflow) return b;
  }
  return -1;
}

/// The centre of a face or a cell, in the padded storage. @param position  in the grid's storage
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Place<T, Dim> padded_middle_of(PaddedView<Dim> const& view, Index position, int axis) {
  auto place = middle_of<T>(view.grid, position, axis);
  place.position = view.padded[place.position];
  return place;
}

/// A place that is followed, with a vector.
template <class T, int Dim>
struct Traveller {
  Place<T, Dim> place;
  Vec<T, Dim> tangent;  // in cell widths
  int left_along = -1;  // the axis along which it has left through an inflow or an outflow
};

/// Follows a place through steps of equal length. A place that leaves through an inflow or outflow stays on it. Its
/// vector goes on as if the velocity there continued unchanged beyond. So a parallel flow keeps the vorticity of its
/// inflow.
///
/// Velocities and increments have Dim components for each step.
template <Interpolation interpolation, class T, int Dim>
struct Follow {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  FieldView<T const> velocities, increments;
  int step_count;
  Vec<T, Dim> widths;  // time step over spacing

  KOKKOS_FORCEINLINE_FUNCTION static FieldView<T const> of_step(FieldView<T const> const& all, int step) {
    return {all.data + step * Dim * all.stride, all.stride};
  }

  /// One step of the classical Runge-Kutta method (RK4). `middle` gets the traveller at half the step.
  template <bool has_tangent>
  KOKKOS_FORCEINLINE_FUNCTION void step(int number, T sign, Traveller<T, Dim>& traveller,
                                        Traveller<T, Dim>& middle) const {
    auto const velocity = of_step(velocities, number);
    Traveller<T, Dim> stage = traveller;
    Vec<T, Dim> move{}, turn{};
    int const out = traveller.left_along;
    for (int k = 0; k < 4; ++k) {
      Point const point(view, stage.place);
      Vec<T, Dim> speed, change, direction = stage.tangent;
      if (out >= 0) direction[out] = 0;  // beyond an inflow or outflow, nothing changes along the normal
      SPARSE_UNROLL
      for (int a = 0; a < Dim; ++a) {
        T const* const values = velocity.data + a * velocity.stride;
        T const factor = sign * widths[a];
        if constexpr (has_tangent) {
          auto const found = point.value_and_change(values, a, direction);
          speed[a] = factor * found.value;
          change[a] = factor * found.change;
        } else {
          speed[a] = factor * point.value(values, a);
          change[a] = 0;
        }
      }
      if (out >= 0) speed[out] = 0;
      T const weight = k == 0 || k == 3 ? T(1) / 6 : T(1) / 3, reach = k == 2 ? T(1) : T(0.5);
      move += weight * speed;
      turn += weight * change;
      if (k == 3) break;
      stage.place = moved(view, traveller.place, reach * speed);
      stage.tangent = traveller.tangent + reach * change;
      if (k == 1) middle = stage;
    }
    traveller.place = moved(view, traveller.place, move);
    traveller.tangent += turn;
    if (out < 0) traveller.left_along = open_end_at(view, traveller.place);
  }

  /// Follows a place through all steps, without its vector.
  KOKKOS_FORCEINLINE_FUNCTION Traveller<T, Dim> travelled(Traveller<T, Dim> traveller, bool is_backward) const {
    auto middle = traveller;
    for (int i = 0; i < step_count; ++i)
      step<false>(is_backward ? step_count - 1 - i : i, is_backward ? T(-1) : T(1), traveller, middle);
    return traveller;
  }
  template <bool has_tangent>
  KOKKOS_FORCEINLINE_FUNCTION Traveller<T, Dim> forward(Traveller<T, Dim> traveller) const {
    auto middle = traveller;
    for (int i = 0; i < step_count; ++i) step<has_tangent>(i, 1, traveller, middle);
    return traveller;
  }
  /// @param gained  adds up the dot products of all increments with the vector, if there are increments
  template <bool has_tangent>
  KOKKOS_FORCEINLINE_FUNCTION Traveller<T, Dim> backward(Traveller<T, Dim> traveller, Vec<T, Dim> const& spacing,
                                                         T& gained) const {
    auto middle = traveller;
    for (int i = step_count - 1; i >= 0; --i) {
      step<has_tangent>(i, -1, traveller, middle);
      if (increments.data != nullptr) gained += along(middle, of_step(increments, i), spacing);
    }
    return traveller;
  }
  /// The dot product of a velocity at a place with the vector there.
  KOKKOS_FORCEINLINE_FUNCTION T along(Traveller<T, Dim> const& traveller, FieldView<T const> const& velocity,
                                      Vec<T, Dim> const& spacing) const {
    Point const point(view, traveller.place);
    T sum = 0;
    SPARSE_UNROLL
    for (int a = 0; a < Dim; ++a)
      sum += spacing[a] * traveller.tangent[a] * point.value(velocity.data + a * velocity.stride, a);
    return sum;
  }
};

}  // namespace sparse::incompressible::detail
