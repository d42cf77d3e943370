#pragma once
/// Colour pictures: pixels, colour maps, PNG files. Needs no display.

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace sparse::io {

/// Red, green, blue; 0 .. 255 each.
using Colour = std::array<std::uint8_t, 3>;

/// Pixels in three bytes each. Row 0 is the top of the picture.
struct Image {
  /// [pixels]
  int width = 0, height = 0;
  std::vector<Colour> pixels;  ///< [height * width], x fastest

  Image() = default;
  /// A picture of one colour.
  /// @throws std::invalid_argument  unless both sizes are in [1, 65536]
  Image(int width, int height, Colour background);

  /// A pixel; (0, 0) is the upper left one. Positions are not checked.
  Colour& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  Colour const& at(int x, int y) const { return const_cast<Image&>(*this).at(x, y); }
};

/// `viridis` and `inferno` grow evenly in lightness (van der Walt and Smith, 2015, CC0); `coolwarm` has a neutral
/// middle for data with a sign (Moreland, 2009).
enum class ColourMap { viridis, inferno, coolwarm };

/// The colour of `x` in [0, 1]; values outside get the colour of the nearest end, NaN gets magenta.
Colour colour_of(ColourMap map, double x);

/// Writes a PNG file, complete or not at all.
/// @throws std::invalid_argument  if the image is empty
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
void write_png(std::filesystem::path const& path, Image const& image);

/// Reads a PNG file in colour. A file of `write_png` gives the same pixels back.
/// @throws std::runtime_error  with the path and the reason: cannot be read, damaged, or too large
Image read_png(std::filesystem::path const& path);

}  // namespace sparse::io
