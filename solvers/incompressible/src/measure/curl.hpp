#pragma once
/// Vorticity at some cells, from velocities on faces.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/plans/plan.hpp>

namespace sparse::incompressible::detail {

/// Operands: a cell among the wanted ones; the same in storage; the next cell along each axis in storage. Then its
/// neighbours (see `face_arms`) in the fluid. Then for each neighbour the next cell along each axis but that to the
/// neighbour.
template <int Dim>
using CurlPlan = Plan<Dim, 2 + 3 * Dim + 2 * Dim*(Dim - 1)>;

/// @param cells  the wanted ones, of the fluid
template <int Dim>
CurlPlan<Dim> curl_plan(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& cells);

/// Writes the vorticity of the plan's cells: a component in 2D, three in 3D.
/// @param to  on the wanted cells
template <class T, int Dim>
void take_curl(StaggeredGrid<Dim> const& grid, CurlPlan<Dim> const& cells, Field<T, Dim> const& velocity,
               Field<T, Dim>& to);

}  // namespace sparse::incompressible::detail
