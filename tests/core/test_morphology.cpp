/// Growing, shrinking and faces.

#include <algorithm>
#include <array>
#include <climits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

constexpr Coord greatest_radius = 5;

template <class Dimension>
class Morphology : public testing::Test {};
TYPED_TEST_SUITE(Morphology, Dimensions);

}  // namespace

TYPED_TEST(Morphology, ExpandReachesEveryNeighbour) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    Coord const radius = static_cast<Coord>(seed % (greatest_radius + 1));
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - greatest_radius);
    ASSERT_TRUE(matches(expand(set_of(cells), radius), expanded(cells, Cell<Dim>::filled(radius))))
        << "seed " << seed << ", radius " << radius;
  }
}

TYPED_TEST(Morphology, ExpandAlongOneAxisReachesNeighboursThereOnly) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Coord const radius = random_int(engine, 0, 9);
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 9);
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_TRUE(matches(expand(set_of(cells), axis, radius), expanded(cells, Cell<Dim>::along(axis, radius))))
          << "seed " << seed << ", radius " << radius << ", axis " << axis;
  }
}

TYPED_TEST(Morphology, ShrinkKeepsCellsWithAllTheirNeighbours) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    Coord const radius = static_cast<Coord>(seed % (greatest_radius + 1));
    auto cells = random_cells<Dim>(seed);
    if (seed % 2 == 0 && radius > 0)
      cells = expanded(random_cells<Dim>(seed, 0, coord_limit - 2), Cell<Dim>::filled(2));
    ASSERT_TRUE(matches(shrink(set_of(cells), radius), shrunk(cells, Cell<Dim>::filled(radius))))
        << "seed " << seed << ", radius " << radius;
  }
}

TYPED_TEST(Morphology, RadiiMayDifferFromAxisToAxis) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Cell<Dim> radii;
    for (int axis = 0; axis < Dim; ++axis) radii[axis] = random_int(engine, 0, Dim == 2 ? 6 : 3);
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 9);
    auto const grown = expanded(cells, radii);
    ASSERT_TRUE(matches(expand(set_of(cells), radii), grown)) << "seed " << seed << ", radii " << radii;
    ASSERT_TRUE(matches(shrink(set_of(grown), radii), shrunk(grown, radii))) << "seed " << seed << ", radii " << radii;
    ASSERT_TRUE(matches(shrink(set_of(cells), radii), shrunk(cells, radii))) << "seed " << seed << ", radii " << radii;
  }
}

// Rows with many intervals, as bits; several windows of rows one after the other.
TYPED_TEST(Morphology, RadiiMayDifferWhereRowsAreDense) {
  constexpr int Dim = TypeParam::value;
  Coord const width = Dim == 2 ? 40 : 8;
  auto const space = reference::box<Dim>(Cell<Dim>::filled(-width), Cell<Dim>::filled(width));
  for (unsigned seed = 1; seed <= 2; ++seed) {
    auto engine = random_engine(seed);
    Cells<Dim> holes, dust;
    for (auto const& cell : space) {
      int const draw = random_int(engine, 0, 999);
      if (draw < 3) holes.insert(cell);
      if (draw > 500) dust.insert(cell);
    }
    auto const porous = reference::difference(space, holes);
    for (auto const& [across, up] :
         std::vector<std::array<Coord, 2>>{{0, 3}, {3, 0}, {1, 4}, {4, 1}, {0, 35}, {2, 35}}) {
      Cell<Dim> radii = Cell<Dim>::filled(1);
      radii[0] = across;
      radii[1] = Dim == 2 ? up : std::min(up, Coord{4});
      SCOPED_TRACE("seed " + std::to_string(seed) + ", radii " + std::to_string(across) + ", " + std::to_string(up));
      ASSERT_TRUE(matches(expand(set_of(dust), radii), expanded(dust, radii)));
      ASSERT_TRUE(matches(shrink(set_of(porous), radii), shrunk(porous, radii)));
    }
  }
}

TYPED_TEST(Morphology, EqualRadiiAreOneRadius) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    Coord const radius = static_cast<Coord>(seed % 7);
    auto const set = random_set<Dim>(seed, 0, coord_limit - 9);
    ASSERT_EQ(expand(set, Cell<Dim>::filled(radius)), expand(set, radius)) << "seed " << seed;
    ASSERT_EQ(shrink(set, Cell<Dim>::filled(radius)), shrink(set, radius)) << "seed " << seed;
  }
}

TYPED_TEST(Morphology, ShrinkingIsExpandingTheOutside) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    Coord const radius = static_cast<Coord>(seed % 4);
    auto const set = random_set<Dim>(seed, 0, coord_limit / 2) &
                     set_of(reference::box<Dim>(Cell<Dim>::filled(-20), Cell<Dim>::filled(20)));
    auto const all = sparse::box<Dim>(Cell<Dim>::filled(-30), Cell<Dim>::filled(30));
    ASSERT_EQ(shrink(set, radius), all - expand(all - set, radius)) << "seed " << seed << ", radius " << radius;
  }
}

TYPED_TEST(Morphology, ObeysItsLaws) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const a = random_set<Dim>(seed, 0, coord_limit - 20), b = random_set<Dim>(seed, 1, coord_limit - 20);
    Coord const r = random_int(engine, 0, 8), s = random_int(engine, 0, 8);
    ASSERT_EQ(expand(expand(a, r), s), expand(a, r + s));
    ASSERT_EQ(shrink(shrink(a, r), s), shrink(a, r + s));
    ASSERT_EQ(expand(a | b, r), expand(a, r) | expand(b, r));
    ASSERT_EQ(shrink(a & b, r), shrink(a, r) & shrink(b, r));
    ASSERT_TRUE((a - shrink(expand(a, r), r)).is_empty());  // closing adds, opening takes away
    ASSERT_TRUE((expand(shrink(a, r), r) - a).is_empty());
    ASSERT_TRUE((shrink(a, r) - a).is_empty());
    ASSERT_TRUE((a - expand(a, r)).is_empty());
  }
}

TYPED_TEST(Morphology, LargeRadiiMakeBoxesOfCells) {
  constexpr int Dim = TypeParam::value;
  for (Coord const radius : Dim == 2 ? std::vector<Coord>{100, 127, 128, 129, 1000} : std::vector<Coord>{63, 100}) {
    Coord const apart = 2 * radius + 1;  // so that the boxes of the two cells touch
    Cell<Dim> const cell = Cell<Dim>::filled(-3), other = cell + Cell<Dim>::along(1, apart);
    auto const square = [&](Cell<Dim> const& center) {
      return sparse::box<Dim>(center - Cell<Dim>::filled(radius), center + Cell<Dim>::filled(radius + 1));
    };
    auto const grown = expand(set_of(Cells<Dim>{cell}), radius);
    EXPECT_EQ(grown, square(cell)) << radius;
    auto const both_grown = expand(set_of(Cells<Dim>{cell, other}), radius);
    EXPECT_EQ(both_grown, square(cell) | square(other)) << radius;
    EXPECT_TRUE(matches(shrink(grown, radius), Cells<Dim>{cell})) << radius;
    EXPECT_TRUE(shrink(grown, radius + 1).is_empty()) << radius;
    EXPECT_TRUE(matches(shrink(both_grown, radius), reference::box<Dim>(cell, other + Cell<Dim>::filled(1)))) << radius;
    EXPECT_TRUE(shrink(grown - set_of(Cells<Dim>{cell}), radius).is_empty()) << radius;
  }
}

TYPED_TEST(Morphology, VeryLargeRadiiAlongOneAxis) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> const cell = Cell<Dim>::filled(7);
  auto const set = set_of(Cells<Dim>{cell});
  for (int axis = 1; axis < Dim; ++axis) {
    auto const column = expand(set, axis, 1000);
    EXPECT_EQ(column, sparse::box<Dim>(cell - Cell<Dim>::along(axis, 1000),
                                       cell + Cell<Dim>::filled(1) + Cell<Dim>::along(axis, 1000)));
  }
  Coord const all = coord_limit - 1;
  auto const row = expand(set_of(Cells<Dim>{{}}), 0, all);
  EXPECT_EQ(row.cell_count(), 2 * Index{all} + 1);
  EXPECT_EQ(row.bounds().begin, (Cell<Dim>::along(0, -all)));
}

TYPED_TEST(Morphology, ShrinkByMoreThanTheSetLeavesNothing) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const set = random_set<Dim>(seed);
    for (Coord const radius : {300, 1 << 20, coord_limit / 2, coord_limit - 1, coord_limit, INT_MAX})
      ASSERT_TRUE(shrink(set, radius).is_empty()) << "seed " << seed << ", radius " << radius;
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_TRUE(shrink(set, Cell<Dim>::along(axis, INT_MAX)).is_empty()) << "seed " << seed << ", axis " << axis;
  }
  // Rows as long as they can be pass the first axis with every radius.
  Cell<Dim> begin = Cell<Dim>::filled(-1), end = Cell<Dim>::filled(2);
  begin[0] = -coord_limit + 1;
  end[0] = coord_limit;
  for (Coord const radius : {1 << 20, coord_limit / 2, coord_limit / 2 + 1, coord_limit - 2, coord_limit - 1, INT_MAX})
    EXPECT_TRUE(shrink(sparse::box<Dim>(begin, end), radius).is_empty()) << radius;
}

TYPED_TEST(Morphology, WorksUpToTheLimit) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis)
    for (Coord const side : {-1, 1})
      for (Coord const radius : {1, 2, 3, 6}) {
        Cells<Dim> const cells{Cell<Dim>::along(axis, side * (coord_limit - 1 - radius))};
        EXPECT_TRUE(matches(expand(set_of(cells), radius), expanded(cells, Cell<Dim>::filled(radius))));
        auto const grown = expanded(cells, Cell<Dim>::filled(radius));
        EXPECT_TRUE(matches(shrink(set_of(grown), radius), cells));
        EXPECT_THROW(expand(set_of(cells), radius + 1), std::invalid_argument);
        EXPECT_THROW(expand(set_of(cells), axis, radius + 1), std::invalid_argument);
        EXPECT_NO_THROW(expand(set_of(cells), axis == 0 ? 1 : 0, radius + 1));
      }
}

TYPED_TEST(Morphology, FacesAreTheCellsAndThoseAfterThem) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1);
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_TRUE(matches(faces(set_of(cells), axis), either(cells, moved(cells, Cell<Dim>::along(axis, 1)))))
          << "seed " << seed << ", axis " << axis;
  }
}

TYPED_TEST(Morphology, RefusesBadArguments) {
  constexpr int Dim = TypeParam::value;
  auto const set = set_of(Cells<Dim>{{}});
  auto const last = set_of(Cells<Dim>{Cell<Dim>::filled(coord_limit - 1)});
  for (Coord const radius : {-1, INT_MIN}) {
    EXPECT_THROW(expand(set, radius), std::invalid_argument);
    EXPECT_THROW(expand(set, 1, radius), std::invalid_argument);
    EXPECT_THROW(shrink(set, radius), std::invalid_argument);
    EXPECT_THROW(expand(IntervalSet<Dim>(), radius), std::invalid_argument);
    EXPECT_THROW(shrink(IntervalSet<Dim>(), radius), std::invalid_argument);
    for (int axis = 0; axis < Dim; ++axis) {
      Cell<Dim> radii = Cell<Dim>::filled(1);
      radii[axis] = radius;
      EXPECT_THROW(expand(set, radii), std::invalid_argument);
      EXPECT_THROW(shrink(set, radii), std::invalid_argument);
      EXPECT_THROW(shrink(IntervalSet<Dim>(), radii), std::invalid_argument);
    }
  }
  for (int const axis : {-1, Dim}) {
    EXPECT_THROW(expand(set, axis, 1), std::invalid_argument);
    EXPECT_THROW(faces(set, axis), std::invalid_argument);
    EXPECT_THROW(shift(set, axis, 1), std::invalid_argument);
  }
  for (int axis = 0; axis < Dim; ++axis) {
    EXPECT_THROW(faces(last, axis), std::invalid_argument);
    EXPECT_THROW(expand(set, axis, coord_limit), std::invalid_argument);
    EXPECT_THROW(expand(set, axis, INT_MAX), std::invalid_argument);
    EXPECT_THROW(expand(set, Cell<Dim>::along(axis, INT_MAX)), std::invalid_argument);
  }
  EXPECT_THROW(expand(set, INT_MAX), std::invalid_argument);
}
