#pragma once
/// What curved walls leave open of faces.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// The open shares of the faces normal to an axis, on the grid's storage.
template <int Dim>
Field<double, Dim> open_shares(StaggeredGrid<Dim> const& grid, int axis);

/// The same for the pressure solver, which also needs faces beyond the seams of a periodic space.
template <int Dim>
Field<double, Dim> pressure_coefficients(StaggeredGrid<Dim> const& grid, int axis);

}  // namespace sparse::incompressible::detail
