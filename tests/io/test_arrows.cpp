/// Arrows are where they should be, and change nothing else.

#include <cmath>

#include <sparse/io/pictures/arrows.hpp>
#include <support/refused.hpp>

namespace {

using sparse::io::Colour;
using sparse::io::Image;
using sparse::io::with_arrows;

constexpr Colour white = {255, 255, 255}, red = {255, 0, 0};

TEST(IoArrows, LeadFromTailToHead) {
  Image const picture(60, 40, white);
  auto const drawn = with_arrows(picture, {{{10.5, 20.5}, {40.5, 20.5}}}, red, 1);
  ASSERT_EQ(drawn.width, 60);
  ASSERT_EQ(drawn.height, 40);
  for (int x = 11; x < 40; ++x) EXPECT_EQ(drawn.at(x, 20), red) << x;
  // The head is 6 long and 6 wide. Nothing else is drawn.
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x) {
      bool const is_near = x >= 9 && x <= 42 && std::abs(y - 20) <= (x < 33 ? 1 : 4);
      EXPECT_TRUE(is_near || drawn.at(x, y) == white) << x << " " << y;
    }
  for (int const side : {-1, 1}) EXPECT_NE(drawn.at(36, 20 + 2 * side), white);
  EXPECT_EQ(drawn.at(24, 22), white);
}

TEST(IoArrows, ShortOnesAreDotsAndNoneChangeNothing) {
  Image const picture(9, 9, white);
  EXPECT_EQ(with_arrows(picture, {}, red, 1).pixels, picture.pixels);
  auto const drawn = with_arrows(picture, {{{4.5, 4.5}, {4.6, 4.5}}}, red, 2);
  EXPECT_NE(drawn.at(4, 4), white);
  EXPECT_EQ(drawn.at(7, 4), white);
}

TEST(IoArrows, WhatMakesNoSenseIsRefused) {
  Image const picture(9, 9, white);
  EXPECT_TRUE(reference::is_refused([&] { with_arrows(picture, {}, red, 0); }, "width"));
  EXPECT_TRUE(reference::is_refused([&] { with_arrows(picture, {{{0, 0}, {NAN, 1}}}, red, 1); }, "not finite"));
}

}  // namespace
