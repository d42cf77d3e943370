// Paths that follow a vector field.

#include <cmath>
#include <numbers>

#include <sparse/fields/streamline.hpp>
#include <support/refused.hpp>

namespace {

using namespace sparse;
using reference::is_refused;

/// Around a circle with any speed: the error of the closed path falls with the fourth power of the step.
TEST(Streamlines, AroundACircleAreOfFourthOrder) {
  auto const velocity = [](Vec<double, 2> const& x) {
    double const speed = 3 + std::sin(5 * x[0]);
    return std::optional(Vec<double, 2>{-speed * x[1], speed * x[0]});
  };
  double last_error = 0;
  for (int const steps : {160, 320, 640}) {
    auto const path = streamline<2>(velocity, {0.5, 0}, std::numbers::pi / steps, steps);
    ASSERT_EQ(path.size(), static_cast<std::size_t>(steps) + 1);
    double const error = length(path.back() - Vec<double, 2>{0.5, 0});
    if (steps > 160) {
      EXPECT_NEAR(std::log2(last_error / error), 4, 0.3);
    }
    last_error = error;
  }
  EXPECT_LT(last_error, 1e-8);
}

TEST(Streamlines, EndWhereTheFieldEndsOrIsZero) {
  auto const box = [](Vec<double, 3> const& x) {
    return x[2] <= 1 ? std::optional(Vec<double, 3>{0, 0, 2}) : std::nullopt;
  };
  auto const path = streamline<3>(box, {0, 0, 0}, 0.3, 100);
  EXPECT_EQ(path.size(), 4u);
  EXPECT_DOUBLE_EQ(path.back()[2], 0.9);
  auto const sink = [](Vec<double, 2> const& x) {
    return std::optional(x[0] < 1 ? Vec<double, 2>{1, 0} : Vec<double, 2>{0, 0});
  };
  EXPECT_EQ(streamline<2>(sink, {0, 0}, 0.4, 100).size(), 3u);
  EXPECT_EQ(streamline<2>(sink, {2, 0}, 0.4, 100).size(), 1u);
  EXPECT_TRUE(is_refused([&] { streamline<2>(sink, {0, 0}, 0, 1); }, "positive"));
  EXPECT_TRUE(is_refused([&] { streamline<2>(sink, {0, 0}, std::nan(""), 1); }, "positive"));
}

}  // namespace
