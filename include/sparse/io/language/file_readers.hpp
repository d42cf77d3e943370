#pragma once
/// What the language reads by libraries that it does not link itself.

#include <filesystem>
#include <functional>
#include <string>

#include <sparse/io/sets/cell_image.hpp>
#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse::io {

/// Readers for `stl`, and for `above` and `below`. Those that are empty make these functions fail when they are
/// evaluated; `vtk_readers()` of sparse::io_vtk has them all.
struct FileReaders {
  std::function<TriangleMesh(std::filesystem::path const&)> triangles = {};
  std::function<CellImage(std::filesystem::path const&, std::string const& array)> image = {};
};

}  // namespace sparse::io
