#pragma once
/// Fields of a flow as files and pictures want them: in the middle of cells.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All of these throw std::invalid_argument if a field does not fit; velocities have Dim components on the grid's
/// storage, cell values one. Each costs a pass over the cells. Cut cells and faces count as whole ones.

/// Cell values on the fluid alone, as files and pictures want them.
template <class T, int Dim>
Field<T, Dim> on_fluid(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

/// Velocity in the middle of the cells: Dim components on the fluid.
template <class T, int Dim>
Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// curl velocity in the middle of the cells, on the fluid: one component in 2D, three in 3D [1 / time]. Central
/// differences of the velocity in the middle of cells; of which walls show the mirror image.
template <class T, int Dim>
Field<T, Dim> vorticity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

}  // namespace sparse::incompressible
