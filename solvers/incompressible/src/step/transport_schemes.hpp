#pragma once
/// The fluxes of the energy equation.

#include <cmath>

#include <sparse/base/products.hpp>

#include "donor_cell.hpp"
#include "limiter.hpp"
#include "transport.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
struct TransportTerms {
  T const* values;
  FieldView<T const> velocity;
  T* to;
  Vec<T, Dim> diffusive;   // diffusivity time_step / spacing^2
  Vec<T, Dim> convective;  // time_step / (2 spacing)
  T of_change = 1;         // part of the change in the result
};

/// Euler's method with a donor-cell share.
template <class T, int Dim>
struct EulerTransport {
  using Point = typename CellTransport<Dim>::Cells::Point;
  T donor_cell;

  KOKKOS_FORCEINLINE_FUNCTION T speed(TransportTerms<T, Dim> const& terms, int b, Index face) const {
    return terms.velocity(b, face);
  }
  /// Twice the flux.
  KOKKOS_FORCEINLINE_FUNCTION T flux(T speed, int, T, T below, T above, T, bool, bool) const {
    return sum_of_products(speed, below + above, donor_cell * std::fabs(speed), below - above);
  }
  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION T carried(TransportTerms<T, Dim> const&, Point const&, int, T in, T out, T below, T here,
                                        T above, Presence const&) const {
    return carried_away(in, out, below, here, above, donor_cell);
  }
  KOKKOS_FORCEINLINE_FUNCTION T result(Index, T here, T sum) const { return here + sum; }
};

/// A run of which no operand is missing.
struct HasAll {
  KOKKOS_FORCEINLINE_FUNCTION bool has(int) const { return true; }
};

/// A stage of a Runge-Kutta step. Of what flows through a face fast, the value comes from upstream.
template <class T, int Dim>
struct RungeKuttaTransport {
  using Point = typename CellTransport<Dim>::Cells::Point;
  T const* start;
  FieldView<T const> last_velocity;
  T of_start, ahead;
  Vec<T, Dim> slow;  // 2 diffusivity / spacing: the speed up to which differences are central

  KOKKOS_FORCEINLINE_FUNCTION T speed(TransportTerms<T, Dim> const& terms, int b, Index face) const {
    T const now = terms.velocity(b, face);
    return now + ahead * (now - last_velocity(b, face));
  }
  /// Twice the flux.
  KOKKOS_FORCEINLINE_FUNCTION T flux(T speed, int b, T far_below, T below, T above, T far_above, bool has_far_below,
                                     bool has_far_above) const {
    bool const is_up = speed > 0;
    T const upstream = is_up ? below : above, step = is_up ? above - below : below - above;
    T const behind = is_up ? (has_far_below ? below - far_below : T(0)) : (has_far_above ? above - far_above : T(0));
    T const gain = limited_gain(step, behind);
    T const beyond = std::fabs(speed) - slow[b], limited = beyond > 0 ? (is_up ? beyond : -beyond) : T(0);
    T const bend = has_far_below && has_far_above ? (far_above - above) - (below - far_below) : T(0);
    T const central = (below + above) - T(1) / 6 * bend;
    return sum_of_products(speed, central, limited, (2 * upstream + gain) - central);
  }
  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION T carried(TransportTerms<T, Dim> const& terms, Point const& p, int b, T in, T out,
                                        T below, T here, T above, Presence const& presence) const {
    int const low = CellOperands<Dim>::far(2 * b), high = CellOperands<Dim>::far(2 * b + 1);
    T const far_below = terms.values[p.operand(low)], far_above = terms.values[p.operand(high)];
    return flux(out, b, below, here, above, far_above, presence.has(1 + 2 * b),
                presence.has(high) && presence.has(2 + 2 * b)) -
           flux(in, b, far_below, below, here, above, presence.has(low) && presence.has(1 + 2 * b),
                presence.has(2 + 2 * b));
  }
  KOKKOS_FORCEINLINE_FUNCTION T result(Index i, T here, T sum) const {
    return sum_of_products(of_start, start[i], 1 - of_start, here + sum);
  }
};

}  // namespace sparse::incompressible::detail
