#pragma once
/// The Euler equations of an ideal gas.

#include <cmath>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/vec.hpp>

namespace sparse::compressible {

/// A conservation law du/dt + div f = 0 with u = (density, momentum, total energy), all per volume.
///
/// Its primitive variables are w = (density, velocity, pressure). All members take w unless they say u. So a state is
/// converted once, and the fluxes of its faces need no division. Any consistent units will do.
/// Source: Toro (2009), chapter 3.
template <class T, int Dim>
struct Euler {
  /// The type of numbers.
  using Scalar = T;
  /// Axes, and components of a state.
  static constexpr int dimension = Dim;
  static constexpr int component_count = Dim + 2;
  static constexpr int density = 0, momentum = 1, energy = Dim + 1;  ///< first components in u
  static constexpr int velocity = 1, pressure_index = Dim + 1;       ///< first components in w; density is the same
  /// Density, velocity or momentum along each axis, pressure or energy.
  using State = Vec<T, component_count>;

  T gamma = T(1.4);  ///< ratio of specific heats, > 1

  /// w of u. One division.
  KOKKOS_FORCEINLINE_FUNCTION State primitive(State const& u) const {
    T const volume = 1 / u[density];
    State w;
    w[density] = u[density];
    T kinetic = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      w[velocity + axis] = u[momentum + axis] * volume;
      kinetic += T(0.5) * u[momentum + axis] * w[velocity + axis];
    }
    w[pressure_index] = (gamma - 1) * (u[energy] - kinetic);
    return w;
  }
  /// u of w.
  KOKKOS_FORCEINLINE_FUNCTION State conserved(State const& w) const {
    State u;
    u[density] = w[density];
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) u[momentum + axis] = w[density] * w[velocity + axis];
    u[energy] = total_energy(w);
    return u;
  }
  /// u of a density, a velocity and a pressure.
  KOKKOS_FORCEINLINE_FUNCTION State conserved(T rho, Vec<T, Dim> const& v, T p) const {
    State w;
    w[density] = rho;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) w[velocity + axis] = v[axis];
    w[pressure_index] = p;
    return conserved(w);
  }
  /// Pressure of u.
  KOKKOS_FORCEINLINE_FUNCTION T pressure(State const& u) const { return primitive(u)[pressure_index]; }
  /// Inner and kinetic energy per volume.
  KOKKOS_FORCEINLINE_FUNCTION T total_energy(State const& w) const {
    T square = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) square += w[velocity + axis] * w[velocity + axis];
    return w[pressure_index] * (1 / (gamma - 1)) + T(0.5) * w[density] * square;  // the compiler divides once per loop
  }
  /// NaN where density or pressure is negative, but not where both are: `is_admissible` tells.
  KOKKOS_FORCEINLINE_FUNCTION T sound_speed(State const& w) const {
    return std::sqrt(gamma * w[pressure_index] / w[density]);
  }

  /// Flux of u through a face normal to `axis`.
  KOKKOS_FORCEINLINE_FUNCTION State flux(State const& w, int axis) const {
    T const normal = w[velocity + axis], mass = w[density] * normal;
    State f;
    f[density] = mass;
    SPARSE_UNROLL
    for (int other = 0; other < Dim; ++other) f[momentum + other] = mass * w[velocity + other];
    f[momentum + axis] += w[pressure_index];
    f[energy] = normal * (total_energy(w) + w[pressure_index]);
    return f;
  }
  /// Speed of the fastest wave along `axis`; NaN where the speed of sound is.
  KOKKOS_FORCEINLINE_FUNCTION T max_speed(State const& w, int axis) const {
    return std::abs(w[velocity + axis]) + sound_speed(w);
  }
  /// Velocities along `axis` of the first and the last wave between two states.
  ///
  /// Both sides' characteristics bound them. With these bounds HLL and HLLC keep density and pressure positive. No wave
  /// is faster than `max_speed` of a side, which time steps rely on. Roe's mean would keep an isolated shock sharp,
  /// too, but it takes two more roots: HLLC would take half as long again. Source: Davis (1988), SIAM J. Sci. Stat.
  /// Comput. 9, 445; Batten et al. (1997), SIAM J. Sci. Comput. 18, 1553.
  KOKKOS_FORCEINLINE_FUNCTION Vec<T, 2> signal_speeds(State const& left, State const& right, int axis) const {
    T const v_left = left[velocity + axis], v_right = right[velocity + axis];
    T const c_left = sound_speed(left), c_right = sound_speed(right);
    T const first_left = v_left - c_left, first_right = v_right - c_right;
    T const last_left = v_left + c_left, last_right = v_right + c_right;
    return {first_left < first_right ? first_left : first_right, last_left > last_right ? last_left : last_right};
  }
  /// dw/dt = -sum over the axes of A(w) dw/dx, with slopes[axis] = dw/dx along that axis [w / length]. It advances
  /// smooth flow by a short time without a flux. One division. Source: Toro (2009), section 3.2.3.
  KOKKOS_FORCEINLINE_FUNCTION State change(State const& w, Vec<State, Dim> const& slopes) const {
    T const volume = 1 / w[density], stiffness = gamma * w[pressure_index];  // rho c^2 = gamma p
    State result{};
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      State const& slope = slopes[axis];
      SPARSE_UNROLL
      for (int c = 0; c < component_count; ++c) result[c] -= w[velocity + axis] * slope[c];
      result[density] -= w[density] * slope[velocity + axis];
      result[velocity + axis] -= volume * slope[pressure_index];
      result[pressure_index] -= stiffness * slope[velocity + axis];
    }
    return result;
  }

  /// The state with its velocity along `axis` multiplied by `factor`: -1 gives what lies behind a slip wall, 1 the
  /// state itself.
  KOKKOS_FORCEINLINE_FUNCTION State mirrored(State w, int axis, T factor) const {
    w[velocity + axis] *= factor;
    return w;
  }
  /// The state behind a slip wall with unit normal n: velocity minus twice its part along n.
  KOKKOS_FORCEINLINE_FUNCTION State reflected(State w, Vec<T, Dim> const& n) const {
    T normal = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) normal += w[velocity + axis] * n[axis];
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) w[velocity + axis] -= 2 * normal * n[axis];
    return w;
  }
  /// The state behind a wall to which the gas sticks: velocity negated.
  KOKKOS_FORCEINLINE_FUNCTION State reversed(State w) const {
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) w[velocity + axis] = -w[velocity + axis];
    return w;
  }
  /// The state beyond a side through which gas leaves against a pressure. It follows from the linear relations along
  /// the characteristics that leave. It is w where the flow is supersonic. Source: Blazek, Computational Fluid Dynamics
  /// (2001), 8.4.
  KOKKOS_FORCEINLINE_FUNCTION State leaving(State w, int axis, FaceSide side, T pressure) const {
    T const c = sound_speed(w), outwards = side == FaceSide::lower ? T(-1) : T(1);
    if (outwards * w[velocity + axis] >= c) return w;
    T const drop = w[pressure_index] - pressure;
    w[velocity + axis] += outwards * drop / (w[density] * c);
    w[density] -= drop / (c * c);
    w[pressure_index] = pressure;
    return w;
  }
  /// Whether u has positive density and pressure, without a division.
  KOKKOS_FORCEINLINE_FUNCTION bool is_possible(State const& u) const {
    T square = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) square += u[momentum + axis] * u[momentum + axis];
    return u[density] > 0 && 2 * u[density] * u[energy] > square;
  }
  /// Whether density and pressure are positive and finite, and velocity is finite.
  KOKKOS_FORCEINLINE_FUNCTION bool is_admissible(State const& w) const {
    T zero = 0;  // stays so unless something is infinite or NaN
    SPARSE_UNROLL
    for (int c = 0; c < component_count; ++c) zero += 0 * w[c];
    return (w[density] > 0) & (w[pressure_index] > 0) & (zero == 0);
  }
};

}  // namespace sparse::compressible
