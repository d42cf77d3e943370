#pragma once
/// Triangle meshes from files.

#include <filesystem>

#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse::io {

/// Reads the triangles of an STL file, ASCII (of any number of solids) or binary.
///
/// Corners with equal coordinates become one vertex, so that `triangle_mesh` can check whether the surface is closed.
/// Triangles with two equal corners are left out. Normals are ignored: the order of the corners counts. Coordinates
/// stay in the unit of the file; `to_cells(grid, mesh)` scales them.
/// Only one thread at a time may call this: VTK has one global place for messages.
/// @throws std::runtime_error  with the path and the reason: unreadable, empty, not an STL file, truncated, without
///                             triangles, coordinates that are not finite
TriangleMesh read_stl(std::filesystem::path const& path);

}  // namespace sparse::io
