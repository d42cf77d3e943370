#pragma once
/// Open shares of faces at curved walls.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// The open shares of the faces normal to an axis, on the grid's storage.
template <int Dim>
Field<double, Dim> open_shares(StaggeredGrid<Dim> const& grid, int axis);

/// The same as coefficients of the pressure solver. It also needs faces beyond periodic sides.
template <int Dim>
Field<double, Dim> pressure_coefficients(StaggeredGrid<Dim> const& grid, int axis);

}  // namespace sparse::incompressible::detail
