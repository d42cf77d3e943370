#include "transport.hpp"

#include <cmath>

#include <sparse/base/products.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

#include "grid/body.hpp"
#include "grid/cut_geometry.hpp"
#include "grid/periodic_plan.hpp"
#include "transport_schemes.hpp"

namespace sparse::incompressible {
namespace {

using namespace detail;

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
      sum += sum_of_products(terms.diffusive[b], (below - here) + (above - here), -terms.convective[b],
                             scheme.carried(terms, p, b, in, out, below, here, above, presence));
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

/// The balance of a cut cell. Through each face flows what would flow through the open face, times the open share.
template <class T, int Dim, class Scheme>
struct TransportAtCuts {
  CutTransport<Dim> const* cells;
  GridView<Dim> grid;
  TransportTerms<T, Dim> terms;
  Scheme scheme;

  KOKKOS_FUNCTION T value(Index position, T otherwise) const {
    return position < 0 ? otherwise : terms.values[position];
  }

  KOKKOS_FUNCTION void operator()(Index i) const {
    CutTransport<Dim> const& cell = cells[i];
    T const here = terms.values[cell.position];
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (cell.share[arm] == 0) continue;
      int const b = arm / 2, opposite = arm ^ 1;
      bool const is_upper = arm % 2 == 1;
      Index const face = cell.faces[arm], beside = cell.beside[arm];
      T const speed = scheme.speed(terms, b, face);
      T there = here, twice;
      if (beside < 0) {
        int const kind = grid.kind(b, face);
        bool const is_given = kind >= FaceKind::boundary && grid.condition(kind).has_temperature;
        if (is_given) there = 2 * static_cast<T>(grid.condition(kind).temperature) - here;
        twice = speed * (here + there);
      } else {
        there = terms.values[beside];
        T const behind = value(cell.beside[opposite], here), far = value(cell.far[arm], there);
        bool const has_behind = cell.beside[opposite] >= 0, has_far = cell.far[arm] >= 0;
        twice = is_upper ? scheme.flux(speed, b, behind, here, there, far, has_behind, has_far)
                         : scheme.flux(speed, b, far, there, here, behind, has_far, has_behind);
      }
      sum += static_cast<T>(cell.share[arm]) *
             sum_of_products(terms.diffusive[b], there - here, (is_upper ? -1 : 1) * terms.convective[b], twice);
    }
    terms.to[cell.position] = scheme.result(cell.position, here, sum / static_cast<T>(cell.capacity));
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
    : grid_(grid), cells_(CellOperands<Dim>::plan(grid, grid.fluid())) {
  auto at_temperatures = cells_at_temperatures(grid);
  if (grid.has_curved_walls()) {
    std::vector<Vec<Coord, Dim>> cells;
    for (auto const& cell : detail::cut_cells_of(grid)) cells.push_back(cell.cell);
    at_temperatures = at_temperatures - detail::set_of<Dim>(cells, grid.context());
    cuts_ = to_device(grid.context(), detail::cut_transport_of(grid));
    std::vector<detail::WallProbe<Dim>> warm;
    for (auto const& probe : detail::wall_probes_of(grid))
      if (probe.kind == detail::WallProbe<Dim>::with_temperature) warm.push_back(probe);
    warm_walls_ = to_device(grid.context(), warm);
  }
  at_temperatures_ = CellOperands<Dim>::plan(grid, at_temperatures);
}

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
  if (cuts_.size() > 0)
    parallel_for(grid_.context(), "sparse::incompressible::transport_at_cuts", cuts_.size(),
                 TransportAtCuts<T, Dim, Scheme>{cuts_.data(), grid_.body().view(), terms, scheme});
  add_from_walls<T, Dim>(grid_.context(), warm_walls_, terms.values, diffusivity,
                         static_cast<double>(terms.of_change) * time_step, terms.to);
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
  expects(cuts_.size() == 0 || to.view().data != stage.start.view().data,
          "incompressible: beside curved walls the result must not be the start");
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
