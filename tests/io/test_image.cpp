#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>

#include <sparse/io/pictures/render.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;

double lightness(io::Colour c) { return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]; }

TEST(Image, VtksReaderFindsThePixelsThatWereWritten) {
  Folder const folder;
  io::Image image(37, 23, {9, 8, 7});
  for (int y = 0; y < 23; ++y)
    for (int x = 0; x < 37; ++x)
      image.at(x, y) = {static_cast<std::uint8_t>(x * 7), static_cast<std::uint8_t>(y * 11),
                        static_cast<std::uint8_t>(x * y)};
  io::write_png(folder / "a.png", image);

  vtkNew<vtkPNGReader> reader;
  reader->SetFileName((folder / "a.png").c_str());
  reader->Update();
  auto* const read = reader->GetOutput();
  ASSERT_EQ(read->GetDimensions()[0], 37);
  ASSERT_EQ(read->GetDimensions()[1], 23);
  for (int y = 0; y < 23; ++y)
    for (int x = 0; x < 37; ++x)
      for (int c = 0; c < 3; ++c)  // VTK counts rows from the bottom
        ASSERT_EQ(read->GetScalarComponentAsDouble(x, 22 - y, 0, c), image.at(x, y)[static_cast<std::size_t>(c)]);
  EXPECT_THROW(io::write_png(folder / "b.png", io::Image{}), std::invalid_argument);
  EXPECT_THROW(io::Image(0, 5, {}), std::invalid_argument);
}

TEST(Image, ColourMapsAreMonotoneOrDivergeFromTheMiddle) {
  for (int i = 1; i <= 200; ++i) {
    double const x = i / 200.0, before = (i - 1) / 200.0;
    for (auto map : {io::ColourMap::viridis, io::ColourMap::inferno})
      EXPECT_GE(lightness(colour_of(map, x)) + 1, lightness(colour_of(map, before))) << x;
    double const change =
        lightness(colour_of(io::ColourMap::coolwarm, x)) - lightness(colour_of(io::ColourMap::coolwarm, before));
    EXPECT_GE(x <= 0.5 ? change + 1 : 1 - change, 0) << x;
  }
  for (auto map : {io::ColourMap::viridis, io::ColourMap::inferno, io::ColourMap::coolwarm}) {
    EXPECT_EQ(colour_of(map, -3), colour_of(map, 0));
    EXPECT_EQ(colour_of(map, 1e300), colour_of(map, 1));
    EXPECT_EQ(colour_of(map, std::nan("")), (io::Colour{255, 0, 255}));
  }
}

TEST(Image, TextIsDrawnInsideItsBoxAndClippedAtEdges) {
  io::Image const blank(60, 30, {255, 255, 255});
  auto image = blank;
  draw_text(image, 10, 5, "Ab1", {0, 0, 0}, 2);
  int dark = 0;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 60; ++x) {
      if (image.at(x, y) == blank.at(x, y)) continue;
      ++dark;
      EXPECT_TRUE(x >= 10 && x < 10 + 3 * 2 * io::text_width && y >= 5 && y < 5 + 2 * io::text_height);
    }
  EXPECT_GT(dark, 100);
  for (int at : {-100, -7, 55, 1000}) draw_text(image, at, at / 2, "clipped \xff\n", {0, 0, 0}, 3);
}

TEST(Image, LettersAreAsHighAndAsLowAsTheyShouldBe) {
  for (char c = '!'; c <= '~'; ++c) {
    bool const is_letter = std::isalnum(static_cast<unsigned char>(c));
    io::Image image(io::text_width, io::text_height, {255, 255, 255});
    draw_text(image, 0, 0, std::string(1, c), {0, 0, 0});
    int first = io::text_height, last = -1;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        if (image.at(x, y) == io::Colour{0, 0, 0}) first = std::min(first, y), last = y;
    EXPECT_LE(first, last) << c;
    if (is_letter) {
      EXPECT_EQ(last, std::string("gjpqy").find(c) == std::string::npos ? 6 : 8) << c;
      EXPECT_EQ(first, std::string("acegmnopqrsuvwxyz").find(c) == std::string::npos ? 0 : 2) << c;
    }
  }
}

template <class TypeParam>
class Render : public testing::Test {};
TYPED_TEST_SUITE(Render, reference::Dimensions);

/// The leaf that holds a point, given in units of level-0 cells.
template <int Dim>
std::optional<std::pair<int, Cell<Dim>>> leaf_at(Levels<Dim> const& levels, sparse::Vec<double, Dim> const& point) {
  for (std::size_t l = 0; l < levels.leaves.size(); ++l) {
    Cell<Dim> cell;
    for (int axis = 0; axis < Dim; ++axis)
      cell[axis] = static_cast<Coord>(std::floor(std::ldexp(point[axis], static_cast<int>(l))));
    if (levels.leaves[l].count(cell)) return std::pair(static_cast<int>(l), cell);
  }
  return {};
}

TYPED_TEST(Render, PixelsHaveTheColourOfTheLeafUnderTheirCentre) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto const levels = random_levels<Dim>(seed);
    sparse::Vec<double, Dim> low = sparse::Vec<double, Dim>::filled(1e9), high = -1.0 * low;
    for (std::size_t l = 0; l < 3; ++l)
      for (auto const& cell : levels.leaves[l])
        for (int axis = 0; axis < Dim; ++axis) {
          low[axis] = std::min(low[axis], std::ldexp(cell[axis], -static_cast<int>(l)));
          high[axis] = std::max(high[axis], std::ldexp(cell[axis] + 1, -static_cast<int>(l)));
        }
    io::RenderOptions options;
    options.size = 173;
    options.range = {{-500, 2500}};
    options.outlines = false;
    options.colour_bar = false;
    options.slice = seed / 20.0;
    auto const image = io::render<Dim>({}, levels.data, "mass", options);

    double const across = high[0] - low[0], up = high[1] - low[1];
    int const width = static_cast<int>(std::lround(across / std::max(across, up) * 173));
    int const height = static_cast<int>(std::lround(up / std::max(across, up) * 173)), margin = 6;
    ASSERT_EQ(image.width, width + 2 * margin);
    ASSERT_EQ(image.height, height + 2 * margin);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        sparse::Vec<double, Dim> point{low[0] + (x + 0.5) / width * across, low[1] + (y + 0.5) / height * up};
        if constexpr (Dim == 3) point[2] = std::min(low[2] + options.slice * (high[2] - low[2]) + 1e-9, high[2] - 1e-6);
        auto const leaf = leaf_at(levels, point);
        io::Colour expected = {150, 150, 150};
        if (leaf) expected = colour_of(options.colours, (value_at<Dim>(leaf->first, leaf->second, 7) + 500) / 3000);
        ASSERT_EQ(image.at(margin + x, margin + height - 1 - y), expected) << "seed " << seed << ", " << point;
      }
  }
}

TYPED_TEST(Render, OutlinesChangePixelsOnlyWhereLevelsMeet) {
  constexpr int Dim = TypeParam::value;
  auto const changed = [](Levels<Dim> const& levels) {
    io::RenderOptions options;
    options.size = 200;
    auto const with = io::render<Dim>({}, levels.data, "velocity", options);
    options.outlines = false;
    auto const without = io::render<Dim>({}, levels.data, "velocity", options);
    int count = 0;
    for (std::size_t i = 0; i < with.pixels.size(); ++i) count += with.pixels[i] != without.pixels[i];
    return count;
  };
  auto const levels = random_levels<Dim>(4);
  EXPECT_GT(changed(levels), 100);
  EXPECT_EQ(changed(levels_of<Dim>({levels.cells[0]})), 0);
}

TYPED_TEST(Render, OddFieldsAndOptionsAreHandled) {
  constexpr int Dim = TypeParam::value;
  auto levels = levels_of<Dim>({{Cell<Dim>::filled(0), Cell<Dim>::filled(1)}}).data;
  std::get<0>(levels[0].arrays[0].values) = {std::numeric_limits<float>::quiet_NaN(), 2};
  io::RenderOptions options;
  options.size = 100;
  options.slice = 0.25;
  options.title = "a very long title that does not fit above so small a picture";
  auto const image = io::render<Dim>({}, levels, "mass", options);
  EXPECT_NE(std::find(image.pixels.begin(), image.pixels.end(), io::Colour{255, 0, 255}), image.pixels.end());

  EXPECT_THROW(io::render<Dim>({}, levels, "missing"), std::invalid_argument);
  EXPECT_THROW(io::render<Dim>({}, {}, "mass"), std::invalid_argument);
  EXPECT_THROW(io::render<Dim>({}, levels_of<Dim>({{}}).data, "mass"), std::invalid_argument);
  for (int size : {0, -1, 1 << 20}) {
    options.size = size;
    EXPECT_THROW(io::render<Dim>({}, levels, "mass", options), std::invalid_argument);
  }
}

}  // namespace
