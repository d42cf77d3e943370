#pragma once
/// Limits of the time step.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// All functions throw std::invalid_argument if a field does not fit. Velocities have Dim components on the grid's
/// storage, cell values have one. Each costs a pass over the faces or cells.

/// The greatest |velocity| along each axis [length / time]. Cost: a pass over the faces; waits.
/// @throws std::invalid_argument  unless there are Dim components on the grid's storage
template <class T, int Dim>
Vec<double, Dim> greatest_speeds(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

/// The greatest |value| of the fluid cells. Cost: a pass over them; waits.
/// @throws std::invalid_argument  unless there is one component on the grid's storage
template <class T, int Dim>
double greatest_value(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values);

/// The longest time in which nothing crosses more than `cells` cells along an axis. Infinite at rest.
/// @throws std::invalid_argument  unless there are Dim components on the grid's storage
/// @param acceleration  the greatest one along each axis in that time, >= 0 [length / time^2]
template <class T, int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double cells,
                     Vec<double, Dim> const& acceleration = {});
/// The same for given greatest speeds.
template <int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Vec<double, Dim> const& speeds, double cells,
                     Vec<double, Dim> const& acceleration = {});

/// The longest stable time step of explicit viscosity, 1 / (2 viscosity sum of 1 / spacing^2). Infinite without
/// viscosity.
/// @param viscosity  >= 0 [length^2 / time]
/// @throws std::invalid_argument  if it is negative or not finite
template <int Dim>
double diffusive_time_step(StaggeredGrid<Dim> const& grid, double viscosity);

}  // namespace sparse::incompressible
