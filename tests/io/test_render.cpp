// Pictures of an array on all levels, pixel by pixel.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include <sparse/io/pictures/render.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;

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
    options.axes = false;
    options.slice = seed / 20.0;
    auto const image = io::render<Dim>({}, levels.data, "mass", options);

    double const across = high[0] - low[0], up = high[1] - low[1];
    int const width = static_cast<int>(std::lround(across / std::max(across, up) * 173));
    int const height = static_cast<int>(std::lround(up / std::max(across, up) * 173));
    ASSERT_EQ(image.width, width);
    ASSERT_EQ(image.height, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        sparse::Vec<double, Dim> point{low[0] + (x + 0.5) / width * across, low[1] + (y + 0.5) / height * up};
        if constexpr (Dim == 3) point[2] = std::min(low[2] + options.slice * (high[2] - low[2]) + 1e-9, high[2] - 1e-6);
        auto const leaf = leaf_at(levels, point);
        io::Colour expected = {150, 150, 150};
        if (leaf) expected = colour_of(options.colours, (value_at<Dim>(leaf->first, leaf->second, 7) + 500) / 3000);
        ASSERT_EQ(image.at(x, height - 1 - y), expected) << "seed " << seed << ", " << point;
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

TYPED_TEST(Render, ShowsLevels) {
  constexpr int Dim = TypeParam::value;
  auto levels = random_levels<Dim>(7).data;
  io::RenderOptions options;
  options.size = 150;
  auto const image = io::render<Dim>({}, levels, "level", options);
  // The same as an array of that content under the same label.
  for (auto& level : levels)
    level.arrays = {
        {"number", 1,
         std::vector<float>(static_cast<std::size_t>(level.cells.cell_count()), static_cast<float>(level.level))}};
  options.label = "level";
  EXPECT_EQ(io::render<Dim>({}, levels, "number", options).pixels, image.pixels);
}

TYPED_TEST(Render, AWindowShowsAPartWithLargerCells) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> end = Cell<Dim>::filled(2);
  end[0] = 8;
  end[1] = 4;
  auto const levels = levels_of<Dim>({reference::box<Dim>({}, end)}).data;
  io::RenderOptions options;
  options.range = {{-500, 2500}};
  options.axes = options.colour_bar = false;
  options.size = 80;
  sparse::Grid<Dim> grid{sparse::Vec<double, Dim>::filled(100), sparse::Vec<double, Dim>::filled(0.5)};
  auto const whole = io::render<Dim>(grid, levels, "mass", options);
  ASSERT_EQ(whole.width, 80);
  ASSERT_EQ(whole.height, 40);
  // Cells [2, 6) x [1, 3), cell by cell twice as large.
  options.window = {{{101, 103}, {100.5, 101.5}}};
  auto const part = io::render<Dim>(grid, levels, "mass", options);
  ASSERT_EQ(part.width, 80);
  ASSERT_EQ(part.height, 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 80; ++x) ASSERT_EQ(part.at(x, y), whole.at(20 + x / 2, 10 + y / 2)) << x << ", " << y;
  // What reaches beyond the cells is cut off: cells [6, 8) x [2, 4) are left.
  options.window = {{{103, 1e9}, {101, 1e9}}};
  auto const corner = io::render<Dim>(grid, levels, "mass", options);
  ASSERT_EQ(corner.width, 80);
  ASSERT_EQ(corner.height, 80);
  EXPECT_EQ(corner.at(0, 79), whole.at(60, 19));
  for (auto const& window : std::vector<std::array<std::array<double, 2>, 2>>{
           {{{90, 99}, {100, 101}}}, {{{101, 101}, {100, 101}}}, {{{100, 101}, {100, std::nan("")}}}}) {
    options.window = window;
    EXPECT_THROW(io::render<Dim>(grid, levels, "mass", options), std::invalid_argument);
  }
}

TYPED_TEST(Render, MeshLinesAreAroundEachLeafThatIsWideEnough) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    auto const levels = random_levels<Dim>(seed);
    io::RenderOptions options;
    options.axes = options.colour_bar = options.outlines = false;
    options.range = {{-500, 2500}};
    options.size = 700;
    options.slice = 0.3;
    auto const plain = io::render<Dim>({}, levels.data, "mass", options);
    options.mesh = true;
    auto const lined = io::render<Dim>({}, levels.data, "mass", options);
    sparse::Vec<double, Dim> low = sparse::Vec<double, Dim>::filled(1e9), high = -1.0 * low;
    for (std::size_t l = 0; l < levels.leaves.size(); ++l)
      for (auto const& cell : levels.leaves[l])
        for (int axis = 0; axis < Dim; ++axis) {
          low[axis] = std::min(low[axis], std::ldexp(cell[axis], -static_cast<int>(l)));
          high[axis] = std::max(high[axis], std::ldexp(cell[axis] + 1, -static_cast<int>(l)));
        }
    double const pixel = (high[0] - low[0]) / plain.width;
    auto const leaf_under = [&](int x, int y) {
      sparse::Vec<double, Dim> point{low[0] + (x + 0.5) * pixel,
                                     low[1] + (y + 0.5) / plain.height * (high[1] - low[1])};
      if constexpr (Dim == 3) point[2] = low[2] + options.slice * (high[2] - low[2]) + 1e-9;
      return leaf_at(levels, point);
    };
    int line_count = 0;
    for (int y = 0; y < plain.height; ++y)
      for (int x = 0; x < plain.width; ++x) {
        auto const leaf = leaf_under(x, y);
        bool const is_line = leaf && std::ldexp(1.0, -leaf->first) >= 3 * pixel &&
                             ((x + 1 < plain.width && leaf_under(x + 1, y) != leaf) ||
                              (y + 1 < plain.height && leaf_under(x, y + 1) != leaf));
        line_count += is_line;
        ASSERT_EQ(lined.at(x, plain.height - 1 - y) != plain.at(x, plain.height - 1 - y), is_line)
            << x << ", " << y << ", seed " << seed;
      }
    EXPECT_GT(line_count, 100);
  }
  // Cells of two pixels have none.
  auto const narrow = levels_of<Dim>({reference::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(8))}).data;
  io::RenderOptions options;
  options.size = 16;
  auto const plain = io::render<Dim>({}, narrow, "mass", options);
  options.mesh = true;
  EXPECT_EQ(io::render<Dim>({}, narrow, "mass", options).pixels, plain.pixels);
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
