#include "transport.hpp"

#include <cmath>

#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

#include "donor_cell.hpp"
#include "grid/body.hpp"
#include "grid/periodic_plan.hpp"

namespace sparse::incompressible {
namespace {

template <class T, int Dim>
struct TransportTerms {
  T const* values;
  FieldView<T const> velocity;
  T* to;
  Vec<T, Dim> diffusive;   // diffusivity time_step / spacing^2
  Vec<T, Dim> convective;  // time_step / (2 spacing)
  T donor_cell;

  KOKKOS_FORCEINLINE_FUNCTION static int upper_operand(int axis) { return 1 + 2 * Dim + axis; }
};

/// Where a neighbour is missing the cell itself stands in.
template <class T, int Dim>
struct TransportValues {
  using Point = typename CellTransport<Dim>::Cells::Point;
  TransportTerms<T, Dim> terms;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    T const here = terms.values[p.operand(0)];
    T sum = 0;
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const below = terms.values[p.operand(1 + 2 * b)], above = terms.values[p.operand(2 + 2 * b)];
      T const in = terms.velocity(b, p.operand(0)), out = terms.velocity(b, p.operand(terms.upper_operand(b)));
      sum += terms.diffusive[b] * ((below - here) + (above - here)) -
             terms.convective[b] * detail::carried_away(in, out, below, here, above, terms.donor_cell);
    }
    terms.to[p.operand(0)] = here + sum;
  }
};

/// Adds what mirror images at boundaries with a temperature differ from the cell itself. The value on the boundary is
/// known, so nothing is taken from upstream.
template <class T, int Dim>
struct TransportAtTemperatures {
  using Point = typename CellTransport<Dim>::Cells::Point;
  GridView<Dim> grid;
  TransportTerms<T, Dim> terms;

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    T const here = terms.values[p.operand(0)];
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const b = arm / 2;
      bool const is_upper = arm % 2 == 1;
      Index const face = p.operand(is_upper ? terms.upper_operand(b) : 0);
      int const kind = grid.kind(b, face);
      if (kind < FaceKind::boundary || !grid.condition(kind).has_temperature) continue;
      T const image = 2 * static_cast<T>(grid.condition(kind).temperature) - here;
      T const outward = (is_upper ? 1 : -1) * terms.velocity(b, face);
      sum += (terms.diffusive[b] - terms.convective[b] * outward) * (image - here);
    }
    terms.to[p.operand(0)] += sum;
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
CellTransport<Dim>::CellTransport(StaggeredGrid<Dim> const& grid) : grid_(grid) {
  auto const periodicity = grid.domain().periodicity();
  SetView const stored = grid.storage().view();
  Embedding<Dim> const among(grid.fluid(), grid.storage());
  detail::Target<Dim> targets[Cells::operand_count] = {{stored}};
  std::uint32_t required = 1;
  for (int arm = 0; arm < 2 * Dim; ++arm) targets[1 + arm] = {among.view(), face_arms<Dim>().offset[arm]};
  for (int b = 0; b < Dim; ++b) {
    int const upper = TransportTerms<double, Dim>::upper_operand(b);
    targets[upper] = {stored, Vec<Coord, Dim>::along(b, 1)};
    required |= 1u << upper;
  }
  cells_ = detail::periodic_plan(grid.fluid(), targets, periodicity, required);
  at_temperatures_ = detail::periodic_plan(cells_at_temperatures(grid), targets, periodicity, required);
}

template <int Dim>
template <class T>
void CellTransport<Dim>::operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity, double time_step,
                                    double diffusivity, double donor_cell, Field<T, Dim>& to) const {
  ProfilingRegion const region("sparse::incompressible::transport");
  grid_.expect_stored(values, 1, "transported field");
  grid_.expect_stored(velocity, Dim, "velocity");
  grid_.expect_stored(to, 1, "result of transport");
  expects(to.view().data != values.view().data, "incompressible: the result of transport must be another field");
  expects(std::isfinite(time_step) && time_step >= 0, "incompressible: the time step must not be negative");
  expects(std::isfinite(diffusivity) && diffusivity >= 0, "incompressible: a diffusivity must not be negative");
  expects(donor_cell >= 0 && donor_cell <= 1, "incompressible: the donor-cell share must be from 0 to 1");
  TransportTerms<T, Dim> terms{values.component(0),       velocity.view(), to.component(0), {}, {},
                               static_cast<T>(donor_cell)};
  for (int b = 0; b < Dim; ++b) {
    double const h = grid_.spacing()[b];
    terms.diffusive[b] = static_cast<T>(diffusivity * time_step / (h * h));
    terms.convective[b] = static_cast<T>(time_step / (2 * h));
  }
  for_each("sparse::incompressible::transport", cells_, TransportValues<T, Dim>{terms});
  for_each("sparse::incompressible::transport_at_temperatures", at_temperatures_,
           TransportAtTemperatures<T, Dim>{grid_.body().view(), terms});
}

template class CellTransport<2>;
template class CellTransport<3>;
#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void CellTransport<Dim>::operator()(Field<T, Dim> const&, Field<T, Dim> const&, double, double, double,     \
                                               Field<T, Dim>&) const;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
