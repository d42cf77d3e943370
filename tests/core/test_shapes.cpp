/// Boxes, balls, bitmaps, predicates and level sets.

#include <climits>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

template <class Dimension>
class Shapes : public testing::Test {};
TYPED_TEST_SUITE(Shapes, Dimensions);

/// A small box somewhere, perhaps without cells, perhaps at the limit.
template <int Dim>
Box<Dim> random_box(std::mt19937& engine) {
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const size = random_int(engine, random_int(engine, 0, 9) == 0 ? 0 : 1, Dim == 2 ? 12 : 7);
    Coord const choices[] = {random_int(engine, -20, 20), -coord_limit + 1, coord_limit - size};
    box.begin[axis] = choices[random_int(engine, 0, 2)];
    box.end[axis] = box.begin[axis] + size;
  }
  return box;
}

/// The cells whose centres are at most `radius` away, among those of the box that must hold them.
template <int Dim>
Cells<Dim> ball_cells(Vec<double, Dim> const& center, double radius) {
  Cell<Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = std::max(-coord_limit + 1, static_cast<Coord>(std::floor(center[axis] - radius)) - 2);
    end[axis] = std::min(coord_limit, static_cast<Coord>(std::ceil(center[axis] + radius)) + 2);
  }
  Cells<Dim> cells;
  for (auto const& cell : reference::box<Dim>(begin, end)) {
    double distance = 0;
    for (int axis = Dim - 1; axis >= 0; --axis) distance += std::pow(cell[axis] + 0.5 - center[axis], 2);
    if (distance <= radius * radius) cells.insert(cell);
  }
  return cells;
}

/// A pattern that a kernel and the host compute alike.
template <int Dim>
struct Pattern {
  int seed;
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const {
    std::uint32_t hash = static_cast<std::uint32_t>(seed);
    for (int axis = 0; axis < Dim; ++axis) hash = (hash ^ static_cast<std::uint32_t>(cell[axis])) * 2654435761u;
    return (hash >> 16) % 4 != 0;
  }
};

/// Negative inside a slanted half space.
template <int Dim>
struct HalfSpace {
  Vec<double, Dim> normal;
  double level;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double sum = -level;
    for (int axis = 0; axis < Dim; ++axis) sum += normal[axis] * x[axis];
    return sum;
  }
};

}  // namespace

TYPED_TEST(Shapes, BoxHasTheCellsBetweenItsCorners) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const box = random_box<Dim>(engine);
    ASSERT_TRUE(matches(sparse::box<Dim>(box.begin, box.end), reference::box<Dim>(box.begin, box.end)))
        << "seed " << seed;
  }
}

TEST(ShapesInBraces, SayTheirDimension) {
  EXPECT_EQ(sparse::box({-1, 2}, {40, 16}), sparse::box<2>(Cell<2>{-1, 2}, Cell<2>{40, 16}));
  EXPECT_EQ(sparse::box({-1, 2, 3}, {4, 5, 6}), sparse::box<3>(Cell<3>{-1, 2, 3}, Cell<3>{4, 5, 6}));
  EXPECT_EQ(sparse::box<3>({}, {4, 5, 6}), sparse::box<3>(Cell<3>{}, Cell<3>{4, 5, 6}));
  EXPECT_EQ(sparse::ball({8, 8.5}, 2), sparse::ball<2>(Vec<double, 2>{8, 8.5}, 2));
  EXPECT_EQ(sparse::ball({8, 8, 1}, 2.5), sparse::ball<3>(Vec<double, 3>{8, 8, 1}, 2.5));
  EXPECT_EQ(sparse::ellipsoid({8, 8}, {3, 2}), sparse::ellipsoid<2>(Vec<double, 2>{8, 8}, Vec<double, 2>{3, 2}));
  EXPECT_EQ(sparse::capsule({1, 2, 3}, {9, 2, 4}, 2),
            sparse::capsule<3>(Vec<double, 3>{1, 2, 3}, Vec<double, 3>{9, 2, 4}, 2));
}

TYPED_TEST(Shapes, BallHasTheCellsWithCentresInside) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    // Quarters give centres exactly on the sphere; the others are arbitrary.
    bool const is_exact = seed % 2 == 0;
    auto const draw = [&](int least, int greatest) {
      double const x = random_int(engine, 4 * least, 4 * greatest) / 4.0;
      return is_exact ? x : x + random_int(engine, 0, 999) / 4000.0;
    };
    double const radius = draw(0, Dim == 2 ? 9 : 5);
    Vec<double, Dim> center;
    for (int axis = 0; axis < Dim; ++axis) center[axis] = draw(-30, 30) + (seed % 5 == 0 ? 1e8 : 0);
    ASSERT_TRUE(matches(sparse::ball<Dim>(center, radius), ball_cells<Dim>(center, radius)))
        << "seed " << seed << ", centre " << center << ", radius " << radius;
  }
}

TYPED_TEST(Shapes, BallOfNoRadiusHasAtMostOneCell) {
  constexpr int Dim = TypeParam::value;
  auto const middle = Vec<double, Dim>::filled(-3.5), corner = Vec<double, Dim>::filled(8.0);
  Cells<Dim> const cell{Cell<Dim>::filled(-4)};
  for (double const radius : {0.0, 1e-300, 1e-9, 0.25}) {
    EXPECT_TRUE(matches(sparse::ball<Dim>(middle, radius), cell)) << radius;
    EXPECT_TRUE(sparse::ball<Dim>(corner, radius).is_empty()) << radius;
  }
  EXPECT_EQ(sparse::ball<Dim>(corner, std::sqrt(0.25 * Dim) + 1e-9).cell_count(), 1 << Dim);
}

TYPED_TEST(Shapes, BallsTouchTheLimitAndDoNotCrossIt) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis)
    for (int const side : {-1, 1})
      for (double const radius : {0.5, 1.0, 2.5, 4.75}) {
        Vec<double, Dim> center = Vec<double, Dim>::filled(0.5);
        // The last cell of the range, whose centre is half a cell from its end, is the last one of the ball.
        center[axis] = side * (coord_limit - 0.5 - radius) + (side < 0 ? 1 : 0);
        EXPECT_TRUE(matches(sparse::ball<Dim>(center, radius), ball_cells<Dim>(center, radius))) << center << radius;
        center[axis] += side;
        EXPECT_THROW(sparse::ball<Dim>(center, radius), std::invalid_argument) << center << radius;
      }
}

TYPED_TEST(Shapes, BitmapSetsCellsWhereBytesAreNotZero) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const box = random_box<Dim>(engine);
    std::vector<std::uint8_t> bytes;
    Cells<Dim> expected;
    for (auto const& cell : reference::box<Dim>(box.begin, box.end)) {  // x fastest, then y, then z
      bytes.push_back(static_cast<std::uint8_t>(random_int(engine, 0, 2) == 0 ? 0 : random_int(engine, 1, 255)));
      if (bytes.back() != 0) expected.insert(cell);
    }
    ASSERT_TRUE(matches(from_bitmap(box, bytes), expected)) << "seed " << seed;
  }
}

TYPED_TEST(Shapes, PredicateDecidesEveryCellOfTheBox) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const box = random_box<Dim>(engine);
    Pattern<Dim> const pattern{static_cast<int>(seed)};
    Cells<Dim> expected;
    for (auto const& cell : reference::box<Dim>(box.begin, box.end))
      if (pattern(cell)) expected.insert(cell);
    ASSERT_TRUE(matches(from_predicate(box, pattern), expected)) << "seed " << seed;
  }
}

TYPED_TEST(Shapes, LevelSetIsInsideWhereItIsNegativeAtTheCentre) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Box<Dim> box;
    HalfSpace<Dim> plane;
    for (int axis = 0; axis < Dim; ++axis) {
      box.begin[axis] = random_int(engine, -9, 0);
      box.end[axis] = box.begin[axis] + random_int(engine, 0, 9);
      plane.normal[axis] = random_int(engine, -4, 4) / 2.0;
    }
    plane.level = random_int(engine, -8, 8) / 4.0;  // often zero exactly at centres, which is not inside
    Cells<Dim> expected;
    for (auto const& cell : reference::box<Dim>(box.begin, box.end)) {
      Vec<double, Dim> center;
      for (int axis = 0; axis < Dim; ++axis) center[axis] = cell[axis] + 0.5;
      if (plane(center) < 0) expected.insert(cell);
    }
    ASSERT_TRUE(matches(from_level_set(box, plane), expected)) << "seed " << seed;
  }
}

TYPED_TEST(Shapes, RefuseBoxesThatAreInsideOutOrOutOfRange) {
  constexpr int Dim = TypeParam::value;
  auto const zero = Cell<Dim>::filled(0), three = Cell<Dim>::filled(3);
  EXPECT_TRUE(sparse::box<Dim>(three, three).is_empty());
  for (int axis = 0; axis < Dim; ++axis) {
    auto const refuses = [&](Coord begin, Coord end) {
      Box<Dim> box{zero, three};
      box.begin[axis] = begin;
      box.end[axis] = end;
      EXPECT_THROW(sparse::box<Dim>(box.begin, box.end), std::invalid_argument) << begin << " " << end;
      EXPECT_THROW(from_predicate(box, Pattern<Dim>{}), std::invalid_argument) << begin << " " << end;
      EXPECT_THROW(from_bitmap(box, {}), std::invalid_argument) << begin << " " << end;
    };
    refuses(1, 0);
    refuses(INT_MAX, INT_MIN);
    refuses(INT_MIN, INT_MAX);
    refuses(-coord_limit, 0);
    refuses(0, coord_limit + 1);
    refuses(coord_limit, INT_MAX);
  }
}

TYPED_TEST(Shapes, RefuseBitmapsOfTheWrongSize) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> const box{Cell<Dim>::filled(0), Cell<Dim>::filled(3)};
  auto const size = static_cast<std::size_t>(box.cell_count());
  EXPECT_NO_THROW(from_bitmap(box, std::vector<std::uint8_t>(size)));
  EXPECT_THROW(from_bitmap(box, std::vector<std::uint8_t>(size - 1)), std::invalid_argument);
  EXPECT_THROW(from_bitmap(box, std::vector<std::uint8_t>(size + 1)), std::invalid_argument);
  EXPECT_THROW(from_bitmap(box, {}), std::invalid_argument);
  // Far more cells than 64 bits count in 3D.
  Box<Dim> const all{Cell<Dim>::filled(-coord_limit + 1), Cell<Dim>::filled(coord_limit)};
  EXPECT_THROW(from_bitmap(all, {}), std::invalid_argument);
}

TYPED_TEST(Shapes, RefuseBallsThatAreNoBalls) {
  constexpr int Dim = TypeParam::value;
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Vec<double, Dim> const origin{};
  for (double const radius : {-1.0, -1e-300, infinity, -infinity, nan, 1e300, 2.0 * coord_limit})
    EXPECT_THROW(sparse::ball<Dim>(origin, radius), std::invalid_argument) << radius;
  for (int axis = 0; axis < Dim; ++axis)
    for (double const x : {infinity, -infinity, nan, 1e300, -1e10, 1.0 * coord_limit, -1.0 * coord_limit})
      EXPECT_THROW(sparse::ball<Dim>(Vec<double, Dim>::along(axis, x), 1.0), std::invalid_argument) << x;
}
