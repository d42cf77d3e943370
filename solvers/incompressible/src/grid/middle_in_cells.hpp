#pragma once
/// Centres of faces and cells.

#include <sparse/base/vec.hpp>

namespace sparse::incompressible::detail {

/// The centre of a face normal to an axis, or of a cell for axis Dim, in cell widths from cell 0.
template <int Dim>
Vec<double, Dim> middle_in_cells(Vec<Coord, Dim> const& cell, int normal) {
  Vec<double, Dim> place;
  for (int axis = 0; axis < Dim; ++axis) place[axis] = cell[axis] + (axis == normal ? 0.0 : 0.5);
  return place;
}

}  // namespace sparse::incompressible::detail
