#pragma once
/// Pictures as input: black and white or grey, for geometry drawn in another program.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sparse::io {

/// Grey values, 0 (black) to 255 (white).
///
/// Row 0 is the *bottom* of the picture: pixel (x, y) is cell (x, y) of a grid whose y axis points up. Files store the
/// top row first; readers reverse the order of rows.
struct Bitmap {
  /// [pixels]
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  ///< [height * width], x fastest

  /// The value of a pixel, 0 to 255; (0, 0) is the lower left one. Positions are not checked.
  std::uint8_t at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
};

/// Reads a PBM (P1, P4), PGM (P2, P5, up to 16 bits) or PNG file, also an interlaced one. The contents decide the
/// format, not the name.
///
/// The 1s of a PBM are black. Grey values are scaled to 0 .. 255, and colours become their luminance (Rec. 601).
/// Transparent pixels are drawn on white. Colour profiles and gamma values of PNG files are ignored.
/// @throws std::runtime_error  with the path and the reason: unreadable, of another kind, a broken header, more than
///                             2^28 pixels, fewer bytes than the header promises, a wrong checksum, corrupt data
Bitmap read_bitmap(std::filesystem::path const& path);

/// The same for a file in memory. Messages call it `name`.
/// @throws std::runtime_error  as `read_bitmap`
Bitmap decode_bitmap(std::string const& bytes, std::filesystem::path const& name);

/// 1 where a pixel is darker than `threshold`, else 0: [height * width], x fastest, from the bottom row on. With
/// `from_bitmap` it gives the dark cells of a drawing.
std::vector<std::uint8_t> dark_pixels(Bitmap const& bitmap, int threshold = 128);

}  // namespace sparse::io
