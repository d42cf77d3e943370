#pragma once
/// Totals of a flow.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All functions throw std::invalid_argument if a field does not fit. Velocities have Dim components on the grid's
/// storage, cell values have one. Each function costs a pass over the faces or cells. At curved walls, flux and energy
/// count the open part of a face, and `total` the fluid part of a cell.

/// The flow out through all boundary faces of a kind, minus the flow in [volume / time; in 2D area / time].
/// @throws std::invalid_argument  if the field does not fit, or no face can be of this kind
template <class T, int Dim>
double outward_flux(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, BoundaryKind kind);

/// The integral of |velocity|^2 / 2 over the fluid. On each axis, a cell takes the mean of the squares on its two
/// faces [length^(Dim + 2) / time^2].
/// @throws std::invalid_argument  unless there are Dim components on the grid's storage
template <class T, int Dim>
double kinetic_energy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The integral of cell values over the fluid. Of cells that curved walls cut, the part counts that also counts for
/// transport: the fluid part, and more where that is small. See `Smac`.
/// @throws std::invalid_argument  unless there is one component on the grid's storage
template <class T, int Dim>
double total(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

}  // namespace sparse::incompressible
