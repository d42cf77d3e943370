#pragma once
/// The HLL flux with the contact restored.

#include <sparse/compressible/laws/with_tracer.hpp>

namespace sparse::compressible {

/// The flux of conserved variables through a face from the primitive states of a gas on both sides. It assumes two
/// constant states between the first and the last wave, with the contact between them. A contact at rest stays as it
/// is. Density and pressure stay positive. Four divisions and two roots. Source: Toro, Spruce and Speares (1994); Toro
/// (2009), section 10.4; Batten et al. (1997).
template <class ConservationLaw>
struct Hllc {
  /// The law, its numbers and its states.
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  /// Whose flux it is.
  Law law;

  /// The flux through a face from the primitive states on both sides.
  KOKKOS_FORCEINLINE_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    constexpr int rho = Law::density, p = Law::pressure_index;
    int const normal = Law::velocity + axis;
    Vec<Scalar, 2> const speeds = law.signal_speeds(left, right, axis);
    // Mass that the outer waves run over; not zero, since they are faster than the gas by a speed of sound.
    Scalar const mass_left = left[rho] * (speeds[0] - left[normal]);
    Scalar const mass_right = right[rho] * (speeds[1] - right[normal]);
    Scalar const contact =
        (right[p] - left[p] + mass_left * left[normal] - mass_right * right[normal]) / (mass_left - mass_right);

    // The side of the contact where the face is, and whether it is between the contact and that side's outer wave.
    bool const is_left = contact >= 0;
    State w;
    SPARSE_UNROLL
    for (int c = 0; c < Law::component_count; ++c) w[c] = is_left ? left[c] : right[c];
    Scalar const outer = is_left ? speeds[0] : speeds[1];
    bool const is_inside = outer * contact <= 0;

    // f = f(w), and inside + outer (u behind the outer wave - u). That jump is proportional to contact - v, so exactly
    // zero at a contact at rest. In this form no digits cancel, however slow or fast the contact is.
    Scalar const ahead = outer - w[normal], mass = w[rho] * ahead;
    Scalar const inverse = 1 / (outer - contact);
    Scalar const shift = is_inside ? outer * (contact - w[normal]) * inverse : Scalar(0);
    Scalar const carried = is_inside ? contact * ahead * inverse : w[normal];  // v + shift
    Scalar const mass_flux = w[rho] * carried;
    State f;
    f[Law::density] = mass_flux;
    SPARSE_UNROLL
    for (int other = 0; other < Law::dimension; ++other)
      f[Law::momentum + other] = mass_flux * w[Law::velocity + other];
    f[Law::momentum + axis] += w[p] + shift * mass;
    f[Law::energy] = carried * (law.total_energy(w) + w[p]) + shift * mass * contact;
    return f;
  }
};

template <class Law, int Count>
struct Hllc<WithTracer<Law, Count>> : TracerFlux<Hllc, Law, Count> {};

}  // namespace sparse::compressible
