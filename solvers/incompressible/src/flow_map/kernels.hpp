#pragma once
/// Helpers that the kernels of flow maps share.

#include <sparse/plans/for_each.hpp>

#include "follow.hpp"

namespace sparse::incompressible::detail {

/// Calls `body(std::integral_constant)` with the interpolation as a compile-time constant.
template <class Body>
void with_interpolation(Interpolation interpolation, Body const& body) {
  if (interpolation == Interpolation::linear)
    body(std::integral_constant<Interpolation, Interpolation::linear>());
  else
    body(std::integral_constant<Interpolation, Interpolation::quadratic>());
}

template <class T, int Dim>
Vec<T, Dim> widths_of(StaggeredGrid<Dim> const& grid, double time) {
  Vec<T, Dim> widths;
  for (int b = 0; b < Dim; ++b) widths[b] = static_cast<T>(time / grid.spacing()[b]);
  return widths;
}
/// The spacings over the spacing along `axis`.
template <class T, int Dim>
Vec<T, Dim> spacing_over(StaggeredGrid<Dim> const& grid, int axis) {
  Vec<T, Dim> ratio;
  for (int b = 0; b < Dim; ++b) ratio[b] = static_cast<T>(grid.spacing()[b] / grid.spacing()[axis]);
  return ratio;
}

/// The sum of the second differences around a position in the padded storage. A quadratic spline smooths values by
/// about an eighth of it, anywhere between the values.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T second_differences(PaddedView<Dim> const& view, Index position, T const* values) {
  auto const rows = view.rows_near(position);
  constexpr int z = Dim == 3 ? 1 : 0;
  T const here = values[position];
  T sum = (values[position - 1] - here) + (values[position + 1] - here) + (values[rows.position[z][0]] - here) +
          (values[rows.position[z][2]] - here);
  if constexpr (Dim == 3) sum += (values[rows.position[0][1]] - here) + (values[rows.position[2][1]] - here);
  return sum;
}

template <Interpolation interpolation, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T smoothing_twice(PaddedView<Dim> const& view, Index position, T const* values) {
  return interpolation == Interpolation::quadratic ? T(0.25) * second_differences(view, position, values) : T(0);
}

/// Stores the final place and vector of each traveller at the position where it began.
template <class T, int Dim>
struct Kept {
  Index* position;
  FieldView<T> at, tangent;

  KOKKOS_FORCEINLINE_FUNCTION void store(Index cell, Traveller<T, Dim> const& traveller) const {
    position[cell] = traveller.place.position;
    at.store(cell, traveller.place.at);
    if (tangent.data != nullptr) tangent.store(cell, traveller.tangent);
  }
  KOKKOS_FORCEINLINE_FUNCTION Traveller<T, Dim> load(Index cell) const {
    Traveller<T, Dim> traveller{{position[cell], at.template load<Dim>(cell)}, {}};
    if (tangent.data != nullptr) traveller.tangent = tangent.template load<Dim>(cell);
    return traveller;
  }
};

template <class T, int Dim>
Kept<T, Dim> kept_in(Field<Index, Dim>& position, Field<T, Dim>& at, std::type_identity_t<Field<T, Dim>>* tangent,
                     int number) {
  auto const part = [&](Field<T, Dim>& field) {
    return FieldView<T>{field.component(number * Dim), field.view().stride};
  };
  return {position.component(number), part(at), tangent == nullptr ? FieldView<T>{} : part(*tangent)};
}

/// Clamps a value to the range of the values in the box of 3^Dim around a position in the padded storage.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T limited(PaddedView<Dim> const& view, T const* around, Index position, T value) {
  auto const rows = view.rows_near(position);
  T least = around[position], greatest = least;
  for (int z = 0; z < (Dim == 3 ? 3 : 1); ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = -1; x <= 1; ++x) {
        T const beside = around[rows.position[z][y] + x];
        least = beside < least ? beside : least;
        greatest = beside > greatest ? beside : greatest;
      }
  return value < least ? least : value > greatest ? greatest : value;
}

}  // namespace sparse::incompressible::detail

namespace sparse::incompressible {

template <class T, int Dim>
template <Interpolation interpolation>
detail::Follow<interpolation, T, Dim> FlowMaps<T, Dim>::follow(double time_step) const {
  return {padded_.view(), velocities_.view(), increments_.view(), step_count_,
          detail::widths_of<T>(padded_.grid(), time_step)};
}

}  // namespace sparse::incompressible
