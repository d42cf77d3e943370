#pragma once
/// VTK polygonal data (.vtp), which ParaView and VisIt open.

#include <filesystem>

#include <sparse/io/pictures/poly_data.hpp>

namespace sparse::io {

/// Writes points, lines and polygons with all arrays, in double precision.
///
/// Arrays are inline base64, zlib level 1. The file is complete or not there.
/// @throws std::invalid_argument  for data that `check_poly_data` refuses
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
void write_vtp(std::filesystem::path const& path, PolyData const& data);

}  // namespace sparse::io
