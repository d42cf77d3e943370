#pragma once
/// What curved walls leave open of faces.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// What is open of the faces normal to an axis, on the grid's storage.
template <int Dim>
Field<double, Dim> open_shares(StaggeredGrid<Dim> const& grid, int axis);

/// The same as the pressure solver wants it: also beyond the seams of a space that repeats itself.
template <int Dim>
Field<double, Dim> pressure_coefficients(StaggeredGrid<Dim> const& grid, int axis);

}  // namespace sparse::incompressible::detail
