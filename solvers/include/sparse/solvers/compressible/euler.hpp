#pragma once
/// The Euler equations of an ideal gas.

#include <cmath>

#include <sparse/vec.hpp>

namespace sparse::compressible {

/// A conservation law dU/dt + div F(U) = 0 with U = (density, momentum, total energy), all per volume.
///
/// A law has `component_count`, `State`, `flux`, `max_speed` and `mirrored`; the integrators in `amr/` need no more.
template <class T, int Dim>
struct Euler {
  using Scalar = T;
  static constexpr int dimension = Dim;
  static constexpr int component_count = Dim + 2;
  static constexpr int density = 0, momentum = 1, energy = Dim + 1;  ///< first components
  using State = Vec<T, component_count>;

  T gamma = T(1.4);  ///< ratio of specific heats, > 1

  KOKKOS_FORCEINLINE_FUNCTION T pressure(State const& u) const {
    T square = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) square += u[momentum + axis] * u[momentum + axis];
    return (gamma - 1) * (u[energy] - T(0.5) * square / u[density]);
  }
  KOKKOS_FORCEINLINE_FUNCTION T sound_speed(State const& u) const {
    return std::sqrt(gamma * pressure(u) / u[density]);
  }

  /// Flux through a face normal to `axis`.
  KOKKOS_FORCEINLINE_FUNCTION State flux(State const& u, int axis) const {
    T const p = pressure(u), velocity = u[momentum + axis] / u[density];
    State f = velocity * u;
    f[momentum + axis] += p;
    f[energy] += velocity * p;
    return f;
  }
  /// Speed of the fastest wave along `axis`; NaN where density or pressure is negative.
  KOKKOS_FORCEINLINE_FUNCTION T max_speed(State const& u, int axis) const {
    T const velocity = u[momentum + axis] / u[density];
    return std::abs(velocity) + sound_speed(u);
  }
  /// The state with its momentum along `axis` multiplied by `normal`: -1 gives what lies behind a slip wall, 1 the
  /// state itself. (A factor and not a branch, so that loops over cells with and without walls vectorise.)
  KOKKOS_FORCEINLINE_FUNCTION State mirrored(State u, int axis, T normal) const {
    u[momentum + axis] *= normal;
    return u;
  }

  /// The state with a density, a velocity and a pressure.
  KOKKOS_FORCEINLINE_FUNCTION State conserved(T rho, Vec<T, Dim> const& velocity, T p) const {
    State u;
    u[density] = rho;
    T square = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      u[momentum + axis] = rho * velocity[axis];
      square += velocity[axis] * velocity[axis];
    }
    u[energy] = p / (gamma - 1) + T(0.5) * rho * square;
    return u;
  }
};

}  // namespace sparse::compressible
