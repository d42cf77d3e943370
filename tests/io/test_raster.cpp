/// The cells under pixels, compared with a search for each pixel.

#include <cmath>

#include <sparse/io/pictures/raster.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/reference.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;
using sparse::io::PixelCell;
using sparse::io::PixelCells;
using sparse::io::Raster;

std::vector<PixelCell> pixels_of(PixelCells const& pixels) {
  return sparse::to_host(pixels.context(), pixels.data(), pixels.raster().pixel_count());
}

/// The cell of a level under the centre of a pixel.
Cell<2> cell_under(Raster const& raster, int x, int y, int level) {
  double const scale = std::ldexp(1, level);
  return {static_cast<Coord>(std::floor((raster.begin[0] + (x + 0.5) * raster.step[0]) * scale)),
          static_cast<Coord>(std::floor((raster.begin[1] + (y + 0.5) * raster.step[1]) * scale))};
}

}  // namespace

/// Rasters of any size and place; pixels wider and narrower than cells, whole cells or not.
TEST(Raster, EachPixelHasTheCellUnderItsCentre) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const cells = random_cells<2>(seed, 0, 60), storage = either(cells, random_cells<2>(seed, 1, 60));
    auto const set = set_of(cells), stored = set_of(storage);
    int const level = random_int(engine, 0, 2);
    Raster raster{random_int(engine, 1, 40), random_int(engine, 1, 40), {}, {}};
    for (int axis = 0; axis < 2; ++axis) {
      raster.begin[axis] = random_int(engine, -60, 40);
      raster.step[axis] = seed % 3 == 0 ? 0.5 * random_int(engine, 1, 6) : 0.07 * random_int(engine, 1, 60);
    }
    PixelCells pixels(raster);
    pixels.add(set, stored, level);
    auto const found = pixels_of(pixels);
    for (int y = 0; y < raster.height; ++y)
      for (int x = 0; x < raster.width; ++x) {
        auto const cell = cell_under(raster, x, y, level);
        auto const& pixel = found[static_cast<std::size_t>(y * raster.width + x)];
        Index const wanted = set.contains(cell) ? stored.view().find(cell) : -1;
        ASSERT_EQ(pixel.position, wanted) << x << " " << y << " seed " << seed;
        ASSERT_EQ(pixel.level, wanted < 0 ? 0 : level) << x << " " << y << " seed " << seed;
      }
  }
}

/// Levels that leave no gap give each pixel exactly one cell.
TEST(Raster, LevelsFillThePicture) {
  auto const all = set_of(reference::box<2>({0, 0}, {13, 9})), fine = set_of(reference::box<2>({4, 2}, {9, 6}));
  for (int longest : {16, 26, 40, 100}) {
    auto const raster = sparse::io::raster_of({{0, 0}, {13, 9}}, longest, 1);
    PixelCells pixels(raster);
    pixels.add(all - fine, all);
    pixels.add(refine(fine), refine(fine), 1);
    auto const found = pixels_of(pixels);
    for (int y = 0; y < raster.height; ++y)
      for (int x = 0; x < raster.width; ++x) {
        auto const& pixel = found[static_cast<std::size_t>(y * raster.width + x)];
        ASSERT_GE(pixel.position, 0) << x << " " << y;
        ASSERT_EQ(pixel.level, fine.contains(cell_under(raster, x, y, 0)) ? 1 : 0) << x << " " << y;
      }
  }
}

TEST(Raster, SizesSuitCells) {
  auto const size_of = [](Cell<2> const& cells, int longest, int finest) {
    auto const raster = sparse::io::raster_of({{}, cells}, longest, finest);
    return std::pair(raster.width, raster.height);
  };
  EXPECT_EQ(size_of({1024, 128}, 1024, 0), std::pair(1024, 128));
  EXPECT_EQ(size_of({2048, 128}, 1024, 0), std::pair(2048, 128));  // a pixel per cell at least
  EXPECT_EQ(size_of({64, 16}, 1024, 0), std::pair(1024, 256));
  EXPECT_EQ(size_of({100, 40}, 1024, 0), std::pair(1000, 400));
  EXPECT_EQ(size_of({100, 40}, 1024, 3), std::pair(800, 320));  // a pixel per finest cell
  EXPECT_EQ(size_of({400, 160}, 1024, 3), std::pair(800, 320));
}

TEST(Raster, EmptyOnesAreRefused) {
  EXPECT_TRUE(is_refused([] { PixelCells(Raster{0, 4, {}, {1, 1}}); }, "1 to 65536 pixels"));
  EXPECT_TRUE(is_refused([] { PixelCells(Raster{4, 4, {}, {1, 0}}); }, "must not be empty"));
  EXPECT_TRUE(is_refused([] { sparse::io::raster_of({{0, 0}, {0, 5}}, 100); }, "cells and pixels"));
}
