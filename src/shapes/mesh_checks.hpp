#pragma once
/// The conditions under which a mesh has an inside.

#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse::detail {

/// Throws unless the vertices of all triangles exist.
void expect_vertices(TriangleMesh const& mesh);
/// Throws unless every edge is used equally often in both directions.
void expect_closed(TriangleMesh const& mesh);

}  // namespace sparse::detail
