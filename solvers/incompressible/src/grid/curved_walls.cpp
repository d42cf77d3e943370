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
  HostSet<Dim> plain;
  std::vector<Cell> opened[2 * Dim];
  auto const find_openings = [&](Cell const& cell, Index) {
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      auto const face = cell + Cell::along(arm / 2, arm % 2);
      if (geometry.opening(face, arm / 2).share >= least_opening) opened[arm].push_back(cell);
    }
  };
  auto const keep_outside = [&](RowKey key, Interval interval, bool is_outside) {
    if (is_outside) detail::append(plain, key, interval);
  };
  detail::visit_by_distance<Dim>(geometry, cells.to_host(), find_openings, keep_outside);
  plain.row_ptr.push_back(static_cast<Index>(plain.intervals.size()));
  Periodicity<Dim> const periodicity{cells.bounds().begin, period};
  auto result = from_host(plain, cells.context());
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
