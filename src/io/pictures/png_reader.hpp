#pragma once
/// PNG files as grey bitmaps.

#include <filesystem>
#include <string>

#include <sparse/io/pictures/bitmap.hpp>

namespace sparse::io {

/// Whether these bytes start like a PNG file.
bool is_png(std::string const& bytes);

/// Decodes a PNG file of any kind, and checks structure and checksums up to its end. Transparent pixels are drawn on
/// white.
/// @throws std::runtime_error  with `path` and the reason
Bitmap read_png(std::filesystem::path const& path, std::string const& bytes, std::int64_t pixel_limit);

}  // namespace sparse::io
