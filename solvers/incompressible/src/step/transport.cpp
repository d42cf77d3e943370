#include "transport.hpp"

#include <cmath>

#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

#include "donor_cell.hpp"
#include "grid/body.hpp"
#include "grid/periodic_plan.hpp"
#include "limiter.hpp"

namespace sparse::incompressible {
namespace {

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
  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION T carried(TransportTerms<T, Dim> const&, Point const&, int, T in, T out, T below, T here,
                                        T above, Presence const&) const {
    return detail::carried_away(in, out, below, here, above, donor_cell);
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
    T const gain = detail::limited_gain(step, behind);
    T const beyond = std::fabs(speed) - slow[b], limited = beyond > 0 ? (is_up ? beyond : -beyond) : T(0);
    T const bend = has_far_below && has_far_above ? (far_above - above) - (below - far_below) : T(0);
    T const central = (below + above) - T(1) / 6 * bend;
    return speed * central + limited * ((2 * upstream + gain) - central);
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
    return of_start * start[i] + (1 - of_start) * (here + sum);
  }
};

/// Where a neighbour is missing the cell itself stands in.
template <class T, int Dim, class Scheme>
struct TransportValues {
  using Point = typename CellTransport<Dim>::Cells::Point;
  TransportTerms<T, Dim> terms;
  Scheme scheme;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const { carry(p, p); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, AllPresent) const { carry(p, HasAll{}); }

  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION void carry(Point const& p, Presence const& presence) const {
    T const here = terms.values[p.operand(0)];
    T sum = 0;
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const below = terms.values[p.operand(1 + 2 * b)], above = terms.values[p.operand(2 + 2 * b)];
      T const in = scheme.speed(terms, b, p.operand(0)),
              out = scheme.speed(terms, b, p.operand(CellOperands<Dim>::upper(b)));
      sum += terms.diffusive[b] * ((below - here) + (above - here)) -
             terms.convective[b] * scheme.carried(terms, p, b, in, out, below, here, above, presence);
    }
    terms.to[p.operand(0)] = scheme.result(p.operand(0), here, sum);
  }
};

/// Adds what mirror images at boundaries with a temperature differ from the cell itself. The value on the boundary is
/// known, so nothing is taken from upstream.
template <class T, int Dim, class Scheme>
struct TransportAtTemperatures {
  using Point = typename CellTransport<Dim>::Cells::Point;
  GridView<Dim> grid;
  TransportTerms<T, Dim> terms;
  Scheme scheme;

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    T const here = terms.values[p.operand(0)];
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const b = arm / 2;
      bool const is_upper = arm % 2 == 1;
      Index const face = p.operand(is_upper ? CellOperands<Dim>::upper(b) : 0);
      int const kind = grid.kind(b, face);
      if (kind < FaceKind::boundary || !grid.condition(kind).has_temperature) continue;
      T const image = 2 * static_cast<T>(grid.condition(kind).temperature) - here;
      T const outward = (is_upper ? 1 : -1) * scheme.speed(terms, b, face);
      sum += (terms.diffusive[b] - terms.convective[b] * outward) * (image - here);
    }
    terms.to[p.operand(0)] += terms.of_change * sum;
  }
};

/// The fluid cells beside boundaries with a temperature.
template <int Dim>
IntervalSet<Dim> cells_at_temperatures(StaggeredGrid<Dim> const& grid) {
  auto const periodicity = grid.domain().periodicity();
  IntervalSet<Dim> cells;
  for (auto const& part : grid.domain().parts) {
    if (!part.temperature) continue;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const faces = periodicity.stored(part.faces[axis]);
      cells = cells | (grid.fluid() & (faces | periodicity.stored(shift(faces, axis, -1))));
    }
  }
  return cells;
}

}  // namespace

template <int Dim>
typename CellOperands<Dim>::Plan CellOperands<Dim>::plan(StaggeredGrid<Dim> const& grid,
                                                         IntervalSet<Dim> const& cells) {
  auto const periodicity = grid.domain().periodicity();
  SetView const stored = grid.storage().view();
  Embedding<Dim> const among(grid.fluid(), grid.storage());
  detail::Target<Dim> targets[Plan::operand_count] = {{stored}};
  std::uint32_t required = 1;
  for (int arm = 0; arm < 2 * Dim; ++arm) targets[near(arm)] = {among.view(), face_arms<Dim>().offset[arm]};
  std::vector<Embedding<Dim>> behind;
  behind.reserve(2 * Dim);
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    int const step = arm % 2 == 0 ? -1 : 1;
    behind.emplace_back(grid.fluid() & periodicity.stored(shift(grid.fluid(), arm / 2, step)), grid.storage());
    targets[far(arm)] = {behind.back().view(), Vec<Coord, Dim>::along(arm / 2, 2 * step)};
  }
  for (int b = 0; b < Dim; ++b) {
    targets[upper(b)] = {stored, Vec<Coord, Dim>::along(b, 1)};
    required |= 1u << upper(b);
  }
  return detail::periodic_plan(cells, targets, periodicity, required);
}

template <int Dim>
CellTransport<Dim>::CellTransport(StaggeredGrid<Dim> const& grid)
    : grid_(grid), cells_(CellOperands<Dim>::plan(grid, grid.fluid())),
      at_temperatures_(CellOperands<Dim>::plan(grid, cells_at_temperatures(grid))) {}

template <int Dim>
template <class T, class Scheme>
void CellTransport<Dim>::run(Scheme const& scheme, Field<T, Dim> const& values, Field<T, Dim> const& velocity,
                             double time_step, double diffusivity, Field<T, Dim>& to) const {
  ProfilingRegion const region("sparse::incompressible::transport");
  grid_.expect_stored(values, 1, "transported field");
  grid_.expect_stored(velocity, Dim, "velocity");
  grid_.expect_stored(to, 1, "result of transport");
  expects(to.view().data != values.view().data, "incompressible: the result of transport must be another field");
  expects(std::isfinite(time_step) && time_step >= 0, "incompressible: the time step must not be negative");
  expects(std::isfinite(diffusivity) && diffusivity >= 0, "incompressible: a diffusivity must not be negative");
  TransportTerms<T, Dim> terms{values.component(0), velocity.view(), to.component(0), {}, {}};
  if constexpr (requires { scheme.of_start; }) terms.of_change = 1 - scheme.of_start;
  for (int b = 0; b < Dim; ++b) {
    double const h = grid_.spacing()[b];
    terms.diffusive[b] = static_cast<T>(diffusivity * time_step / (h * h));
    terms.convective[b] = static_cast<T>(time_step / (2 * h));
  }
  for_each("sparse::incompressible::transport", cells_, TransportValues<T, Dim, Scheme>{terms, scheme});
  for_each("sparse::incompressible::transport_at_temperatures", at_temperatures_,
           TransportAtTemperatures<T, Dim, Scheme>{grid_.body().view(), terms, scheme});
}

template <int Dim>
template <class T>
void CellTransport<Dim>::operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity, double time_step,
                                    double diffusivity, double donor_cell, Field<T, Dim>& to) const {
  expects(donor_cell >= 0 && donor_cell <= 1, "incompressible: the donor-cell share must be from 0 to 1");
  run(EulerTransport<T, Dim>{static_cast<T>(donor_cell)}, values, velocity, time_step, diffusivity, to);
}

template <int Dim>
template <class T>
void CellTransport<Dim>::operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity, double time_step,
                                    double diffusivity, CellStage<T, Dim> const& stage, Field<T, Dim>& to) const {
  grid_.expect_stored(stage.start, 1, "transported field");
  grid_.expect_stored(stage.last_velocity, Dim, "velocity");
  RungeKuttaTransport<T, Dim> scheme{stage.start.component(0),
                                     stage.last_velocity.view(),
                                     static_cast<T>(stage.of_start),
                                     static_cast<T>(stage.ahead),
                                     {}};
  for (int b = 0; b < Dim; ++b) scheme.slow[b] = static_cast<T>(2 * diffusivity / grid_.spacing()[b]);
  run(scheme, values, velocity, time_step, diffusivity, to);
}

template struct CellOperands<2>;
template struct CellOperands<3>;
template class CellTransport<2>;
template class CellTransport<3>;
#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void CellTransport<Dim>::operator()(Field<T, Dim> const&, Field<T, Dim> const&, double, double, double,     \
                                               Field<T, Dim>&) const;                                                  \
  template void CellTransport<Dim>::operator()(Field<T, Dim> const&, Field<T, Dim> const&, double, double,             \
                                               CellStage<T, Dim> const&, Field<T, Dim>&) const;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
