#pragma once
/// Where to refine.

#include <sparse/field.hpp>
#include <sparse/for_each.hpp>
#include <sparse/select.hpp>
#include <sparse/stencil.hpp>

namespace sparse::amr {

/// The cells where |grad q| dx / |q| > bound for a component q of the state, by central differences over two cell
/// widths: the relative change of q from one cell to the next.
/// @param cells    the cells to ask
/// @param storage  the domain of `state`; contains the cells' face neighbours where they exist
template <class T, int Dim>
IntervalSet<Dim> relative_gradient_above(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage,
                                         FieldView<T const> state, int component, T bound) {
  Field<T, Dim> indicator("relative gradient", storage);
  FieldView<T> const value = indicator.view();
  parallel_for(
      storage.context(), "sparse::amr::clear_indicator", storage.cell_count(),
      KOKKOS_LAMBDA(Index i) { value(i) = 0; });
  for_each(
      "sparse::amr::relative_gradient", Stencil<Dim>(cells, storage), KOKKOS_LAMBDA(StencilPoint<Dim> const& p) {
        T square = 0;
        for (int axis = 0; axis < Dim; ++axis) {
          T const difference = state(component, p.neighbour(2 * axis + 1)) - state(component, p.neighbour(2 * axis));
          square += difference * difference;
        }
        value(p.cell) = T(0.5) * std::sqrt(square) / std::abs(state(component, p.cell));
      });
  return threshold(indicator, bound);
}

}  // namespace sparse::amr
