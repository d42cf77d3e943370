#pragma once
/// Sets from closed surfaces of triangles.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// A surface of triangles, in units of the cell width.
struct TriangleMesh {
  /// Corners of triangles, which name them by their numbers.
  std::vector<Vec<double, 3>> vertices;
  std::vector<Vec<int, 3>> triangles;  ///< vertices of each; seen from outside, all turn in the same sense
};

/// The cells whose centres lie inside the surface: the surface winds around them in either sense. Bodies that overlap
/// are united. A surface inside another one is a hole when its triangles turn the other way.
///
/// Decided without rounding. A centre exactly on the surface belongs when the inside is on its right (x). On a face
/// along x it belongs when the inside is behind it (y), and so on. So bodies that share a face neither overlap nor
/// leave a gap; boxes follow the same rule.
/// Cost: proportional to the triangles and the rows they cross (times logarithms), not to the volume.
/// @throws std::invalid_argument  if the surface is not closed, that is, if an edge is not used equally often in both
///                                directions (two triangles that turn alike use it once in each); if a triangle names a
///                                vertex that does not exist; or if a coordinate is not finite or not between -2^30 + 1
///                                and 2^30
IntervalSet<3> triangle_mesh(TriangleMesh const& mesh, Context const& context = Context());

}  // namespace sparse
