#pragma once
/// The local Lax-Friedrichs flux.

#include <sparse/compressible/laws/with_tracer.hpp>

namespace sparse::compressible {

/// The flux of conserved variables through a face from the primitive states on both sides: the mean of their fluxes,
/// and diffusion with the speed of their fastest wave. Robust and symmetric, for any law. It smears contacts. Source:
/// Rusanov (1961); Toro (2009), section 10.5.1.
template <class ConservationLaw>
struct Rusanov {
  /// The law, its numbers and its states.
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  /// Whose flux it is.
  Law law;

  /// The flux through a face from the primitive states on both sides.
  KOKKOS_FORCEINLINE_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    Scalar const speed_left = law.max_speed(left, axis), speed_right = law.max_speed(right, axis);
    Scalar const speed = speed_left > speed_right ? speed_left : speed_right;
    return Scalar(0.5) *
           (law.flux(left, axis) + law.flux(right, axis) - speed * (law.conserved(right) - law.conserved(left)));
  }
};

template <class Law, int Count>
struct Rusanov<WithTracer<Law, Count>> : TracerFlux<Rusanov, Law, Count> {};

}  // namespace sparse::compressible
