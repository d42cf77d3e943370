#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <cairo/cairo.h>
#include <gtest/gtest.h>

#include <sparse/io/pictures/frame.hpp>

#include "io/pictures/canvas.hpp"
#include "support/io_levels.hpp"

namespace {

using namespace io_test;

double lightness(io::Colour c) { return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]; }

TEST(Image, CairosReaderFindsThePixelsThatWereWritten) {
  Folder const folder;
  io::Image image(37, 23, {9, 8, 7});
  for (int y = 0; y < 23; ++y)
    for (int x = 0; x < 37; ++x)
      image.at(x, y) = {static_cast<std::uint8_t>(x * 7), static_cast<std::uint8_t>(y * 11),
                        static_cast<std::uint8_t>(x * y)};
  io::write_png(folder / "a.png", image);

  cairo_surface_t* const read = cairo_image_surface_create_from_png((folder / "a.png").c_str());
  ASSERT_EQ(cairo_surface_status(read), CAIRO_STATUS_SUCCESS);
  ASSERT_EQ(cairo_image_surface_get_width(read), 37);
  ASSERT_EQ(cairo_image_surface_get_height(read), 23);
  for (int y = 0; y < 23; ++y)
    for (int x = 0; x < 37; ++x) {
      std::uint32_t pixel;
      std::memcpy(&pixel, cairo_image_surface_get_data(read) + y * cairo_image_surface_get_stride(read) + 4 * x, 4);
      auto const [red, green, blue] = image.at(x, y);
      ASSERT_EQ(pixel & 0xffffff, std::uint32_t{red} << 16 | std::uint32_t{green} << 8 | blue) << x << ", " << y;
    }
  cairo_surface_destroy(read);
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

/// The smallest box around what is not white: left, top, right, bottom.
std::array<int, 4> ink_of(io::Image const& image) {
  std::array<int, 4> box = {image.width, image.height, -1, -1};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) != io::Colour{255, 255, 255})
        box = {std::min(box[0], x), std::min(box[1], y), std::max(box[2], x), std::max(box[3], y)};
  return box;
}

TEST(Canvas, TextIsWhereItsAnchorSays) {
  double const size = 20;
  for (double const along : {0.0, 0.5, 1.0})
    for (double const down : {0.0, 0.5, 1.0}) {
      io::Canvas canvas(300, 100);
      canvas.text({150, 50}, "EHHE", {along, down}, size, {0, 0, 0});
      auto const [left, top, right, bottom] = ink_of(canvas.image());
      double const width = io::text_width("EHHE", size), height = bottom + 1 - top;
      EXPECT_NEAR(left, 150 - along * width, 3);
      EXPECT_NEAR(right, 150 + (1 - along) * width, 3);
      EXPECT_NEAR(top, 50 - down * height, 1.5);
      EXPECT_NEAR(height, 0.73 * size, 1.5);
    }
  io::Canvas upward(100, 300);
  upward.upward_text({50, 150}, "EHHE", size, {0, 0, 0});
  auto const [left, top, right, bottom] = ink_of(upward.image());
  EXPECT_NEAR(right + 1 - left, 0.73 * size, 1.5);
  EXPECT_NEAR(bottom + 1 - top, io::text_width("EHHE", size), 5);
  EXPECT_LE(io::text_width("a long text", io::fitting_size("a long text", size, 50)), 50.5);
  EXPECT_EQ(io::fitting_size("a", size, 500), size);
}

TEST(Canvas, LinesAreSmoothAndPixelsAreKept) {
  io::Canvas canvas(50, 50);
  canvas.line({{5, 5}, {45, 33}}, 2, {0, 0, 0});
  int grey = 0;
  for (auto const& pixel : canvas.image().pixels) grey += pixel[0] > 0 && pixel[0] < 255;
  EXPECT_GT(grey, 20);

  io::Image noise(20, 10, {});
  for (std::size_t i = 0; i < noise.pixels.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) noise.pixels[i][c] = static_cast<std::uint8_t>(i * (c + 3) * 41);
  for (int const at : {-15, -1, 0, 7, 45}) {
    io::Canvas under(50, 50);
    under.paste(noise, at, at);
    auto const image = under.image();
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 50; ++x) {
        bool const is_in = x >= at && x < at + 20 && y >= at && y < at + 10;
        ASSERT_EQ(image.at(x, y), is_in ? noise.at(x - at, y - at) : (io::Colour{255, 255, 255}));
      }
  }
}

/// Where `picture` is in a framed one; fails if it is not there exactly once.
std::array<int, 2> place_of(io::Image const& picture, io::Image const& framed) {
  std::vector<std::array<int, 2>> places;
  for (int top = 0; top + picture.height <= framed.height; ++top)
    for (int left = 0; left + picture.width <= framed.width; ++left) {
      bool is_same = true;
      for (int y = 0; y < picture.height && is_same; ++y)
        is_same = std::equal(&picture.at(0, y), &picture.at(0, y) + picture.width, &framed.at(left, top + y));
      if (is_same) places.push_back({left, top});
    }
  EXPECT_EQ(places.size(), 1u);
  return places.empty() ? std::array<int, 2>{} : places[0];
}

TEST(Frame, LeavesThePictureAsItIsAndClipsNothing) {
  for (auto const& [width, height] : std::vector<std::array<int, 2>>{{300, 200}, {16, 400}, {400, 16}, {40, 40}}) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
    io::Image picture(width, height, {});
    for (std::size_t i = 0; i < picture.pixels.size(); ++i)
      picture.pixels[i] = {static_cast<std::uint8_t>(17 * i), static_cast<std::uint8_t>(i / 7), 3};
    EXPECT_EQ(io::framed(picture, {}).pixels, picture.pixels);
    for (double const scale : {1.0, 1e-7, 12345678.0}) {
      io::Frame const frame{"density, t = 0.1234", io::Axes{{-scale, -scale}, {scale, 2 * scale}, {"x [m]", "y [m]"}},
                            io::ColourBar{io::ColourMap::inferno, {-scale, 3.25 * scale}, "density [kg/m³]"}};
      auto const image = io::framed(picture, frame);
      place_of(picture, image);
      auto const [left, top, right, bottom] = ink_of(image);
      EXPECT_GE(left, 1);
      EXPECT_GE(top, 1);
      EXPECT_LE(right, image.width - 2);
      EXPECT_LE(bottom, image.height - 2);
    }
  }
}

TEST(Frame, HasOneSizeWhateverTheTitleAndTheRange) {
  io::Image const picture(60, 200, {1, 2, 3});
  auto const framed = [&](std::string const& title, std::array<double, 2> range) {
    return io::framed(picture, {title, io::Axes{{0, 0}, {3, 10}}, io::ColourBar{{}, range, "p"}});
  };
  auto const one = framed("t = 0", {0, 1});
  for (auto const& range :
       std::vector<std::array<double, 2>>{{0, 0}, {-1e-30, 4e-30}, {1.4, 1.4000001}, {-1e20, 1e9}}) {
    auto const other = framed("a very long title that does not fit above so small a picture", range);
    EXPECT_EQ(other.width, one.width);
    EXPECT_EQ(other.height, one.height);
    EXPECT_LE(ink_of(other)[2], other.width - 2);
    EXPECT_NE(other.pixels, one.pixels);
  }
  EXPECT_EQ(framed("t = 0", {0, 1}).pixels, one.pixels);
}

}  // namespace
