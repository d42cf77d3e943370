#pragma once
/// Burgers' equation.

#include <cmath>

#include <sparse/amr/law.hpp>

namespace sparse::scalar {

/// du/dt + sum over the axes of d(u^2 / 2)/dx = 0, without viscosity: the simplest law with shocks.
template <class T, int Dim>
struct Burgers : amr::LawDefaults<Burgers<T, Dim>, T, Dim, 1> {
  /// The velocity.
  using State = Vec<T, 1>;

  /// u^2 / 2 along every axis, and the speed of the wave.
  KOKKOS_FORCEINLINE_FUNCTION State flux(State const& u, int) const { return {T(0.5) * u[0] * u[0]}; }
  KOKKOS_FORCEINLINE_FUNCTION T max_speed(State const& u, int) const { return std::abs(u[0]); }
  /// du/dt of smooth u, with slopes[axis] = du/dx along that axis.
  KOKKOS_FORCEINLINE_FUNCTION State change(State const& u, Vec<State, Dim> const& slopes) const {
    State result{};
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) result -= u[0] * slopes[axis];
    return result;
  }
};

}  // namespace sparse::scalar
