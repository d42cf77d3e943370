#pragma once
/// Closed curves through points in the plane.

#include <filesystem>
#include <vector>

#include <sparse/base/vec.hpp>

namespace sparse::app {

/// x and y.
using PlanePoint = Vec<double, 2>;

/// Reads a closed line: a CSV file of two numbers per line (comments with # and lines that begin with a letter are
/// skipped), or the first polygon, polyline or path of an SVG file. Paths may consist of straight parts only. SVG's y
/// axis points down; the result's points up. A last point that equals the first is left out.
/// @throws std::runtime_error  with the path and the reason: unreadable, less than three points, a number that is none,
///                             a path with curves
std::vector<PlanePoint> read_outline(std::filesystem::path const& path);

/// Moves and scales points to the middle of the unit square. The longer side of their bounding box becomes `size`.
/// @throws std::invalid_argument  if all points are equal
std::vector<PlanePoint> fitted(std::vector<PlanePoint> points, double size);

/// How a curve goes through its points.
struct CurveOptions {
  int degree = 3;            ///< of the Z-spline: 1, 3 or 5
  double corner_angle = 60;  ///< the curve has a corner where its direction turns by more than this [degrees]
};

/// Points at equal distances along the closed Z-spline through the given ones.
///
/// A Z-spline of degree 2m - 1 has, at each point, the m - 1 derivatives of the polynomial through the 2m - 1 nearest
/// points. Chords measure the parameter, so no degree has an order beyond 4. No such polynomial reaches beyond a
/// corner.
/// @param distance  wanted [length], > 0; the true one differs so that a whole number of points fits
/// @throws std::invalid_argument  for less than three points, two equal ones after each other, another degree, or a
///                                distance that is not positive
/// Source: Becerra-Sagredo (2003), Z-splines: moment conserving cardinal spline interpolation of compact support for
/// arbitrarily spaced data, ETH Zurich, SAM report 2003-10.
std::vector<PlanePoint> resampled(std::vector<PlanePoint> const& points, double distance,
                                  CurveOptions const& options = {});

/// The length of the closed line through points, in their unit.
double perimeter(std::vector<PlanePoint> const& points);

}  // namespace sparse::app
