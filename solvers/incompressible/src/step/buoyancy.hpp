#pragma once
/// Forces that are in proportion to what the flow carries.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// velocity += time_step values acceleration on the computed faces, with the mean of the values on both sides.
/// @param values        one component on the grid's storage: a temperature above that of the surroundings, smoke
/// @param acceleration  where the value is 1 [length / time^2]: up for what is warm, down for what is heavy
/// @throws std::invalid_argument  if a field does not fit
template <class T, int Dim>
void add_buoyancy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values, Vec<double, Dim> const& acceleration,
                  double time_step, Field<T, Dim>& velocity);

}  // namespace sparse::incompressible
