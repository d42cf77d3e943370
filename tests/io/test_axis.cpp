// Round numbers along axes.

#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "io/pictures/axis.hpp"

namespace {

using sparse::io::logarithmic_ticks_between;
using sparse::io::Ticks;
using sparse::io::ticks_between;

std::string texts(Ticks const& ticks) {
  std::string all;
  for (auto const& tick : ticks.ticks) all += (all.empty() ? "" : " ") + tick.text;
  return all + (ticks.factor.empty() ? "" : " " + ticks.factor);
}

TEST(AxisTicks, AreRoundNumbersAsPeopleWriteThem) {
  EXPECT_EQ(texts(ticks_between(0, 400, 9)), "0 50 100 150 200 250 300 350 400");
  EXPECT_EQ(texts(ticks_between(0, 400, 8)), "0 100 200 300 400");
  EXPECT_EQ(texts(ticks_between(-1.1, 1, 5)), "−1.0 −0.5 0.0 0.5 1.0");
  EXPECT_EQ(texts(ticks_between(0.13, 0.18, 4)), "0.14 0.16 0.18");
  EXPECT_EQ(texts(ticks_between(0, 2.5e-3, 6)), "0.0 0.5 1.0 1.5 2.0 2.5 ×10⁻³");
  EXPECT_EQ(texts(ticks_between(0, 300000, 4)), "0 1 2 3 ×10⁵");
  EXPECT_EQ(texts(ticks_between(7, 7, 5)), "7");
  EXPECT_EQ(texts(ticks_between(0, 0, 5)), "0");
  EXPECT_EQ(ticks_between(0, 300000, 4).label("p"), "p  (×10⁵)");
  EXPECT_EQ(ticks_between(0, 3, 4).label("p"), "p");
}

TEST(AxisTicks, LieBetweenTheEndsAndSayTheirValue) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(-1, 1), exponent(-12, 12);
  for (int i = 0; i < 2000; ++i) {
    double const size = std::pow(10, exponent(random)), a = size * part(random), b = size * part(random);
    double const low = std::min(a, b), high = std::max(a, b), span = high - low;
    for (int const most : {1, 2, 5, 11}) {
      auto const ticks = ticks_between(low, high, most);
      int const count = static_cast<int>(ticks.ticks.size());
      ASSERT_TRUE(count >= 1 && count <= most) << low << " " << high << " " << most;
      ASSERT_GE(count, most >= 5 ? 2 : 1) << low << " " << high;
      double factor = 0;
      for (auto const& tick : ticks.ticks) {
        ASSERT_TRUE(tick.value >= low - 1e-6 * span && tick.value <= high + 1e-6 * span);
        std::string text = tick.text;
        if (text.starts_with("−")) text.replace(0, 3, "-");
        double const number = std::strtod(text.c_str(), nullptr);
        if (number == 0) continue;
        // The same power of ten is left out of all, or none.
        if (factor == 0) factor = ticks.factor.empty() ? 1 : tick.value / number;
        ASSERT_NEAR(tick.value, factor * number, 1e-6 * span) << tick.text;
      }
    }
  }
}

TEST(AxisTicks, OfLogarithmsAreDecades) {
  EXPECT_EQ(texts(logarithmic_ticks_between(0, 3.3, 5)), "1 10 100 1000");
  EXPECT_EQ(texts(logarithmic_ticks_between(-10.5, 0.2, 9)), "10⁻¹⁰ 10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 10⁰");
  auto const ticks = logarithmic_ticks_between(0.1, 0.7, 5).ticks;
  ASSERT_GE(ticks.size(), 2u);
  for (auto const& tick : ticks) EXPECT_NEAR(std::pow(10, tick.value), std::stod(tick.text), 1e-12);
}

}  // namespace
