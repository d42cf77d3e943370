// Curves in pictures.

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <sparse/io/pictures/plot.hpp>
#include <support/refused.hpp>

namespace {

using namespace sparse;

constexpr io::Colour white = {255, 255, 255}, red = {255, 0, 0};

io::Plot line(std::vector<double> const& x, std::vector<double> const& y, bool is_dotted = false) {
  return {.title = "a title", .curves = {{"", red, x, y, is_dotted}}, .x_label = "x [m]", .y_label = "y [m]"};
}

/// The mean height of the curve in each column of pixels in which it is.
std::map<int, double> heights(io::Image const& image) {
  std::map<int, double> heights;
  for (int x = 0; x < image.width; ++x) {
    double sum = 0, weight = 0;
    for (int y = 0; y < image.height; ++y) {
      auto const [r, g, b] = image.at(x, y);
      if (r < 200 || g > 128 || b > 128) continue;
      sum += y;
      weight += 1;
    }
    if (weight > 0) heights[x] = sum / weight;
  }
  return heights;
}

int columns_of(io::Image const& image) { return static_cast<int>(heights(image).size()); }

TEST(Plots, ALineIsStraightAndAsLongAsItsAxis) {
  for (bool const is_log : {false, true}) {
    io::Plot plot = is_log ? line({1, 10, 1000}, {1e-2, 1, 1e4}) : line({-1, 0, 2}, {7, 8, 10});
    plot.is_log_x = plot.is_log_y = is_log;
    auto const curve = heights(io::draw({plot}, 400));
    ASSERT_GT(curve.size(), 250u);
    auto const [first, high] = *curve.begin();
    auto const [last, low] = *curve.rbegin();
    EXPECT_EQ(static_cast<int>(curve.size()), last - first + 1);
    for (auto const& [x, y] : curve) EXPECT_NEAR(y, high + (low - high) * (x - first) / (last - first), 1.6) << x;
    EXPECT_LT(low, high - 150);
  }
}

TEST(Plots, WhatIsNotFiniteIsLeftOut) {
  double const nothing = std::numeric_limits<double>::quiet_NaN();
  auto const whole = columns_of(io::draw({line({0, 1, 2, 3}, {0, 1, 2, 3})}, 400));
  EXPECT_NEAR(columns_of(io::draw({line({0, 1, nothing, 2, 3}, {0, 1, 1.5, 2, 3})}, 400)), whole * 2 / 3.0, 6);
  io::Plot logarithmic = line({0, 1, 10, 100}, {-1, 1, 1, 1});
  logarithmic.is_log_x = true;
  EXPECT_NEAR(columns_of(io::draw({logarithmic}, 400)), whole, 15);
  EXPECT_EQ(columns_of(io::draw({line({nothing}, {1})}, 400)), 0);
  EXPECT_EQ(columns_of(io::draw({line({}, {})}, 400)), 0);
  auto const dots = columns_of(io::draw({line({0, 1, nothing, 2, 3}, {0, 1, 5, 2, 3}, true)}, 400));
  EXPECT_TRUE(dots >= 4 && dots < 30) << dots;
}

TEST(Plots, HaveWhiteEdgesWhateverStandsInThem) {
  for (int const width : {64, 300, 800, 1600})
    for (double const scale : {1.0, 1e-9, 1e7}) {
      SCOPED_TRACE(width);
      std::vector<io::Plot> plots(2, {.title = "|b \u2212 A u| / |b| over the time that it takes",
                                      .curves = {},
                                      .is_log_y = true,
                                      .x_label = "time, set-up included [s]",
                                      .y_label = "residual"});
      for (int k = 0; k < 11; ++k)
        for (io::Plot& plot : plots)
          plot.curves.push_back({"a method with a name " + std::to_string(k), red, {0, scale}, {scale, 1e-8 * scale}});
      auto const image = io::draw(plots, width);
      ASSERT_EQ(image.width, std::max(width, 300));
      for (int y = 0; y < image.height; ++y) EXPECT_EQ(image.at(0, y), white);
      for (int x = 0; x < image.width; ++x) {
        EXPECT_EQ(image.at(x, 0), white);
        EXPECT_EQ(image.at(x, image.height - 1), white);
      }
      for (int y = 0; y < image.height; ++y) EXPECT_EQ(image.at(image.width - 1, y), white);
    }
}

TEST(Plots, RefuseWhatIsNoPicture) {
  EXPECT_TRUE(reference::is_refused([] { io::draw(std::vector<io::Plot>(), 400); }, "no plot"));
  EXPECT_TRUE(reference::is_refused([] { io::draw({line({}, {})}, 0); }, "1 to 16384"));
}

}  // namespace
