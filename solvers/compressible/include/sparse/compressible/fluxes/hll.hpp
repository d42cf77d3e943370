#pragma once
/// The flux of Harten, Lax and van Leer.

#include <sparse/compressible/laws/with_tracer.hpp>

namespace sparse::compressible {

/// The flux of conserved variables through a face from the primitive states on both sides. It assumes one constant
/// state between the first and the last wave. A law without `signal_speeds` has waves of its `max_speed` in both
/// directions. Sharper than Rusanov where all waves run one way. Keeps density and pressure positive. Source: Harten,
/// Lax and van Leer (1983); Toro (2009), section 10.3.
template <class ConservationLaw>
struct Hll {
  /// The law, its numbers and its states.
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  /// Whose flux it is.
  Law law;

  /// The flux through a face from the primitive states on both sides.
  KOKKOS_FORCEINLINE_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    Vec<Scalar, 2> const speeds = signal_speeds(left, right, axis);
    Scalar const first = speeds[0] < 0 ? speeds[0] : Scalar(0), last = speeds[1] > 0 ? speeds[1] : Scalar(0);
    // Parts of both fluxes; without waves both are 1 / 2. One minus the other would lose the digits of a small part,
    // and pressure with them.
    Scalar const width = last - first, inverse = 1 / (width > 0 ? width : Scalar(1));
    Scalar const part_left = width > 0 ? last * inverse : Scalar(0.5);
    Scalar const part_right = width > 0 ? -first * inverse : Scalar(0.5);
    return part_left * law.flux(left, axis) + part_right * law.flux(right, axis) +
           (part_left * first) * (law.conserved(right) - law.conserved(left));
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION Vec<Scalar, 2> signal_speeds(State const& left, State const& right, int axis) const {
    if constexpr (requires { law.signal_speeds(left, right, axis); }) {
      return law.signal_speeds(left, right, axis);
    } else {
      Scalar const speed_left = law.max_speed(left, axis), speed_right = law.max_speed(right, axis);
      Scalar const speed = speed_left > speed_right ? speed_left : speed_right;
      return {-speed, speed};
    }
  }
};

template <class Law, int Count>
struct Hll<WithTracer<Law, Count>> : TracerFlux<Hll, Law, Count> {};

}  // namespace sparse::compressible
