#include <sparse/incompressible/curved_walls/curved_walls.hpp>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "cut_geometry.hpp"
#include "cut_walls.hpp"

namespace sparse::incompressible {
namespace detail {
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

template <class T, int Dim>
void divergence_at_cuts(Context const& context, CutWalls<Dim> const& cut, FieldView<T const> velocity,
                        Vec<double, Dim> const& factor, T* result) {
  CutCell<Dim> const* const cells = cut.cells.data();
  parallel_for(
      context, "sparse::incompressible::divergence_at_cuts", cut.cells.size(), KOKKOS_LAMBDA(Index i) {
        CutCell<Dim> const& cell = cells[i];
        double sum = 0;
        for (int arm = 0; arm < 2 * Dim; ++arm)
          sum += (arm % 2 == 0 ? -1 : 1) * factor[arm / 2] * cell.share[arm] *
                 static_cast<double>(velocity(arm / 2, cell.faces[arm]));
        result[cell.in_fluid] = static_cast<T>(sum);
      });
}

template <int Dim>
Field<double, Dim> open_shares(StaggeredGrid<Dim> const& grid, int axis) {
  Field<double, Dim> shares("open_shares", grid.storage());
  fill(shares, 1);
  write_shares(grid.context(), grid.cut().openings, axis, shares.component(0));
  return shares;
}

template <int Dim>
Field<double, Dim> pressure_coefficients(StaggeredGrid<Dim> const& grid, int axis) {
  auto shares = open_shares(grid, axis);
  if (!grid.domain().periodicity().is_any()) return shares;
  Field<double, Dim> at_seams("open_shares", sparse::faces(grid.fluid(), axis));
  copy_to_seams(grid.view(), shares.component(0), at_seams);
  return at_seams;
}

template Field<double, 2> open_shares(StaggeredGrid<2> const&, int);
template Field<double, 3> open_shares(StaggeredGrid<3> const&, int);
template Field<double, 2> pressure_coefficients(StaggeredGrid<2> const&, int);
template Field<double, 3> pressure_coefficients(StaggeredGrid<3> const&, int);
#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void divergence_at_cuts(Context const&, CutWalls<Dim> const&, FieldView<T const>, Vec<double, Dim> const&,  \
                                   T*);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace detail

template <int Dim>
IntervalSet<Dim> open_cells(IntervalSet<Dim> const& cells, Vec<double, Dim> const& spacing,
                            SignedDistance<Dim> const& distance, Vec<Coord, Dim> const& period) {
  expects(static_cast<bool>(distance), "incompressible: there is no distance");
  using Cell = Vec<Coord, Dim>;
  detail::CutGeometry<Dim> const geometry(distance, spacing);
  std::vector<Cell> plain, opened[2 * Dim];
  cells.to_host().for_each_cell([&](Cell const& cell, Index) {
    double const far = geometry.at(detail::CutGeometry<Dim>::middle_of(cell, Dim));
    if (far > geometry.reach()) return plain.push_back(cell);
    if (far < -geometry.reach()) return;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      auto const face = cell + Cell::along(arm / 2, arm % 2);
      if (geometry.opening(face, arm / 2).share >= least_opening) opened[arm].push_back(cell);
    }
  });
  Periodicity<Dim> const periodicity{cells.bounds().begin, period};
  auto result = detail::set_of<Dim>(plain, cells.context());
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    auto const beside = periodicity.stored(shift(cells, arm / 2, arm % 2 == 0 ? 1 : -1));
    result = result | (detail::set_of<Dim>(opened[arm], cells.context()) & beside);
  }
  return result;
}

template IntervalSet<2> open_cells(IntervalSet<2> const&, Vec<double, 2> const&, SignedDistance<2> const&,
                                   Vec<Coord, 2> const&);
template IntervalSet<3> open_cells(IntervalSet<3> const&, Vec<double, 3> const&, SignedDistance<3> const&,
                                   Vec<Coord, 3> const&);

}  // namespace sparse::incompressible
