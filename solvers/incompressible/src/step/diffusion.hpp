#pragma once
/// Viscosity.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// to = from + amount laplacian(from) on the computed faces, by second-order differences. Beyond no-slip walls and
/// inflows, the value is the mirror image of the velocity inside. Beyond free-slip walls and outflows, it is that
/// velocity itself.
/// @param amount    viscosity times time step; stable up to 1 / (2 sum of 1 / spacing^2)
/// @param from, to  different fields, Dim components on the grid's storage, boundary values included
/// @throws std::invalid_argument  if a field does not fit, or amount is negative or not finite
template <class T, int Dim>
void diffuse(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& from, double amount, Field<T, Dim>& to);

}  // namespace sparse::incompressible
