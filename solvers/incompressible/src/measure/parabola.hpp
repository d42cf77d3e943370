#pragma once
/// Extrema between equally spaced points.

namespace sparse::incompressible::detail {

/// The vertex of the parabola through three equally spaced points. `offset` is its distance from the middle point, in
/// spacings. `rise` is its value minus the middle value.
struct Vertex {
  double offset, rise;
};

/// @param before, middle, after  values; the middle one is the least or the greatest. If all are equal, the vertex is
///                               the middle point
inline Vertex vertex_of_parabola(double before, double middle, double after) {
  double const bend = before - 2 * middle + after, slope = 0.5 * (after - before);
  if (bend == 0) return {0, 0};
  return {-slope / bend, -0.5 * slope * slope / bend};
}

}  // namespace sparse::incompressible::detail
