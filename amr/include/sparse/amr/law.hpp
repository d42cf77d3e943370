#pragma once
/// Conservation laws and numerical fluxes, as the integrators need them.
///
/// A law du/dt + div f = 0 stores conserved variables u. Its members take primitive variables w unless they take u. To
/// write a law, derive from `LawDefaults` and define `flux` and `max_speed`; see examples/own_law.cpp.
///
/// Members that a law may have beyond `ConservationLaw`:
/// - `change(w, slopes)`, dw/dt from dw/dx: `Scheme::hancock` then needs no flux to predict
/// - `signal_speeds(left, right, axis)` of the first and the last wave: sharper fluxes of `Hll`
/// - `diffusive_flux(w, gradients, axis)` and `diffusivity(w)`: viscosity; see `is_diffusive`

#include <concepts>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/vec.hpp>

namespace sparse::amr {

// ---- concepts, from the parts to the whole, so that an error message names the missing part

/// `Scalar`, `dimension`, `component_count`, and `State`, a Vec of `component_count` numbers.
template <class Law>
concept HasStates = std::floating_point<typename Law::Scalar> && Law::dimension >= 1 && Law::component_count >= 1 &&
                    std::same_as<typename Law::State, Vec<typename Law::Scalar, Law::component_count>>;

/// `flux(w, axis)` through a face normal to an axis, and `max_speed(w, axis)` of the waves along it.
template <class Law>
concept HasFlux = HasStates<Law> && requires(Law const& law, typename Law::State const& w, int axis) {
  { law.flux(w, axis) } -> std::same_as<typename Law::State>;
  { law.max_speed(w, axis) } -> std::convertible_to<typename Law::Scalar>;
};

/// `primitive(u)` and `conserved(w)`, and whether states are possible: `is_admissible(w)`, `is_possible(u)`.
template <class Law>
concept ConvertsVariables = HasStates<Law> && requires(Law const& law, typename Law::State const& state) {
  { law.primitive(state) } -> std::same_as<typename Law::State>;
  { law.conserved(state) } -> std::same_as<typename Law::State>;
  { law.is_admissible(state) } -> std::same_as<bool>;
  { law.is_possible(state) } -> std::same_as<bool>;
};

/// States behind walls and beyond sides: `mirrored`, `reflected`, `reversed` and `leaving`, as in `LawDefaults`.
template <class Law>
concept KnowsBoundaries = HasStates<Law> &&
    requires(Law const& law, typename Law::State const& w, Vec<typename Law::Scalar, Law::dimension> const& normal,
             typename Law::Scalar number, int axis, FaceSide side) {
  { law.mirrored(w, axis, number) } -> std::same_as<typename Law::State>;
  { law.reflected(w, normal) } -> std::same_as<typename Law::State>;
  { law.reversed(w) } -> std::same_as<typename Law::State>;
  { law.leaving(w, axis, side, number) } -> std::same_as<typename Law::State>;
};

/// A conservation law. `LawDefaults` provides all its members except `flux` and `max_speed`.
template <class Law>
concept ConservationLaw = HasFlux<Law> && ConvertsVariables<Law> && KnowsBoundaries<Law>;

/// A numerical flux: a functor with a conservation law, `law`. It computes the flux of u through a face from the
/// primitive states on both sides. A choice of fluxes at run time may have `visit(body)`, which calls `body(flux)` with
/// the chosen flux.
template <class Flux>
concept NumericalFlux = ConservationLaw<typename Flux::Law> &&
    requires(Flux const& flux, typename Flux::Law::State const& left, typename Flux::Law::State const& right,
             int axis) {
  { flux.law } -> std::convertible_to<typename Flux::Law const&>;
  { flux(left, right, axis) } -> std::same_as<typename Flux::Law::State>;
};

/// Default members of a law. The primitive variables are the conserved ones. No variable has a direction, so walls
/// change nothing. A law derives from it and hides the members that differ:
///
///     struct Traffic : amr::LawDefaults<Traffic, double, 2, 1> {
///       KOKKOS_FUNCTION State flux(State const& w, int axis) const;
///       KOKKOS_FUNCTION double max_speed(State const& w, int axis) const;
///     };
template <class Law, class T, int Dim, int N>
struct LawDefaults {
  /// The type of numbers.
  using Scalar = T;
  /// Axes, and components of a state.
  static constexpr int dimension = Dim, component_count = N;
  /// A value for each component.
  using State = Vec<T, N>;

  /// Primitive variables of conserved ones, and the reverse.
  KOKKOS_FORCEINLINE_FUNCTION State primitive(State const& u) const { return u; }
  KOKKOS_FORCEINLINE_FUNCTION State conserved(State const& w) const { return w; }
  /// w with its velocity along `axis` times `factor`: -1 gives the state behind a slip wall, 1 the state itself. Linear
  /// in w, so that it also takes differences.
  KOKKOS_FORCEINLINE_FUNCTION State mirrored(State const& w, int, T) const { return w; }
  /// w behind a slip wall with a unit normal.
  KOKKOS_FORCEINLINE_FUNCTION State reflected(State const& w, Vec<T, Dim> const&) const { return w; }
  /// w behind a no-slip wall. Linear in w.
  KOKKOS_FORCEINLINE_FUNCTION State reversed(State const& w) const { return w; }
  /// w beyond a side of the box where it leaves against a pressure. w itself where no wave can enter.
  KOKKOS_FORCEINLINE_FUNCTION State leaving(State const& w, int, FaceSide, T) const { return w; }
  /// Whether w is possible: for example, no density is negative. NaN is not.
  KOKKOS_FORCEINLINE_FUNCTION bool is_admissible(State const& w) const {
    bool result = true;
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) result = result && w[c] == w[c];
    return result;
  }
  /// The same for conserved variables. A law may have a faster test that does not compute all primitive variables.
  KOKKOS_FORCEINLINE_FUNCTION bool is_possible(State const& u) const {
    Law const& law = static_cast<Law const&>(*this);
    return law.is_admissible(law.primitive(u));
  }
};

}  // namespace sparse::amr
