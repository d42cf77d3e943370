#pragma once
/// Friction along a straight wall: where a flow leaves the wall, and where it comes back.

#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// A straight piece of a no-slip wall, parallel to an axis: of a side of the box, or of a body made of cells.
template <int Dim>
struct WallLine {
  int normal = 1;                   ///< the axis across the wall
  FaceSide side = FaceSide::lower;  ///< lower: the wall lies below the fluid; upper: above it
  /// The ends. They differ along one axis, not the normal one. The wall is that of the faces nearest to `from`.
  Vec<double, Dim> from = {}, to = {};
};

/// The shear rate at points of a wall, from `from` to `to`.
struct WallShear {
  std::vector<double> positions;  ///< coordinates along the line
  /// The derivative of velocity along the line by the distance from the wall [1 / time]. It is positive where the fluid
  /// beside the wall flows from `from` to `to`, relative to the wall. Friction is viscosity times density times it.
  std::vector<double> rates;
  double spacing = 0;  ///< between neighbouring points
};

/// The shear rate at the corners of cells along a wall. It is the slope, at the wall, of the parabola through the
/// velocity of the wall and those at half a cell and at one cell and a half. So it is exact for parabolic profiles.
/// Points that do not have a no-slip wall and two cells of fluid on both sides along the line are left out. Walls that
/// cut cells are none of these.
/// @throws std::invalid_argument  if the field does not fit, the line makes no sense, or it has no point
template <class T, int Dim>
WallShear wall_shear(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, WallLine<Dim> const& line);

/// A point where the shear rate changes its sign.
struct ShearChange {
  double position;  ///< between two points: where the line through their rates is 0
  /// From backward to forward flow. The flow comes back to the wall here, otherwise it leaves it.
  bool is_reattachment;
};

/// All changes of sign in the order of the points. Where the rate is 0 at several points, the middle of these counts.
/// There are no changes across gaps, where points have been left out.
/// @throws std::invalid_argument  unless there is a rate for each position
std::vector<ShearChange> shear_changes(WallShear const& shear);

}  // namespace sparse::incompressible
