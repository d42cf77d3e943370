// Closed curves through points, and files of them.

#include <cmath>
#include <fstream>
#include <numbers>

#include <sparse/app/nodes/curve.hpp>
#include <sparse/base/vec_products.hpp>
#include <support/io_levels.hpp>
#include <support/refused.hpp>

namespace {

using namespace sparse;
using namespace sparse::app;
using reference::is_refused;

double const pi = std::numbers::pi;

/// Points of an ellipse at uneven places.
std::vector<PlanePoint> ellipse(int count) {
  std::vector<PlanePoint> points;
  for (int i = 0; i < count; ++i) {
    double const t = 2 * pi * i / count, angle = t + 0.3 * std::sin(t);
    points.push_back({2 * std::cos(angle), std::sin(angle)});
  }
  return points;
}

/// The greatest distance from the ellipse, to first order.
double distance_from_ellipse(std::vector<PlanePoint> const& points) {
  double greatest = 0;
  for (PlanePoint const& p : points)
    greatest = std::max(greatest, std::abs(p[0] * p[0] / 4 + p[1] * p[1] - 1) / std::hypot(p[0] / 2, 2 * p[1]));
  return greatest;
}

/// Chords are of second order, cubics with the slopes of parabolas of third. Degree 5 is of fourth order: more needs a
/// better parameter than chords.
TEST(Curves, ConvergeWithTheOrderOfTheirDegree) {
  for (auto const& [degree, least_order] : {std::pair{1, 1.9}, std::pair{3, 2.9}, std::pair{5, 3.9}}) {
    double last_error = 0;
    for (int const count : {24, 48, 96}) {
      double const error = distance_from_ellipse(resampled(ellipse(count), 0.01, {.degree = degree}));
      if (count > 24) {
        EXPECT_GT(std::log2(last_error / error), least_order) << "degree " << degree << ", points " << count;
      }
      last_error = error;
    }
  }
}

TEST(Curves, PointsLieAtEqualDistances) {
  for (int const degree : {1, 3, 5}) {
    auto const points = resampled(ellipse(40), 0.02, {.degree = degree});
    double const mean = perimeter(points) / static_cast<double>(points.size());
    EXPECT_NEAR(mean, 0.02, 2e-4);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_NEAR(length(points[(i + 1) % points.size()] - points[i]), mean, (degree == 1 ? 0.02 : 0.002) * mean);
  }
  EXPECT_NEAR(perimeter(resampled(ellipse(80), 0.01, {.degree = 5})), 9.688448, 1e-4);  // complete elliptic integral
}

/// The sides of a square stay straight, whatever the degree, because it has corners; as a smooth curve it bulges.
TEST(Curves, KeepCorners) {
  std::vector<PlanePoint> square;
  for (int side = 0; side < 4; ++side)
    for (int i = 0; i < 5; ++i) {
      PlanePoint const corners[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
      square.push_back((1 - 0.2 * i) * corners[side] + 0.2 * i * corners[side + 1]);
    }
  auto const outside = [](std::vector<PlanePoint> const& points) {
    double greatest = 0;
    for (PlanePoint const& p : points)
      greatest = std::max(greatest, std::abs(std::max(std::abs(p[0] - 0.5), std::abs(p[1] - 0.5)) - 0.5));
    return greatest;
  };
  for (int const degree : {1, 3, 5}) {
    auto const points = resampled(square, 0.01, {.degree = degree});
    EXPECT_LT(outside(points), 1e-12) << degree;
    EXPECT_EQ(points.size(), 400u);
  }
  EXPECT_GT(outside(resampled(square, 0.01, {.degree = 3, .corner_angle = 100})), 1e-3);
  // A triangle has corners only: sides of two points each.
  EXPECT_NEAR(perimeter(resampled({{0, 0}, {3, 0}, {0, 4}}, 0.1, {.degree = 5})), 12, 1e-9);
}

TEST(Curves, AreFittedToTheMiddle) {
  auto const points = fitted(ellipse(100), 0.6);
  double low = 1, high = 0;
  for (PlanePoint const& p : points) {
    low = std::min(low, p[0]);
    high = std::max(high, p[0]);
  }
  EXPECT_NEAR(low, 0.2, 1e-12);
  EXPECT_NEAR(high, 0.8, 1e-3);
}

TEST(Curves, BadInputIsRefused) {
  EXPECT_TRUE(is_refused([] { resampled({{0, 0}, {1, 0}}, 0.1); }, "three points"));
  EXPECT_TRUE(is_refused([] { resampled(ellipse(9), 0.1, {.degree = 2}); }, "1, 3 or 5"));
  EXPECT_TRUE(is_refused([] { resampled(ellipse(9), 0); }, "positive"));
  EXPECT_TRUE(is_refused([] { resampled({{0, 0}, {0, 0}, {1, 0}}, 0.1); }, "equal"));
  EXPECT_TRUE(is_refused([] { fitted({{1, 1}, {1, 1}}, 0.5); }, "equal"));
}

/// What a file of this text holds, or what is wrong with it.
std::vector<PlanePoint> read(std::string const& text) {
  io_test::Folder const folder;
  std::ofstream(folder / "file") << text;
  return read_outline(folder / "file");
}
std::string refusal(std::string const& text) {
  try {
    read(text);
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Outlines, AreReadFromCsvAndSvg) {
  std::vector<PlanePoint> const triangle = {{0, 0}, {4, 0}, {4, 3}};
  for (char const* const text :
       {"x,y\n0,0\n4,0\n4,3\n", "# a comment, 3\n0 0\r\n4 0\r\n\r\n4 3\r\n0 0\r\n", "0;0\n4;0\n4.0e0;+3",
        "<svg><polygon fill='none' points='0,0 4,0 4,-3'/></svg>", "<svg><polyline points=\"0 0 4 0,4-3 0 0\"/></svg>",
        "<svg><path id='M1' d='M0 0H4V-3Z'/></svg>", "<svg><path d=\"m0,0 4,0 l0-3z m9 9 1 1\"/></svg>",
        "<svg>\n<path\n d='M 0,0 L 4,0 4,-3 z'/><polygon points='1,1'/></svg>"}) {
    EXPECT_EQ(read(text), triangle) << text;
  }
  EXPECT_GT(read_outline(SPARSE_SOURCE_DIR "/examples/outlines/mexico.csv").size(), 70u);
}

TEST(Outlines, BadFilesAreRefused) {
  for (auto const& [text, why] :
       std::vector<std::pair<std::string, std::string>>{{"", "less than three points"},
                                                        {"0,0\n1,1\n", "less than three points"},
                                                        {"0,0\n1,2,3\n4,5\n", "a number is missing"},
                                                        {"0,0\n1,2,3,4\n4,5\n", "line 2 has not two numbers"},
                                                        {"0,0\n1,nan\n4,5\n", "a number is missing"},
                                                        {"0,0\n1,?\n4,5\n", "a number is missing"},
                                                        {"<svg><circle r='3'/></svg>", "no polygon, polyline or path"},
                                                        {"<svg><path d='M0 0 C 1 1 2 2 3 3'/></svg>", "command C"},
                                                        {"<svg><polygon points='0 0 1'/></svg>", "a number is missing"},
                                                        {"<svg><polygon id='a'/></svg>", "less than three points"}}) {
    EXPECT_NE(refusal(text).find(why), std::string::npos) << text << ": " << refusal(text);
  }
  EXPECT_THROW(read_outline("/nowhere/file.csv"), std::runtime_error);
}

}  // namespace
