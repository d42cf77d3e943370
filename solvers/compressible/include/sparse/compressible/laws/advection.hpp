#pragma once
/// Transport with a constant velocity, and the simulations of it that the library has compiled.

#include <cmath>

#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>

namespace sparse::scalar {

/// du/dt + velocity . grad u = 0. Conserved and primitive variables are the same.
template <class T, int Dim>
struct Advection : amr::LawDefaults<Advection<T, Dim>, T, Dim, 1> {
  /// The value that is carried.
  using State = Vec<T, 1>;

  /// With which it is carried [m/s].
  Vec<T, Dim> velocity{};

  Advection() = default;
  /// Carried with v.
  KOKKOS_FUNCTION explicit Advection(Vec<T, Dim> const& v) : velocity(v) {}

  /// The flux along an axis, and the speed of the wave.
  KOKKOS_FORCEINLINE_FUNCTION State flux(State const& u, int axis) const { return velocity[axis] * u; }
  KOKKOS_FORCEINLINE_FUNCTION T max_speed(State const&, int axis) const { return std::abs(velocity[axis]); }
  /// du/dt of smooth u, with slopes[axis] = du/dx along that axis.
  KOKKOS_FORCEINLINE_FUNCTION State change(State const&, Vec<State, Dim> const& slopes) const {
    State result{};
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) result -= velocity[axis] * slopes[axis];
    return result;
  }
};

}  // namespace sparse::scalar

// A program that uses one of these simulations links the library's (src/simulations) and does not compile its own.
#define SPARSE_ADVECTION(prefix, Dim)                                                                                  \
  prefix template class sparse::amr::Hierarchy<sparse::scalar::Advection<double, Dim>>;                                \
  prefix template class sparse::amr::Simulation<sparse::compressible::Rusanov<sparse::scalar::Advection<double, Dim>>>;
SPARSE_ADVECTION(extern, 2)
SPARSE_ADVECTION(extern, 3)
