#pragma once
/// Passive scalars that a flow carries.

#include <sparse/amr/law.hpp>

namespace sparse::compressible {

/// The law `CarrierLaw` and `Count` scalars phi, such as mass fractions, that move with its mass.
///
/// After the carrier's components the state has rho phi (conserved) or phi (primitive), where rho is component 0. The
/// numerical flux of the carrier's components is the carrier's. That of rho phi is the mass flux times phi of the side
/// from which mass comes. So phi stays within its bounds, and a constant phi stays constant.
/// Members that a law may have, viscosity, say, this law has if the carrier has them.
template <class CarrierLaw, int Count = 1>
struct WithTracer {
  /// The law below, its numbers and its states.
  using Carrier = CarrierLaw;
  using Scalar = typename Carrier::Scalar;
  using CarrierState = typename Carrier::State;
  /// Axes, and components of a state with the scalars.
  static constexpr int dimension = Carrier::dimension;
  static constexpr int component_count = Carrier::component_count + Count;
  static constexpr int tracer = Carrier::component_count;  ///< first of the scalars
  /// The carrier's state, then the scalars.
  using State = Vec<Scalar, component_count>;

  /// The law below.
  Carrier carrier;

  /// The carrier's part of a state.
  KOKKOS_FORCEINLINE_FUNCTION static CarrierState carried_by(State const& w) {
    CarrierState result;
    SPARSE_UNROLL
    for (int c = 0; c < tracer; ++c) result[c] = w[c];
    return result;
  }
  /// A state of the carrier's part and the scalars of `w`, times `factor`.
  KOKKOS_FORCEINLINE_FUNCTION static State joined(CarrierState const& part, State const& w, Scalar factor = 1) {
    State result;
    SPARSE_UNROLL
    for (int c = 0; c < tracer; ++c) result[c] = part[c];
    SPARSE_UNROLL
    for (int c = tracer; c < component_count; ++c) result[c] = factor * w[c];
    return result;
  }

  /// As in `amr::LawDefaults`, with the scalars beside the carrier's part.
  KOKKOS_FORCEINLINE_FUNCTION State primitive(State const& u) const {
    return joined(carrier.primitive(carried_by(u)), u, 1 / u[0]);
  }
  KOKKOS_FORCEINLINE_FUNCTION State conserved(State const& w) const {
    return joined(carrier.conserved(carried_by(w)), w, w[0]);
  }
  KOKKOS_FORCEINLINE_FUNCTION State flux(State const& w, int axis) const {
    CarrierState const f = carrier.flux(carried_by(w), axis);
    return joined(f, w, f[0]);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar max_speed(State const& w, int axis) const {
    return carrier.max_speed(carried_by(w), axis);
  }

  /// As in `amr::LawDefaults`; scalars stay as they are.
  KOKKOS_FORCEINLINE_FUNCTION State mirrored(State const& w, int axis, Scalar factor) const {
    return joined(carrier.mirrored(carried_by(w), axis, factor), w);
  }
  KOKKOS_FORCEINLINE_FUNCTION State reflected(State const& w, Vec<Scalar, dimension> const& n) const {
    return joined(carrier.reflected(carried_by(w), n), w);
  }
  KOKKOS_FORCEINLINE_FUNCTION State reversed(State const& w) const {
    return joined(carrier.reversed(carried_by(w)), w);
  }
  KOKKOS_FORCEINLINE_FUNCTION State leaving(State const& w, int axis, FaceSide side, Scalar pressure) const {
    return joined(carrier.leaving(carried_by(w), axis, side, pressure), w);
  }
  /// Of the carrier's part, and the scalars must be numbers.
  KOKKOS_FORCEINLINE_FUNCTION bool is_admissible(State const& w) const {
    Scalar zero = 0;  // stays so unless something is infinite or NaN
    SPARSE_UNROLL
    for (int c = tracer; c < component_count; ++c) zero += 0 * w[c];
    return carrier.is_admissible(carried_by(w)) & (zero == 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_possible(State const& u) const { return is_admissible(primitive(u)); }
  /// As in `Euler`, if the carrier has it; scalars move with its velocity.
  KOKKOS_FORCEINLINE_FUNCTION State change(State const& w, Vec<State, dimension> const& slopes) const requires
      requires(Carrier law, CarrierState c, Vec<CarrierState, dimension> s) {
    law.change(c, s);
  }
  {
    State scalars{};
    Vec<CarrierState, dimension> carried;
    SPARSE_UNROLL
    for (int axis = 0; axis < dimension; ++axis) {
      carried[axis] = carried_by(slopes[axis]);
      SPARSE_UNROLL
      for (int c = tracer; c < component_count; ++c) scalars[c] -= w[Carrier::velocity + axis] * slopes[axis][c];
    }
    return joined(carrier.change(carried_by(w), carried), scalars);
  }

  /// That of the carrier; scalars do not diffuse.
  KOKKOS_FORCEINLINE_FUNCTION State diffusive_flux(State const& w, Vec<State, dimension> const& gradients,
                                                   int axis) const requires
      requires(Carrier law, CarrierState c, Vec<CarrierState, dimension> g) {
    law.diffusive_flux(c, g, 0);
  }
  {
    Vec<CarrierState, dimension> carried;
    SPARSE_UNROLL
    for (int other = 0; other < dimension; ++other) carried[other] = carried_by(gradients[other]);
    return joined(carrier.diffusive_flux(carried_by(w), carried, axis), State{});
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar diffusivity(State const& w) const requires requires(Carrier law, CarrierState c) {
    law.diffusivity(c);
  }
  { return carrier.diffusivity(carried_by(w)); }
};

/// A numerical flux of a law with tracers made from that of the carrier.
template <template <class> class Flux, class Carrier, int Count>
struct TracerFlux {
  /// The law with its tracers.
  using Law = WithTracer<Carrier, Count>;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  /// The law with its tracers.
  Law law;

  /// The flux through a face from the primitive states on both sides.
  KOKKOS_FORCEINLINE_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    auto const f = Flux<Carrier>{law.carrier}(Law::carried_by(left), Law::carried_by(right), axis);
    State upwind;
    SPARSE_UNROLL
    for (int c = 0; c < Law::component_count; ++c) upwind[c] = f[0] > 0 ? left[c] : right[c];
    return Law::joined(f, upwind, f[0]);
  }
};

}  // namespace sparse::compressible
