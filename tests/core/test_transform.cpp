/// Mirrors, transpositions, turns, slices and extrusions against maps of cells.

#include <climits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

template <class Dimension>
class Transform : public testing::Test {};
TYPED_TEST_SUITE(Transform, Dimensions);

/// The image of each cell.
template <int Dim, class Map>
Cells<Dim> mapped(Cells<Dim> const& cells, Map const& map) {
  Cells<Dim> result;
  for (auto const& cell : cells) result.insert(map(cell));
  return result;
}

template <int Dim>
Cells<Dim> swapped(Cells<Dim> const& cells, int a, int b) {
  return mapped(cells, [&](Cell<Dim> cell) {
    std::swap(cell[a], cell[b]);
    return cell;
  });
}

Cells<2> sliced(Cells<3> const& cells, int axis, Coord position) {
  Cells<2> result;
  for (auto const& cell : cells)
    if (cell[axis] == position) result.insert({cell[axis == 0 ? 1 : 0], cell[axis == 2 ? 1 : 2]});
  return result;
}

Cells<3> extruded(Cells<2> const& cells, Coord begin, Coord end, int axis) {
  Cells<3> result;
  for (auto const& cell : cells)
    for (Coord k = begin; k < end; ++k)
      result.insert(axis == 0   ? Cell<3>{k, cell[0], cell[1]}
                    : axis == 1 ? Cell<3>{cell[0], k, cell[1]}
                                : Cell<3>{cell[0], cell[1], k});
  return result;
}

}  // namespace

TYPED_TEST(Transform, MirrorReflectsEveryCell) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 41);
    Coord const plane = random_int(engine, -20, 20);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const result = mirror(set_of(cells), axis, plane);
      ASSERT_TRUE(matches(result, mapped(cells,
                                         [&](Cell<Dim> cell) {
                                           cell[axis] = 2 * plane - 1 - cell[axis];
                                           return cell;
                                         })))
          << "seed " << seed << ", axis " << axis << ", plane " << plane;
      ASSERT_EQ(mirror(result, axis, plane), set_of(cells)) << "seed " << seed;
    }
  }
}

TYPED_TEST(Transform, MirrorTakesPlanesFarAway) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    Cell<Dim> const last = Cell<Dim>::along(axis, coord_limit - 1), far = Cell<Dim>::along(axis, coord_limit - 2);
    EXPECT_TRUE(matches(mirror(set_of(Cells<Dim>{last}), axis, coord_limit - 1), Cells<Dim>{far}));
    auto const origin = set_of(Cells<Dim>{{}});
    EXPECT_TRUE(matches(mirror(origin, axis, coord_limit / 2), Cells<Dim>{last}));
    for (Coord const plane : {coord_limit / 2 + 1, -coord_limit / 2, coord_limit, INT_MAX, INT_MIN})
      EXPECT_THROW(mirror(origin, axis, plane), std::invalid_argument) << plane;
  }
}

TYPED_TEST(Transform, TransposeSwapsCoordinates) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    for (int a = 0; a < Dim; ++a)
      for (int b = 0; b < Dim; ++b)
        ASSERT_TRUE(matches(transpose(set_of(cells), a, b), swapped(cells, a, b)))
            << "seed " << seed << ", axes " << a << " and " << b;
  }
}

TYPED_TEST(Transform, TransposeOfWideSetsNeedsTheirOutlineOnly) {
  constexpr int Dim = TypeParam::value;
  // 24 million cells in 2D, of which 12000 begin or end an interval of the result.
  Cell<Dim> begin = Cell<Dim>::filled(-1), end = Cell<Dim>::filled(2);
  begin[0] = -3000;
  end[0] = 3000;
  begin[1] = -2000;
  end[1] = 2000;
  auto const result = transpose(sparse::box<Dim>(begin, end), 0, 1);
  std::swap(begin[0], begin[1]);
  std::swap(end[0], end[1]);
  EXPECT_EQ(result, sparse::box<Dim>(begin, end));
  Vec<double, Dim> center{1000, -70}, image{-70, 1000};
  EXPECT_EQ(transpose(sparse::ball<Dim>(center, 40), 1, 0), sparse::ball<Dim>(image, 40));
}

TYPED_TEST(Transform, QuarterTurnsFollowTheRightHand) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1);
    for (int from = 0; from < Dim; ++from)
      for (int to = 0; to < Dim; ++to) {
        if (from == to) continue;
        auto const turned = rotate(set_of(cells), from, to);
        ASSERT_TRUE(matches(turned, mapped(cells,
                                           [&](Cell<Dim> const& cell) {
                                             Cell<Dim> image = cell;
                                             image[to] = cell[from];
                                             image[from] = -1 - cell[to];
                                             return image;
                                           })))
            << "seed " << seed << ", from " << from << " to " << to;
        ASSERT_EQ(rotate(turned, to, from), set_of(cells)) << "seed " << seed;
      }
  }
}

TYPED_TEST(Transform, RefusesAxesThatAreNot) {
  constexpr int Dim = TypeParam::value;
  auto const set = set_of(Cells<Dim>{{}});
  for (int const axis : {-1, Dim}) {
    EXPECT_THROW(mirror(set, axis, 0), std::invalid_argument);
    EXPECT_THROW(transpose(set, axis, 0), std::invalid_argument);
    EXPECT_THROW(transpose(set, 0, axis), std::invalid_argument);
    EXPECT_THROW(rotate(set, axis, 0), std::invalid_argument);
    EXPECT_THROW(rotate(set, 0, axis), std::invalid_argument);
  }
  EXPECT_THROW(rotate(set, 1, 1), std::invalid_argument);
}

TYPED_TEST(Transform, OfTheEmptySetIsEmpty) {
  constexpr int Dim = TypeParam::value;
  IntervalSet<Dim> const none;
  for (int axis = 0; axis < Dim; ++axis) {
    EXPECT_TRUE(mirror(none, axis, INT_MAX).is_empty());
    EXPECT_TRUE(transpose(none, 0, axis).is_empty());
    EXPECT_TRUE(rotate(none, axis, (axis + 1) % Dim).is_empty());
  }
}

TEST(Slices, HoldTheCellsAtAPosition) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<3>(seed);
    auto const set = set_of(cells);
    auto const bounds = set.bounds();
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Coord> positions{bounds.begin[axis], bounds.end[axis] - 1, bounds.begin[axis] + 1,
                                   bounds.begin[axis] - 1, bounds.end[axis]};
      if (!cells.empty()) positions.push_back((*std::next(cells.begin(), cells.size() / 2))[axis]);
      for (Coord const position : positions)
        ASSERT_TRUE(matches(slice(set, axis, position), sliced(cells, axis, position)))
            << "seed " << seed << ", axis " << axis << ", position " << position;
    }
  }
}

TEST(Slices, OutsideAndOfNothingAreEmpty) {
  auto const set = sparse::box<3>({-1, -1, -1}, {2, 2, 2});
  for (int axis = 0; axis < 3; ++axis) {
    for (Coord const position : {-2, 2, INT_MAX, INT_MIN}) EXPECT_TRUE(slice(set, axis, position).is_empty());
    EXPECT_TRUE(slice(IntervalSet<3>(), axis, 0).is_empty());
  }
  for (int const axis : {-1, 3}) EXPECT_THROW(slice(set, axis, 0), std::invalid_argument);
}

TEST(Extrusions, RepeatASetAlongAnAxis) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const cells = random_cells<2>(seed);
    Coord const length = random_int(engine, 0, 4);
    Coord const begins[] = {0, -2, -coord_limit + 1, coord_limit - length};
    Coord const begin = begins[random_int(engine, 0, 3)];
    for (int axis = 0; axis < 3; ++axis) {
      auto const result = extrude(set_of(cells), begin, begin + length, axis);
      ASSERT_TRUE(matches(result, extruded(cells, begin, begin + length, axis)))
          << "seed " << seed << ", axis " << axis << ", from " << begin << ", length " << length;
      if (length > 0) {
        ASSERT_EQ(slice(result, axis, begin), set_of(cells)) << "seed " << seed;
      }
    }
  }
}

TEST(Extrusions, RefuseWhatHasNoCoordinates) {
  auto const set = sparse::box<2>({0, 0}, {3, 2});
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_THROW(extrude(set, -coord_limit, 0, axis), std::invalid_argument);
    EXPECT_THROW(extrude(set, 0, coord_limit + 1, axis), std::invalid_argument);
    EXPECT_THROW(extrude(set, 1, 0, axis), std::invalid_argument);
    EXPECT_TRUE(extrude(set, 1, 1, axis).is_empty());
    EXPECT_TRUE(extrude(IntervalSet<2>(), -5, 5, axis).is_empty());
  }
  for (int const axis : {-1, 3}) EXPECT_THROW(extrude(set, 0, 1, axis), std::invalid_argument);
  // 2^30 cells in a row, 2^32 rows of them.
  auto const wide = extrude(sparse::box<2>({-coord_limit + 1, 0}, {coord_limit, 1}), -1, 1, 1);
  EXPECT_EQ(wide.cell_count(), 2 * (2 * Index{coord_limit} - 1));
  EXPECT_THROW(extrude(sparse::box<2>({-coord_limit + 1, 0}, {coord_limit, 100}), -coord_limit + 1, coord_limit, 0),
               std::invalid_argument);
}
