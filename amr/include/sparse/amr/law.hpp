#pragma once
/// What the integrators ask of a conservation law, and what they assume where it does not say.
///
/// A law has `Scalar`, `dimension`, `component_count`, `State`, `flux(w, axis)` and `max_speed(w, axis)`. These take
/// primitive variables w; the variables that are stored and conserved are u. A law without `primitive` and `conserved`
/// has w = u; one without velocities is the same seen in a mirror.

#include <sparse/base/vec.hpp>

namespace sparse::amr {

/// Primitive variables of conserved ones.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State primitive(Law const& law, typename Law::State const& u) {
  if constexpr (requires { law.primitive(u); })
    return law.primitive(u);
  else
    return u;
}

/// Conserved variables of primitive ones.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State conserved(Law const& law, typename Law::State const& w) {
  if constexpr (requires { law.conserved(w); })
    return law.conserved(w);
  else
    return w;
}

/// w with its velocity along `axis` times `factor`: -1 gives what lies behind a slip wall, 1 the state itself. Linear
/// in w, so that it takes differences too.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State mirrored(Law const& law, typename Law::State const& w, int axis,
                                                         typename Law::Scalar factor) {
  if constexpr (requires { law.mirrored(w, axis, factor); })
    return law.mirrored(w, axis, factor);
  else
    return w;
}

/// w behind a slip wall with unit normal n.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State reflected(Law const& law, typename Law::State const& w,
                                                          Vec<typename Law::Scalar, Law::dimension> const& n) {
  if constexpr (requires { law.reflected(w, n); })
    return law.reflected(w, n);
  else
    return w;
}

/// w behind a wall to which the fluid sticks. Linear in w.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State reversed(Law const& law, typename Law::State const& w) {
  if constexpr (requires { law.reversed(w); })
    return law.reversed(w);
  else
    return w;
}

/// w beyond a side (0 lower, 1 upper) of the box through which it leaves against a pressure; w itself for laws without
/// one, and where no wave comes back in.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State leaving(Law const& law, typename Law::State const& w, int axis,
                                                        int side, typename Law::Scalar pressure) {
  if constexpr (requires { law.leaving(w, axis, side, pressure); })
    return law.leaving(w, axis, side, pressure);
  else
    return w;
}

/// Whether w can be: no negative density, say. NaN cannot.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION bool is_admissible(Law const& law, typename Law::State const& w) {
  if constexpr (requires { law.is_admissible(w); }) {
    return law.is_admissible(w);
  } else {
    bool result = true;
    SPARSE_UNROLL
    for (int c = 0; c < Law::component_count; ++c) result = result && w[c] == w[c];
    return result;
  }
}

/// The same of conserved variables; a law may know how to tell without computing all primitive ones.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION bool is_possible(Law const& law, typename Law::State const& u) {
  if constexpr (requires { law.is_possible(u); })
    return law.is_possible(u);
  else
    return is_admissible(law, primitive(law, u));
}

}  // namespace sparse::amr
