#pragma once
/// How a stage carries ink through a face.

#include <sparse/base/products.hpp>
#include <sparse/fields/field.hpp>

#include "limiter.hpp"

namespace sparse::incompressible::detail {

/// Diffusivity over spacing, by axis.
template <class T, int Dim>
Vec<T, Dim> conductance_of(double diffusivity, Vec<double, Dim> const& spacing) {
  Vec<T, Dim> result;
  for (int b = 0; b < Dim; ++b) result[b] = static_cast<T>(diffusivity / spacing[b]);
  return result;
}

/// A stage: to = of_start start + (1 - of_start) (values - time div(velocity values - diffusivity grad values)).
template <class T, int Dim>
struct InkStage {
  FieldView<T const> velocity, velocity_after;
  T later, of_start;   // part of the velocity after the step; of the start in the result
  Vec<T, Dim> factor;  // time over spacing

  KOKKOS_FORCEINLINE_FUNCTION T speed(int b, Index face) const {
    T const now = velocity(b, face);
    return now + later * (velocity_after(b, face) - now);
  }
  /// @param before  what the value below has more than the one below that, or 0 if that is missing
  /// @param after   what the value beyond the one above has more than that, or 0
  KOKKOS_FORCEINLINE_FUNCTION static T flux(T speed, T below, T above, T before, T after) {
    return speed * carried(speed, below, above, before, after);
  }
  /// The value in it.
  KOKKOS_FORCEINLINE_FUNCTION static T carried(T speed, T below, T above, T before, T after) {
    bool const is_up = speed > 0;
    T const half = T(0.5) * limited_gain(above - below, is_up ? before : after);
    return is_up ? below + half : above - half;
  }
  /// The diffusive part of it.
  /// @param conductance  diffusivity over spacing
  KOKKOS_FORCEINLINE_FUNCTION static T diffusive_flux(T conductance, T below, T above) {
    return conductance * (below - above);
  }
  KOKKOS_FORCEINLINE_FUNCTION T result(T start, T after) const {
    return sum_of_products(of_start, start, 1 - of_start, after);
  }
};

}  // namespace sparse::incompressible::detail
