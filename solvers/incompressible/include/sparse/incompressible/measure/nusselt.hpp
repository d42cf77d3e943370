#pragma once
/// Heat transfer from walls to a flow.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// The mean Nusselt number of a part of the boundary that has a temperature. It is the mean derivative of temperature
/// from the fluid to the wall, times `length`, over `difference`. With a positive difference, it is positive where the
/// wall is warmer than the fluid. The derivative is the scheme's difference over half a cell. So it gives exactly the
/// heat that the fluid has received from the wall.
///
/// @param temperature  one component on the grid's storage
/// @param part         number in the domain's parts
/// @param length, difference  reference length and temperature difference; not 0
/// Cost: a pass over the part's faces.
/// @throws std::invalid_argument  if the field does not fit, there is no such part, or it has no faces or no
///                                temperature
template <class T, int Dim>
double mean_nusselt(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part, double length,
                    double difference);

}  // namespace sparse::incompressible
