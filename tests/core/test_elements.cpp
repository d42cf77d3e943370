// Dilation and erosion by boxes, diamonds and balls, and what is made of them, against a dense bitmap.

#include <sstream>
#include <stdexcept>

#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

#include "support/bitmap.hpp"

namespace {

using namespace sparse;
using bitmap::Bitmap;
using bitmap::varied_set;
using reference::random_engine;
using reference::random_int;
using reference::seed_count;

constexpr Element elements[] = {Element::box, Element::diamond, Element::ball};

template <class Dimension>
class Elements : public testing::Test {};
TYPED_TEST_SUITE(Elements, reference::Dimensions);

/// The offsets that an element covers.
template <int Dim>
std::vector<Vec<Coord, Dim>> offsets_of(Element element, Coord radius) {
  std::vector<Vec<Coord, Dim>> offsets;
  reference::for_each_offset<Dim>(Vec<Coord, Dim>::filled(radius), [&](Vec<Coord, Dim> const& offset) {
    int steps = 0, square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      steps += std::abs(offset[axis]);
      square += offset[axis] * offset[axis];
    }
    if (element == Element::box || (element == Element::diamond ? steps <= radius : square <= radius * radius))
      offsets.push_back(offset);
  });
  return offsets;
}

TYPED_TEST(Elements, DilationAndErosionMatchTheBitmap) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 2; ++seed) {
    auto engine = random_engine(seed);
    auto const element = elements[seed % 3];
    Coord const radius = random_int(engine, 0, Dim == 2 ? 5 : 3);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", radius " + std::to_string(radius));
    auto const set = varied_set<Dim>(seed);
    auto const box = bitmap::grown(bitmap::domain<Dim>(), radius);
    Bitmap<Dim> const map(set, box);
    auto const offsets = offsets_of<Dim>(element, radius);
    ASSERT_TRUE(bitmap::holds_where(expand(set, radius, element), box, [&](auto const& cell) {
      return std::any_of(offsets.begin(), offsets.end(), [&](auto const& offset) { return map(cell + offset); });
    }));
    ASSERT_TRUE(bitmap::holds_where(shrink(set, radius, element), box, [&](auto const& cell) {
      return std::all_of(offsets.begin(), offsets.end(), [&](auto const& offset) { return map(cell + offset); });
    }));
  }
}

TYPED_TEST(Elements, GrowingIsShrinkingTheRest) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 2; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const element = elements[seed % 3];
    Coord const radius = static_cast<Coord>(1 + seed % 4);
    auto const set = varied_set<Dim>(seed);
    auto const inside = bitmap::grown(bitmap::domain<Dim>(), radius), outside = bitmap::grown(inside, radius);
    auto const room = box(inside.begin, inside.end), more_room = box(outside.begin, outside.end);
    ASSERT_EQ(room - expand(set, radius, element), shrink(more_room - set, radius, element) & room);
  }
}

TYPED_TEST(Elements, OpeningClosingLayersAndBands) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 2; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const element = elements[seed % 3];
    Coord const radius = static_cast<Coord>(seed % 4);
    auto const set = varied_set<Dim>(seed);
    auto const opened = open(set, radius, element), closed = close(set, radius, element);
    ASSERT_TRUE((opened - set).is_empty());
    ASSERT_TRUE((set - closed).is_empty());
    ASSERT_EQ(open(opened, radius, element), opened);
    ASSERT_EQ(close(closed, radius, element), closed);

    auto const inner = inner_layer(set, radius, element), outer = outer_layer(set, radius, element);
    ASSERT_EQ(inner | shrink(set, radius, element), set);
    ASSERT_TRUE((outer & set).is_empty());
    ASSERT_EQ(outer | set, expand(set, radius, element));

    if (radius == 0) continue;
    auto const bands = distance_bands(set, {0, 1, radius, radius + 2}, element);
    ASSERT_EQ(bands.size(), 4u);
    ASSERT_TRUE(bands[0].is_empty());
    ASSERT_EQ(bands[1], outer_layer(set, 1, element));
    ASSERT_EQ(bands[1] | bands[2], outer);
    ASSERT_TRUE((bands[3] & (outer | set)).is_empty());
    ASSERT_EQ(bands[3] | outer, outer_layer(set, radius + 2, element));
  }
}

// Radii beyond what is done in one go, of sets with and without far-away parts, which take different ways.
TYPED_TEST(Elements, LargeRadiiAreSmallOnesInTurn) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const set = varied_set<Dim>(seed);
    Coord const first = random_int(engine, 1, 40), second = random_int(engine, 1, 60);
    ASSERT_EQ(expand(set, first + second), expand(expand(set, first), second));
    ASSERT_EQ(shrink(expand(set, first + second), second), shrink(expand(expand(set, first), second), second));
    auto const far = shift(set, Vec<Coord, Dim>::filled(1 << 20));
    ASSERT_EQ(expand(set | far, first), expand(set, first) | expand(far, first));
    ASSERT_EQ(shrink(set | far, 1), shrink(set, 1) | shrink(far, 1));
    ASSERT_EQ(expand(set, 1, second), shift(expand(shift(set, 1, 9), 1, second), 1, -9));
  }
}

TYPED_TEST(Elements, CoarseCellsCountTheirChildren) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const set = varied_set<Dim>(seed);
    auto const fine = bitmap::domain<Dim>();
    Bitmap<Dim> const map(set, fine);
    Box<Dim> coarse;
    for (int axis = 0; axis < Dim; ++axis) {
      coarse.begin[axis] = floor_half(fine.begin[axis]) - 1;
      coarse.end[axis] = floor_half(fine.end[axis]) + 2;
    }
    auto const children_of = [&](Vec<Coord, Dim> const& cell) {
      int count = 0;
      for (int child = 0; child < 1 << Dim; ++child) {
        Vec<Coord, Dim> place;
        for (int axis = 0; axis < Dim; ++axis) place[axis] = 2 * cell[axis] + ((child >> axis) & 1);
        count += map(place);
      }
      return count;
    };
    constexpr int all = 1 << Dim;
    ASSERT_TRUE(bitmap::holds_where(coarsen(set), coarse, [&](auto const& c) { return children_of(c) > 0; }));
    ASSERT_TRUE(bitmap::holds_where(coarsen(set, Children::majority), coarse,
                                    [&](auto const& c) { return 2 * children_of(c) > all; }));
    ASSERT_TRUE(
        bitmap::holds_where(coarsen(set, Children::all), coarse, [&](auto const& c) { return children_of(c) == all; }));
    for (auto const children : {Children::any, Children::majority, Children::all})
      ASSERT_EQ(coarsen(refine(set), children), set);
  }
}

TYPED_TEST(Elements, EmptySetsAndBadInput) {
  constexpr int Dim = TypeParam::value;
  IntervalSet<Dim> const none;
  auto const some = box(Vec<Coord, Dim>{}, Vec<Coord, Dim>::filled(4));
  for (auto const element : elements) {
    EXPECT_TRUE(expand(none, 7, element).is_empty());
    EXPECT_TRUE(shrink(some, 2, element).is_empty());
    EXPECT_TRUE(shrink(some, coord_limit, element).is_empty());
    EXPECT_EQ(expand(some, 0, element), some);
    EXPECT_THROW(expand(some, -1, element), std::invalid_argument);
    EXPECT_THROW(shrink(some, -1, element), std::invalid_argument);
    EXPECT_THROW(outer_layer(some, -1, element), std::invalid_argument);
    EXPECT_THROW(inner_layer(some, -1, element), std::invalid_argument);
    EXPECT_THROW(distance_bands(some, {2, 1}, element), std::invalid_argument);
    EXPECT_THROW(distance_bands(some, {-2, 1}, element), std::invalid_argument);
  }
  EXPECT_THROW(expand(some, coord_limit), std::invalid_argument);
  EXPECT_TRUE(coarsen(none, Children::majority).is_empty());
}

}  // namespace
