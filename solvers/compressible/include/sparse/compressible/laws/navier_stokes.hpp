#pragma once
/// The compressible Navier-Stokes equations.

#include <sparse/compressible/laws/euler.hpp>

namespace sparse::compressible {

/// The Euler equations with friction and conduction of heat, both constant: du/dt + div f = div d. Stokes' hypothesis.
/// Source: Toro (2009), section 1.4.
template <class T, int Dim>
struct NavierStokes : Euler<T, Dim> {
  using typename Euler<T, Dim>::State;
  using Euler<T, Dim>::density, Euler<T, Dim>::velocity, Euler<T, Dim>::pressure_index, Euler<T, Dim>::momentum,
      Euler<T, Dim>::energy, Euler<T, Dim>::gamma;

  T viscosity = 0;      ///< dynamic, >= 0 [pressure time]
  T prandtl = T(0.71);  ///< viscosity times specific heat at constant pressure over conductivity, > 0

  /// d through a face normal to `axis`: viscous stress, its work, and heat. Flux of u is `flux - diffusive_flux`.
  /// @param w          state at the face
  /// @param gradients  gradients[axis] = dw/dx along that axis, there [w / length]
  KOKKOS_FORCEINLINE_FUNCTION State diffusive_flux(State const& w, Vec<State, Dim> const& gradients, int axis) const {
    T divergence = 0;
    SPARSE_UNROLL
    for (int other = 0; other < Dim; ++other) divergence += gradients[other][velocity + other];
    State d{};
    SPARSE_UNROLL
    for (int other = 0; other < Dim; ++other) {
      T const strain = gradients[axis][velocity + other] + gradients[other][velocity + axis];
      d[momentum + other] = viscosity * (strain - (other == axis ? T(2) / 3 * divergence : T(0)));
      d[energy] += w[velocity + other] * d[momentum + other];
    }
    // Heat: conductivity times dT/dx, with the gas constant in both cancelled; p / rho is the gas constant times T.
    T const volume = 1 / w[density];
    T const warming =
        volume * (gradients[axis][pressure_index] - volume * w[pressure_index] * gradients[axis][density]);
    d[energy] += viscosity / prandtl * (gamma / (gamma - 1)) * warming;
    return d;
  }
  /// The greatest of the diffusivities of momentum and heat [length^2 / time]: an explicit step dt is stable for
  /// 2 dt diffusivity sum over the axes of 1 / dx^2 <= 1.
  KOKKOS_FORCEINLINE_FUNCTION T diffusivity(State const& w) const {
    T const of_momentum = T(4) / 3, of_heat = gamma / prandtl;
    return (of_momentum > of_heat ? of_momentum : of_heat) * viscosity / w[density];
  }
};

}  // namespace sparse::compressible
