#pragma once
/// How long a time step may be.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All of these throw std::invalid_argument if a field does not fit; velocities have Dim components on the grid's
/// storage, cell values one. Each costs a pass over the faces or cells.

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

/// The longest stable time step of `diffuse`; infinite without viscosity.
template <int Dim>
double diffusive_time_step(StaggeredGrid<Dim> const& grid, double viscosity);

}  // namespace sparse::incompressible
