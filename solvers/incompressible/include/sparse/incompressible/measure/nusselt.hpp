#pragma once
/// The heat that walls give to a flow.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// The mean Nusselt number of a part of the boundary that has a temperature. It is the mean derivative of temperature
/// from the fluid to the wall, times a length, over a difference of temperatures. It is positive where the wall is
/// warmer than the fluid, for a positive difference. The derivative is that of the scheme, over half a cell. So it is
/// the heat that the fluid has received from the wall.
///
/// @param temperature  one component on the grid's storage
/// @param part         number in the domain's parts
/// @param length, difference  to which the number refers; not 0
/// Cost: a pass over the part's faces.
/// @throws std::invalid_argument  if the field does not fit, there is no such part, or it has no faces or no
/// temperature
template <class T, int Dim>
double mean_nusselt(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part, double length,
                    double difference);

}  // namespace sparse::incompressible
