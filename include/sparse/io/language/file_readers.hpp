#pragma once
/// Readers that the language calls without linking their libraries.

#include <filesystem>
#include <functional>
#include <string>

#include <sparse/io/sets/cell_image.hpp>
#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse::io {

/// Readers for `stl`, and for `above` and `below`. A function whose reader is empty fails when it is evaluated.
/// `vtk_readers()` of sparse::io_vtk has all readers.
struct FileReaders {
  /// Read a mesh, or an image of cells. Empty: the format is not supported.
  std::function<TriangleMesh(std::filesystem::path const&)> triangles = {};
  std::function<CellImage(std::filesystem::path const&, std::string const& array)> image = {};
};

}  // namespace sparse::io
