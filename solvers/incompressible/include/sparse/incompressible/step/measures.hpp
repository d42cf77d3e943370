#pragma once
/// Numbers and pictures of a flow.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All of these throw std::invalid_argument if a field does not fit; velocities have Dim components on the grid's
/// storage, cell values one. Each costs a pass over the faces or cells. Beside curved walls fluxes, divergence and
/// energy count what is open of a face; all else takes cut cells and faces for whole ones.

/// The greatest |velocity| along each axis.
template <class T, int Dim>
Vec<double, Dim> greatest_speeds(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The greatest |value| of the fluid cells.
template <class T, int Dim>
double greatest_value(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

/// The time in which nothing crosses more than `cells` cells along an axis; infinite at rest.
/// @param acceleration  greatest ones along the axes, >= 0, that velocity may gain in that time [length / time^2]
template <class T, int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double cells,
                     Vec<double, Dim> const& acceleration = {});
/// The same for given greatest speeds.
template <int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Vec<double, Dim> const& speeds, double cells,
                     Vec<double, Dim> const& acceleration = {});

/// The greatest |div velocity| of a cell, and its root mean square [1 / time].
struct Divergence {
  double greatest = 0, root_mean_square = 0;
};
template <class T, int Dim>
Divergence divergence_of(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// What flows out through all boundary faces of a kind, less what flows in there [volume / time; in 2D area].
template <class T, int Dim>
double outward_flux(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, BoundaryKind kind);

/// The integral of |velocity|^2 / 2 over the fluid, each component's square being the mean of those of two faces.
template <class T, int Dim>
double kinetic_energy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The integral of cell values over the fluid.
template <class T, int Dim>
double total(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

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
