#pragma once
/// The first-order finite-volume update of one level.

#include <sparse/field.hpp>
#include <sparse/for_each.hpp>
#include <sparse/stencil.hpp>

namespace sparse::amr {

/// The state beyond a face: the neighbour's, or the cell's own mirrored at the wall where there is no neighbour.
template <class Flux, class Point>
KOKKOS_FORCEINLINE_FUNCTION typename Flux::State
state_beyond(Flux const& flux, FieldView<typename Flux::Scalar const> const& u, Point const& p, int arm) {
  using T = typename Flux::Scalar;
  auto const state = u.template load<Flux::Law::component_count>(p.neighbour(arm));
  return flux.law.mirrored(state, arm / 2, p.has_neighbour(arm) ? T(1) : T(-1));
}

template <class Flux, int Dim>
struct GodunovUpdate {
  using T = typename Flux::Scalar;
  using State = typename Flux::State;
  Flux flux;
  FieldView<T const> old;
  FieldView<T> next;
  Vec<T, Dim> dt_over_dx;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<Dim> const& p) const {
    State const u = old.template load<Flux::Law::component_count>(p.cell);
    State value = u;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      State const below = state_beyond(flux, old, p, 2 * axis), above = state_beyond(flux, old, p, 2 * axis + 1);
      value += dt_over_dx[axis] * (flux(below, u, axis) - flux(u, above, axis));
    }
    next.store(p.cell, value);
  }
};

/// next = old - dt div F for the cells of the plan, each face's flux from the states on its two sides.
///
/// A neighbour that is not in the fields' domain is a wall: it lets through what `Law::mirrored` gives.
/// Cost: every cell is read once from memory (neighbours come from cache) and written once.
template <class Flux, int Dim>
void godunov_update(Flux const& flux, Stencil<Dim> const& cells, FieldView<typename Flux::Scalar const> old,
                    FieldView<typename Flux::Scalar> next, Vec<typename Flux::Scalar, Dim> const& dt_over_dx) {
  for_each("sparse::amr::godunov", cells, GodunovUpdate<Flux, Dim>{flux, old, next, dt_over_dx});
}

}  // namespace sparse::amr
