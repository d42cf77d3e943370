#include <sparse/io/pictures/image.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include <png.h>

#include <sparse/base/error.hpp>
#include <sparse/io/files/file.hpp>

#include "io/files/failure.hpp"

namespace sparse::io {
namespace {

// Evenly spaced samples of each map, joined by straight lines.
constexpr Colour viridis[] = {{68, 1, 84},    {72, 36, 117},  {65, 68, 135},  {53, 95, 141},
                              {42, 120, 142}, {33, 145, 140}, {34, 168, 132}, {68, 191, 112},
                              {122, 209, 81}, {189, 223, 38}, {253, 231, 37}};
constexpr Colour inferno[] = {{0, 0, 4},      {22, 11, 57},   {66, 10, 104},  {106, 23, 110},
                              {147, 38, 103}, {188, 55, 84},  {221, 81, 58},  {243, 120, 25},
                              {252, 165, 10}, {246, 215, 70}, {252, 255, 164}};
constexpr Colour coolwarm[] = {{59, 76, 192},   {98, 130, 234},  {141, 176, 254}, {184, 208, 249}, {221, 221, 221},
                               {245, 196, 173}, {244, 154, 123}, {222, 96, 77},   {180, 4, 38}};

/// The colours of a map at equal steps, so that a pixel costs a look-up.
using Palette = std::array<Colour, 4096>;

Palette palette_of(std::span<Colour const> samples) {
  Palette palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    double const position = static_cast<double>(i * (samples.size() - 1)) / static_cast<double>(palette.size() - 1);
    auto const first = std::min(static_cast<std::size_t>(position), samples.size() - 2);
    double const t = position - static_cast<double>(first);
    for (std::size_t c = 0; c < 3; ++c)
      palette[i][c] = static_cast<std::uint8_t>(std::lround((1 - t) * samples[first][c] + t * samples[first + 1][c]));
  }
  return palette;
}

}  // namespace

Image::Image(int width_, int height_, Colour background) : width(width_), height(height_) {
  expects(width >= 1 && width <= 65536 && height >= 1 && height <= 65536, "an image has 1 to 65536 pixels per side");
  pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background);
}

Colour colour_of(ColourMap map, double x) {
  if (std::isnan(x)) return {255, 0, 255};
  static std::array<Palette, 3> const palettes = {palette_of(viridis), palette_of(inferno), palette_of(coolwarm)};
  auto const& palette = palettes[map == ColourMap::inferno ? 1 : map == ColourMap::coolwarm ? 2 : 0];
  return palette[static_cast<std::size_t>(std::clamp(x, 0.0, 1.0) * static_cast<double>(palette.size() - 1) + 0.5)];
}

void write_png(std::filesystem::path const& path, Image const& image) {
  expects(image.width > 0 && image.height > 0 &&
              image.pixels.size() == static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height),
          "an image to write needs pixels");
  png_image header = {};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  header.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  auto const bytes = std::make_unique_for_overwrite<char[]>(size);
  if (png_image_write_to_memory(&header, bytes.get(), &size, 0, image.pixels.data(), 0, nullptr) == 0)
    file_failure(path, std::string("the picture could not be encoded: ") + header.message);
  write_text(path, {bytes.get(), size});
}

}  // namespace sparse::io
