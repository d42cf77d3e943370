#include <sparse/io/pictures/image.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <sparse/base/error.hpp>
#include <sparse/io/files/file.hpp>

#include "io/files/failure.hpp"
#include "font.hpp"
#include "io/vtk/vtk_errors.hpp"

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

std::span<Colour const> samples_of(ColourMap map) {
  switch (map) {
  case ColourMap::inferno:
    return inferno;
  case ColourMap::coolwarm:
    return coolwarm;
  case ColourMap::viridis:
    break;
  }
  return viridis;
}

}  // namespace

Image::Image(int width_, int height_, Colour background) : width(width_), height(height_) {
  expects(width >= 1 && width <= 65536 && height >= 1 && height <= 65536, "an image has 1 to 65536 pixels per side");
  pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background);
}

Colour colour_of(ColourMap map, double x) {
  if (std::isnan(x)) return {255, 0, 255};
  auto const samples = samples_of(map);
  double const position = std::clamp(x, 0.0, 1.0) * static_cast<double>(samples.size() - 1);
  auto const first = std::min(static_cast<std::size_t>(position), samples.size() - 2);
  double const t = position - static_cast<double>(first);
  Colour colour;
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround((1 - t) * samples[first][c] + t * samples[first + 1][c]));
  return colour;
}

void draw_text(Image& image, int x, int y, std::string_view text, Colour colour, int scale) {
  expects(scale >= 1, "the scale of text must be positive");
  for (char c : text) {
    Glyph const& glyph = glyph_of(c);
    for (int row = 0; row < glyph_height * scale; ++row)
      for (int column = 0; column < glyph_width * scale; ++column) {
        int const px = x + column, py = y + row;
        bool const ink = glyph[static_cast<std::size_t>(row / scale)] >> (glyph_width - 1 - column / scale) & 1;
        if (ink && px >= 0 && px < image.width && py >= 0 && py < image.height) image.at(px, py) = colour;
      }
    x += text_width * scale;
  }
}

void write_png(std::filesystem::path const& path, Image const& image) {
  expects(image.width > 0 && image.height > 0 &&
              image.pixels.size() == static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height),
          "an image to write needs pixels");
  vtkNew<vtkImageData> data;
  data->SetDimensions(image.width, image.height, 1);
  data->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  for (int y = 0; y < image.height; ++y) {  // VTK's row 0 is at the bottom
    auto const* const row = &image.at(0, image.height - 1 - y);
    std::copy_n(row->data(), 3 * image.width, static_cast<unsigned char*>(data->GetScalarPointer(0, y, 0)));
  }

  // To memory first, as the writer does not tell when the disk is full.
  vtkNew<vtkPNGWriter> writer;
  VtkErrors const errors(*writer);
  writer->SetInputData(data);
  writer->WriteToMemoryOn();
  writer->SetCompressionLevel(3);
  writer->Write();
  vtkUnsignedCharArray* const bytes = writer->GetResult();
  if (!bytes || bytes->GetNumberOfValues() == 0 || !errors.text().empty())
    file_failure(path, "the picture could not be encoded: " + errors.text());
  write_text(path, {reinterpret_cast<char const*>(bytes->GetPointer(0)),
                    static_cast<std::size_t>(bytes->GetNumberOfValues())});
}

}  // namespace sparse::io
