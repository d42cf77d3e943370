#pragma once
/// Faces around which convection has what its polynomials need.

#include <array>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// The last faces, towards both arms of axis b, of four in a row that a polynomial may go through: the two in the
/// middle are open, and none is cut, so that velocities are those at the middles of faces. Both faces beside a flux
/// find the same four.
template <int Dim>
std::array<IntervalSet<Dim>, 2> ends_of_four(StaggeredGrid<Dim> const& grid, int axis, int b);

/// Those of some faces normal to an axis that have both faces beside them along each other axis.
template <int Dim>
IntervalSet<Dim> with_all_beside(StaggeredGrid<Dim> const& grid, int axis, IntervalSet<Dim> const& some);

}  // namespace sparse::incompressible::detail
