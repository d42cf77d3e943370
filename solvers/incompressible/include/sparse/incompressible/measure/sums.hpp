#pragma once
/// Numbers of a flow as a whole.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All of these throw std::invalid_argument if a field does not fit; velocities have Dim components on the grid's
/// storage, cell values one. Each costs a pass over the faces or cells. Beside curved walls flux and energy count what
/// is open of a face; `total` takes cut cells for whole ones.

/// What flows out through all boundary faces of a kind, less what flows in there [volume / time; in 2D area].
template <class T, int Dim>
double outward_flux(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, BoundaryKind kind);

/// The integral of |velocity|^2 / 2 over the fluid, each component's square being the mean of those of two faces.
template <class T, int Dim>
double kinetic_energy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The integral of cell values over the fluid.
template <class T, int Dim>
double total(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

}  // namespace sparse::incompressible
