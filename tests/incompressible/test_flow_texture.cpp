/// Noise that flows carry: the recurrence, streaks along the flow, the same picture every time.

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <sparse/incompressible/picture/flow_texture.hpp>
#include <support/refused.hpp>

namespace {

using sparse::Vec;
using sparse::incompressible::FlowTexture;
using sparse::incompressible::FlowTextureOptions;
using Moves = std::vector<Vec<float, 2>>;

std::size_t at(int x, int y, int width) { return static_cast<std::size_t>(y * width + x); }

Moves uniform(int width, int height, float x, float y) {
  return Moves(static_cast<std::size_t>(width * height), Vec<float, 2>{x, y});
}

/// How alike values are that lie (dx, dy) apart, from -1 to 1.
double correlation(std::vector<float> const& values, int width, int height, int dx, int dy) {
  double mean = 0, product = 0, square = 0;
  for (float const value : values) mean += value / static_cast<double>(values.size());
  int count = 0;
  for (int y = 0; y + dy < height; ++y)
    for (int x = 0; x + dx < width; ++x, ++count)
      product += (values[at(x, y, width)] - mean) * (values[at(x + dx, y + dy, width)] - mean);
  for (float const value : values) square += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return product / count / square;
}

}  // namespace

// Of moves by whole pixels nothing is interpolated, and the picture is a sum of noise along the way.
TEST(FlowTexture, IsTheRecurrenceOfItsFrames) {
  int const width = 90, height = 70;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 engine(seed);
    FlowTextureOptions options;
    options.seed = seed;
    options.share = 0.05 * static_cast<double>(1 + seed);
    options.spot = 3;
    FlowTexture texture(width, height, options);
    Moves moves(static_cast<std::size_t>(width * height));
    for (auto& move : moves)
      move = {static_cast<float>(static_cast<int>(engine() % 5) - 2),
              static_cast<float>(static_cast<int>(engine() % 5) - 2)};
    moves[at(20, 30, width)][0] = std::numeric_limits<float>::quiet_NaN();
    moves[at(40, 30, width)] = {400, 0};  // shortened to 4
    std::vector<double> expected(moves.size(), 0.5);
    for (int frame = 0; frame < 40; ++frame) {
      auto const before = expected;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          auto const move = moves[at(x, y, width)];
          double const noise = static_cast<double>(texture.noise(x, y, frame));
          if (std::isnan(move[0])) {
            expected[at(x, y, width)] = noise;
            continue;
          }
          int const from_x = std::clamp(x - static_cast<int>(std::fmin(move[0], 4)), 0, width - 1);
          int const from_y = std::clamp(y - static_cast<int>(move[1]), 0, height - 1);
          expected[at(x, y, width)] = (1 - options.share) * before[at(from_x, from_y, width)] + options.share * noise;
        }
    }
    texture.advance(moves, 40);
    EXPECT_EQ(texture.frame_count(), 40);
    auto const values = texture.values();
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-5) << "seed " << seed;
  }
}

// Texels are white for half of the images, and those of different texels begin at any of them.
TEST(FlowTexture, NoiseIsASquareWaveInTime) {
  FlowTextureOptions options;
  options.spot = 1;
  FlowTexture const texture(65, 64, options);
  double sum = 0;
  int changes = 0;
  for (int frame = 0; frame < 32; ++frame)
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        float const value = texture.noise(x, y, frame);
        sum += static_cast<double>(value);
        EXPECT_EQ(value, texture.noise(x, y, frame + 32));
        EXPECT_EQ(texture.noise(0, y, frame), texture.noise(64, y, frame));  // repeats itself in space
        if (value != texture.noise(x, y, frame + 1)) ++changes;
      }
  EXPECT_NEAR(sum / (32 * 64 * 64), 0.5, 1e-6);
  EXPECT_GT(changes, 2 * 64 * 64);  // a pixel mixes four texels, each of which turns twice
}

// Along a uniform flow the picture stays alike for some moves, across it for a spot. After m moves (1 - share)^m of the
// picture is left. Noise images that are m apart are alike to 1 - m / 8. The product is 0.43 for three moves.
TEST(FlowTexture, DrawsStreaksAlongTheFlow) {
  int const size = 200, far = 9;
  for (int direction = 0; direction < 4; ++direction) {
    float const speed = 3;
    bool const is_along_x = direction % 2 == 0;
    float const sign = direction < 2 ? 1.0f : -1.0f;
    FlowTexture texture(size, size);
    texture.advance(uniform(size, size, is_along_x ? sign * speed : 0, is_along_x ? 0 : sign * speed), 64);
    auto const values = texture.values();
    double const along = correlation(values, size, size, is_along_x ? far : 0, is_along_x ? 0 : far);
    double const across = correlation(values, size, size, is_along_x ? 0 : far, is_along_x ? far : 0);
    EXPECT_GT(along, 0.35) << direction;
    EXPECT_LT(std::abs(across), 0.15) << direction;
    EXPECT_GT(correlation(values, size, size, 1, 1), 0.7) << direction;  // spots are wider than a pixel
  }
  // Flows at 45 degrees, along and across which to look.
  for (float const sign : {1.0f, -1.0f}) {
    FlowTexture texture(size, size);
    texture.advance(uniform(size, size, 2, 2 * sign), 64);
    double const diagonal = correlation(texture.values(), size, size, 6, 6);
    EXPECT_TRUE(sign > 0 ? diagonal > 0.35 : std::abs(diagonal) < 0.15) << diagonal;
  }
  // At rest there are spots alone.
  FlowTexture still(size, size);
  still.advance(uniform(size, size, 0, 0), 64);
  EXPECT_LT(std::abs(correlation(still.values(), size, size, far, 0)), 0.15);
}

TEST(FlowTexture, IsTheSameEveryTime) {
  auto const moves = uniform(50, 40, 1.3f, -0.4f);
  FlowTexture first(50, 40), second(50, 40);
  first.advance(moves, 20);
  for (int frame = 0; frame < 20; ++frame) second.advance(moves);
  EXPECT_EQ(first.values(), second.values());
  FlowTextureOptions options;
  options.seed = 2;
  FlowTexture other(50, 40, options);
  other.advance(moves, 20);
  EXPECT_NE(first.values(), other.values());
}

TEST(FlowTexture, RefusesWhatMakesNoPicture) {
  using reference::is_refused;
  EXPECT_TRUE(is_refused([] { FlowTexture(0, 10); }, "pixels per side"));
  EXPECT_TRUE(is_refused([] { FlowTexture(10, 10, {.share = 0}); }, "share"));
  EXPECT_TRUE(is_refused([] { FlowTexture(10, 10, {.noise_count = 1}); }, "noise images"));
  EXPECT_TRUE(is_refused([] { FlowTexture(10, 10, {.spot = 0}); }, "spots"));
  EXPECT_TRUE(is_refused([] { FlowTexture(10, 10).advance(Moves(99)); }, "each pixel"));
}
