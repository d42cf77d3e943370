#pragma once
/// Fields of a flow as files and pictures want them: in the middle of cells.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All functions throw std::invalid_argument if a field does not fit. Velocities have Dim components on the grid's
/// storage, cell values have one. Each costs a pass over the cells. Cut cells and faces count as whole ones.

/// Cell values on the fluid alone.
template <class T, int Dim>
Field<T, Dim> on_fluid(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

/// Velocity in the middle of cells: Dim components on the fluid.
template <class T, int Dim>
Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The curl of velocity in the middle of cells, on the fluid: one component in 2D, three in 3D [1 / time]. It is made
/// of central differences of `cell_velocity`. Walls show its mirror image.
template <class T, int Dim>
Field<T, Dim> vorticity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

}  // namespace sparse::incompressible
