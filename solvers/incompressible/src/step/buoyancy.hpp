#pragma once
/// Forces on all of the fluid, and those proportional to a carried value.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// velocity += time_step values acceleration on the computed faces, with the mean of the values on both sides.
/// @param values        one component on the grid's storage, for example smoke, or temperature above the surroundings
/// @param acceleration  per unit of the value [length / time^2]: upwards for warm fluid, downwards for heavy fluid
/// @throws std::invalid_argument  if a field does not fit
template <class T, int Dim>
void add_buoyancy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values, Vec<double, Dim> const& acceleration,
                  double time_step, Field<T, Dim>& velocity);

/// velocity += time_step acceleration on the computed faces.
template <class T, int Dim>
void add_acceleration(StaggeredGrid<Dim> const& grid, Vec<double, Dim> const& acceleration, double time_step,
                      Field<T, Dim>& velocity);

}  // namespace sparse::incompressible
