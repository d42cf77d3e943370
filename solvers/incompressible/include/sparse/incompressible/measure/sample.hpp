#pragma once
/// Velocities and cell values at any point of the fluid.

#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// Velocity at points in space, multilinear between the faces of each component, in host memory. Beside a no-slip wall
/// it tends to the velocity of the wall. Beside free-slip walls and outflows it stays constant.
/// @param points  in space, according to the grid's origin and spacing [length]
/// @return        [points.size()]
/// @throws std::invalid_argument  if a point is in no cell of the fluid (names the first), or the field does not fit
template <class T, int Dim>
std::vector<Vec<T, Dim>> sample_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                                         std::vector<Vec<double, Dim>> const& points);

/// The same for cell values.
/// @param values  one component on the grid's storage
/// @throws std::invalid_argument  as above
template <class T, int Dim>
std::vector<T> sample_cells(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values,
                            std::vector<Vec<double, Dim>> const& points);

}  // namespace sparse::incompressible
