#pragma once
/// Godunov's flux.

#include <sparse/compressible/laws/with_tracer.hpp>
#include <sparse/compressible/riemann/riemann.hpp>

namespace sparse::compressible {

/// The flux of conserved variables through a face from the exact solution between the primitive states of a gas on
/// both sides. Slow (iterations and powers): what other fluxes are measured by. Source: Godunov (1959).
template <class ConservationLaw>
struct ExactRiemann {
  /// The law, its numbers and its states.
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  /// Whose flux it is.
  Law law;

  /// The flux through a face from the primitive states on both sides.
  KOKKOS_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    int const normal = Law::velocity + axis;
    auto const along_axis = [&](State const& w) {
      return Vec<Scalar, 3>{w[Law::density], w[normal], w[Law::pressure_index]};
    };
    RiemannSolution<Scalar> const solution(along_axis(left), along_axis(right), law.gamma);
    Vec<Scalar, 3> const here = solution(0);
    State w = solution.star_velocity() >= 0 ? left : right;
    w[Law::density] = here[0];
    w[normal] = here[1];
    w[Law::pressure_index] = here[2];
    return law.flux(w, axis);
  }
};

template <class Law, int Count>
struct ExactRiemann<WithTracer<Law, Count>> : TracerFlux<ExactRiemann, Law, Count> {};

}  // namespace sparse::compressible
