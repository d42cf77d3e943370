#pragma once
/// Extrema between equally spaced points.

namespace sparse::incompressible::detail {

/// How far from the middle one of three equally spaced points, in their distances, the extremum of the parabola through
/// them lies, and how much more its value is than the middle one.
struct Vertex {
  double offset, rise;
};

/// @param before, middle, after  values of which the middle one is the least or the greatest; if they are equal, it is
///                               the extremum
inline Vertex vertex_of_parabola(double before, double middle, double after) {
  double const bend = before - 2 * middle + after, slope = 0.5 * (after - before);
  if (bend == 0) return {0, 0};
  return {-slope / bend, -0.5 * slope * slope / bend};
}

}  // namespace sparse::incompressible::detail
