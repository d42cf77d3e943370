#pragma once
/// Velocity along lines.

#include <sparse/incompressible/measure/sample.hpp>

namespace sparse::incompressible {

/// The points of a line that are in the fluid, and the velocities there.
template <int Dim>
struct Profile {
  std::vector<Vec<double, Dim>> points, velocity;
};

/// Velocity at those of some points that are in the fluid, as `sample_velocity` gives it.
/// @throws std::invalid_argument  if the field does not fit, or a point is not finite
template <class T, int Dim>
Profile<Dim> velocity_along(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                            std::vector<Vec<double, Dim>> const& points);

/// Velocity along the line parallel to an axis through the middle of the box around the fluid: a point in the middle of
/// each cell, where a component normal to the line has its own values if the number of cells across is even.
/// @throws std::invalid_argument  if the field does not fit, or there is no such axis
template <class T, int Dim>
Profile<Dim> centre_line(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, int axis);

/// The extrema of one component along a profile, between equally spaced points by parabolas through three of them.
struct ProfileExtremum {
  double value, position;  ///< position: coordinate along the axis
};
struct ProfileExtrema {
  ProfileExtremum least, greatest;
};
/// @param axis  along which the points are apart
/// @throws std::invalid_argument  if the profile is empty, or there is no such axis or component
template <int Dim>
ProfileExtrema extrema_of(Profile<Dim> const& profile, int axis, int component);

}  // namespace sparse::incompressible
