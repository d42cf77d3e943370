#include "cut_shares.hpp"

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/morphology.hpp>

#include "body.hpp"

namespace sparse::incompressible::detail {
namespace {

void write_shares(Context const& context, Buffer<CutOpening> const& openings, int axis, double* shares) {
  CutOpening const* const list = openings.data();
  parallel_for(
      context, "sparse::incompressible::write_shares", openings.size(), KOKKOS_LAMBDA(Index i) {
        if (list[i].axis == axis) shares[list[i].position] = list[i].share;
      });
}

template <int Dim>
void copy_to_seams(GridView<Dim> const& grid, double const* shares, Field<double, Dim>& to) {
  double* const values = to.component(0);
  for_each(
      "sparse::incompressible::copy_to_seams", Subset<Dim>(to.domain(), to.domain()),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { values[p.cell] = shares[grid.find(p.coordinates())]; });
}

}  // namespace

template <int Dim>
Field<double, Dim> open_shares(StaggeredGrid<Dim> const& grid, int axis) {
  Field<double, Dim> shares("open_shares", grid.storage());
  fill(shares, 1);
  write_shares(grid.context(), grid.body().cut.openings, axis, shares.component(0));
  return shares;
}

template <int Dim>
Field<double, Dim> pressure_coefficients(StaggeredGrid<Dim> const& grid, int axis) {
  auto shares = open_shares(grid, axis);
  if (!grid.domain().periodicity().is_any()) return shares;
  Field<double, Dim> at_seams("open_shares", sparse::faces(grid.fluid(), axis));
  copy_to_seams(grid.body().view(), shares.component(0), at_seams);
  return at_seams;
}

template Field<double, 2> open_shares(StaggeredGrid<2> const&, int);
template Field<double, 3> open_shares(StaggeredGrid<3> const&, int);
template Field<double, 2> pressure_coefficients(StaggeredGrid<2> const&, int);
template Field<double, 3> pressure_coefficients(StaggeredGrid<3> const&, int);

}  // namespace sparse::incompressible::detail
