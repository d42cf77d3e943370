#pragma once
/// Fields of a flow at cell centres, as files and pictures need them.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All functions throw std::invalid_argument if a field does not fit. Velocities have Dim components on the grid's
/// storage, cell values have one. Each costs a pass over the cells. Cut cells and faces count as whole ones.

/// Restricts cell values to the fluid: a new field of one component. Cost of each function here: a pass over the cells.
/// @throws std::invalid_argument  unless there is one component on the grid's storage
template <class T, int Dim>
Field<T, Dim> on_fluid(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

/// Velocity at cell centres: Dim components on the fluid. A component is the mean of the two faces of a cell.
/// @throws std::invalid_argument  unless there are Dim components on the grid's storage
template <class T, int Dim>
Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The curl of velocity at cell centres, on the fluid: one component in 2D, three in 3D [1 / time]. It uses central
/// differences of `cell_velocity`. Beyond walls, the mirror image of the velocity is used.
/// @throws std::invalid_argument  unless there are Dim components on the grid's storage
template <class T, int Dim>
Field<T, Dim> vorticity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

}  // namespace sparse::incompressible
