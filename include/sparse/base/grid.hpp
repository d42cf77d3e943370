#pragma once
/// The map between cells and physical space.

#include <cmath>
#include <string>

#include <sparse/base/error.hpp>
#include <sparse/base/vec.hpp>

namespace sparse {

/// Cell c of level l covers origin + [c, c + 1) * spacing / 2^l on every axis. Functions without a level mean level 0.
///
/// Shapes take lengths in units of the cell width. A shape in metres can be scaled by hand, as in
/// `ball(grid.to_cells({0.5, 0.2}), 0.1 / grid.spacing[0])`. The functions of shapes/physical.hpp do the same for any
/// spacing: with unequal spacings, a ball in space is an ellipsoid of cells.
template <int Dim>
struct Grid {
  Vec<double, Dim> origin = Vec<double, Dim>::filled(0);   ///< lower corner of cell 0 [m]
  Vec<double, Dim> spacing = Vec<double, Dim>::filled(1);  ///< cell width of level 0 [m], > 0

  /// Cell width of level `level`. Exactly `spacing / 2^level`.
  Vec<double, Dim> spacing_of(int level) const { return (1.0 / static_cast<double>(Index{1} << level)) * spacing; }

  /// The grid of level `level`: its cell c is cell c of that level in this grid.
  Grid level(int level) const { return {origin, spacing_of(level)}; }

  /// Converts a point [m] to units of the cell width: cell c covers [c, c + 1).
  /// @throws std::invalid_argument  if a spacing is not positive and finite, or the origin is not finite
  Vec<double, Dim> to_cells(Vec<double, Dim> const& x) const {
    expect_valid();
    Vec<double, Dim> cells;
    for (int axis = 0; axis < Dim; ++axis) cells[axis] = (x[axis] - origin[axis]) / spacing[axis];
    return cells;
  }
  /// Converts a point from units of the cell width to physical space [m].
  /// @throws std::invalid_argument  as `to_cells`
  Vec<double, Dim> to_physical(Vec<double, Dim> const& cells) const {
    expect_valid();
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + cells[axis] * spacing[axis];
    return x;
  }
  /// Converts lengths along the axes [m] to units of the cell width.
  /// @throws std::invalid_argument  as `to_cells`
  Vec<double, Dim> lengths_to_cells(Vec<double, Dim> const& lengths) const {
    expect_valid();
    Vec<double, Dim> cells;
    for (int axis = 0; axis < Dim; ++axis) cells[axis] = lengths[axis] / spacing[axis];
    return cells;
  }

  /// The cell that contains a point. A point on a face belongs to the upper cell.
  /// @throws std::invalid_argument  if that cell is out of the range of coordinates, or x is not finite
  Vec<Coord, Dim> cell_of(Vec<double, Dim> const& x) const {
    Vec<double, Dim> const cells = to_cells(x);
    Vec<Coord, Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) {
      double const floor = std::floor(cells[axis]);
      if (!(floor > -coord_limit && floor < coord_limit))
        fail("grid: the point " + std::to_string(x[axis]) + " on axis " + std::to_string(axis) +
             " is in no cell of the range of coordinates, -2^30 < x < 2^30");
      cell[axis] = static_cast<Coord>(floor);
    }
    return cell;
  }
  /// The centre of a cell in physical space [m].
  /// @throws std::invalid_argument  as `to_cells`
  Vec<double, Dim> center(Vec<Coord, Dim> const& cell) const {
    Vec<double, Dim> middle;
    for (int axis = 0; axis < Dim; ++axis) middle[axis] = cell[axis] + 0.5;
    return to_physical(middle);
  }

  /// @throws std::invalid_argument  unless every spacing is positive and finite, and the origin is finite
  void expect_valid() const {
    for (int axis = 0; axis < Dim; ++axis) {
      if (!(std::isfinite(spacing[axis]) && spacing[axis] > 0))
        fail("grid: the spacing " + std::to_string(spacing[axis]) + " on axis " + std::to_string(axis) +
             " is not positive");
      if (!std::isfinite(origin[axis])) fail("grid: the origin is not finite on axis " + std::to_string(axis));
    }
  }
};

}  // namespace sparse
