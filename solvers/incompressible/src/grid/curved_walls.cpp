#include <sparse/incompressible/grid/curved_walls.hpp>

#include <sparse/incompressible/grid/periodicity.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "cut_geometry.hpp"

namespace sparse::incompressible {

template <int Dim>
IntervalSet<Dim> open_cells(IntervalSet<Dim> const& cells, Grid<Dim> const& grid, SignedDistance<Dim> const& distance,
                            Vec<Coord, Dim> const& period) {
  expects(static_cast<bool>(distance), "incompressible: there is no distance");
  grid.expect_valid();
  using Cell = Vec<Coord, Dim>;
  detail::CutGeometry<Dim> const geometry(distance, grid);
  std::vector<Cell> plain, opened[2 * Dim];
  cells.to_host().for_each_cell([&](Cell const& cell, Index) {
    double const far = geometry.at(detail::middle_in_cells(cell, Dim));
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

template IntervalSet<2> open_cells(IntervalSet<2> const&, Grid<2> const&, SignedDistance<2> const&,
                                   Vec<Coord, 2> const&);
template IntervalSet<3> open_cells(IntervalSet<3> const&, Grid<3> const&, SignedDistance<3> const&,
                                   Vec<Coord, 3> const&);

}  // namespace sparse::incompressible
