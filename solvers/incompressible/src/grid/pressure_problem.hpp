#pragma once
/// The Poisson problem of a fluid.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/poisson/problem.hpp>

namespace sparse::incompressible {

/// The pressure problem: no flux through boundary faces with a given velocity, pressure 0 on outflow faces. If ranks
/// share the fluid, it is that of all ranks.
template <int Dim>
poisson::Problem<Dim> pressure_problem(StaggeredGrid<Dim> const& grid);

}  // namespace sparse::incompressible
