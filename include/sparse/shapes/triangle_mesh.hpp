#pragma once
/// Bodies bounded by triangles as sets.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// A surface of triangles, in units of the cell width.
struct TriangleMesh {
  std::vector<Vec<double, 3>> vertices;
  std::vector<Vec<int, 3>> triangles;  ///< vertices, in the same sense of rotation seen from outside for all of a body
};

/// The cells whose centres lie inside the surface: where it winds around them in either sense. Bodies that overlap are
/// united; a surface inside another one is a hole when its triangles turn the other way.
///
/// Decided without rounding. A centre exactly on the surface belongs when the inside is on its right (x), of faces
/// along x when it is behind (y), and so on, as with boxes; so bodies that share a face neither overlap nor leave a
/// gap. Cost: that of the triangles, and of the rows they cross (times logarithms), not of the volume.
/// @throws std::invalid_argument  if the surface is not closed, that is, if an edge is not used as often in one
///                                direction as in the other (as by two triangles that turn alike); if a triangle names
///                                a vertex that is not there; or if a coordinate is not finite or not between
///                                -2^30 + 1 and 2^30
IntervalSet<3> triangle_mesh(TriangleMesh const& mesh, Context const& context = Context());

}  // namespace sparse
