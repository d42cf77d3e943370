#pragma once
/// Where cells are in physical space.

#include <cmath>
#include <string>

#include <sparse/base/error.hpp>
#include <sparse/base/vec.hpp>

namespace sparse {

/// Cell c of level l covers origin + [c, c + 1) * spacing / 2^l on every axis; level 0 is meant where none is said.
///
/// Shapes are described in units of the cell width. One given in metres is scaled first, by hand,
/// `ball(grid.to_cells({0.5, 0.2}), 0.1 / grid.spacing[0])`, or by the functions of shapes/physical.hpp, which know
/// that a ball is an ellipsoid of cells where spacings differ.
template <int Dim>
struct Grid {
  Vec<double, Dim> origin = Vec<double, Dim>::filled(0);   ///< lower corner of cell 0 [m]
  Vec<double, Dim> spacing = Vec<double, Dim>::filled(1);  ///< cell width of level 0 [m], > 0

  /// Cell width of level `level`. Exactly `spacing / 2^level`.
  Vec<double, Dim> spacing_of(int level) const { return (1.0 / static_cast<double>(Index{1} << level)) * spacing; }

  /// The grid of level `level`, whose cell c is the one that this grid calls cell c of that level.
  Grid level(int level) const { return {origin, spacing_of(level)}; }

  /// A point in units of the cell width: cell c covers [c, c + 1).
  /// @throws std::invalid_argument  like all of these, if a spacing is not positive and finite
  Vec<double, Dim> to_cells(Vec<double, Dim> const& x) const {
    expect_valid();
    Vec<double, Dim> cells;
    for (int axis = 0; axis < Dim; ++axis) cells[axis] = (x[axis] - origin[axis]) / spacing[axis];
    return cells;
  }
  /// The point in space of one in units of the cell width.
  Vec<double, Dim> to_physical(Vec<double, Dim> const& cells) const {
    expect_valid();
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + cells[axis] * spacing[axis];
    return x;
  }
  /// Lengths along the axes, in units of the cell width.
  Vec<double, Dim> lengths_to_cells(Vec<double, Dim> const& lengths) const {
    expect_valid();
    Vec<double, Dim> cells;
    for (int axis = 0; axis < Dim; ++axis) cells[axis] = lengths[axis] / spacing[axis];
    return cells;
  }

  /// The cell that has a point; of points between cells, the upper one.
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
  /// The point in the middle of a cell.
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
