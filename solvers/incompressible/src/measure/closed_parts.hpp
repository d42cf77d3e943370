#pragma once
/// What sums over whole faces count too much beside curved walls.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// The squares of velocities on the closed parts of faces. Each counts a quarter for each cell of the fluid beside it.
template <class T, int Dim>
double closed_squares(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// Cell values, each times the part of the cell that does not count.
template <class T, int Dim>
double closed_values(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

}  // namespace sparse::incompressible::detail
