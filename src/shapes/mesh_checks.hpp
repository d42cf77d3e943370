#pragma once
/// What a mesh must be to have an inside.

#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse::detail {

/// Throws unless the vertices of all triangles are there.
void expect_vertices(TriangleMesh const& mesh);
/// Throws unless every edge is used as often in one direction as in the other.
void expect_closed(TriangleMesh const& mesh);

}  // namespace sparse::detail
