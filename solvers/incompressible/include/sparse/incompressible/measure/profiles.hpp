#pragma once
/// Velocity along lines.

#include <sparse/incompressible/measure/sample.hpp>

namespace sparse::incompressible {

/// The points of a line that are in the fluid, and the velocities there.
template <int Dim>
struct Profile {
  /// The points [m], and the velocity at each.
  std::vector<Vec<double, Dim>> points, velocity;
};

/// Velocity at the points that lie in the fluid, as `sample_velocity` gives it. Other points are left out.
/// @throws std::invalid_argument  if the field does not fit, or a point is not finite
template <class T, int Dim>
Profile<Dim> velocity_along(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                            std::vector<Vec<double, Dim>> const& points);

/// Velocity along the centre line parallel to an axis, through the middle of the fluid's bounding box. There is a point
/// at each cell centre along the line. If the number of cells across is even, velocity normal to the line is not
/// interpolated: its faces lie on the line.
/// @throws std::invalid_argument  if the field does not fit, or there is no such axis
template <class T, int Dim>
Profile<Dim> centre_line(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, int axis);

/// The extrema of one component along a profile. Parabolas through three equally spaced points place them between
/// points.
struct ProfileExtremum {
  double value, position;  ///< position: coordinate along the axis
};
/// The least and the greatest value along a line, and where they are.
struct ProfileExtrema {
  /// The two extrema.
  ProfileExtremum least, greatest;
};
/// @param axis  the axis along which the points are spaced
/// @throws std::invalid_argument  if the profile is empty, or there is no such axis or component
template <int Dim>
ProfileExtrema extrema_of(Profile<Dim> const& profile, int axis, int component);

}  // namespace sparse::incompressible
