#pragma once
/// Velocities and cell values at any point of the fluid.

#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// Velocity at points in space, multilinear between the faces of each component, in host memory; beside walls it goes
/// to what the wall says (no-slip, moving), or does not change (free slip, outflow).
/// @param points  in the units of the grid's spacing
/// @throws std::invalid_argument  naming the first point that is in no cell of the fluid, or if the field does not fit
template <class T, int Dim>
std::vector<Vec<T, Dim>> sample_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                                         std::vector<Vec<double, Dim>> const& points);

/// Values of the cells at points, likewise. @param values  one component on the grid's storage
template <class T, int Dim>
std::vector<T> sample_cells(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values,
                            std::vector<Vec<double, Dim>> const& points);

}  // namespace sparse::incompressible
