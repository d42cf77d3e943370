/// Union, intersection, difference, symmetric difference and shift, cell by cell and as laws.

#include <climits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

template <class Dimension>
class SetAlgebra : public testing::Test {};
TYPED_TEST_SUITE(SetAlgebra, Dimensions);

}  // namespace

TYPED_TEST(SetAlgebra, MatchesBruteForceAndIsCanonical) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 2 * seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const cells_a = random_cells<Dim>(seed, 0), cells_b = random_cells<Dim>(seed, 1);
    auto const a = set_of(cells_a), b = set_of(cells_b);
    ASSERT_TRUE(matches(a | b, either(cells_a, cells_b)));
    ASSERT_TRUE(matches(a & b, both(cells_a, cells_b)));
    ASSERT_TRUE(matches(a - b, difference(cells_a, cells_b)));
    ASSERT_TRUE(matches(a ^ b, exactly_one(cells_a, cells_b)));
  }
}

TYPED_TEST(SetAlgebra, SetsFarApartAreNeighboursInNothing) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const cells_a = random_cells<Dim>(seed), cells_b = random_cells<Dim>(seed + 1);
    auto const a = set_of(cells_a), b = set_of(cells_b);
    ASSERT_TRUE(matches(a | b, either(cells_a, cells_b)));
    ASSERT_TRUE(matches(a & b, both(cells_a, cells_b)));
    ASSERT_TRUE(matches(b - a, difference(cells_b, cells_a)));
    ASSERT_TRUE(matches(a ^ b, exactly_one(cells_a, cells_b)));
  }
}

TYPED_TEST(SetAlgebra, ObeysItsLaws) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const a = random_set<Dim>(seed, 0), b = random_set<Dim>(seed, 1), c = random_set<Dim>(seed, 2);
    auto const all = random_set<Dim>(seed, 3) | a | b | c;
    ASSERT_EQ(all - (a | b), (all - a) & (all - b));  // De Morgan
    ASSERT_EQ(all - (a & b), (all - a) | (all - b));
    ASSERT_EQ(a | (a & b), a);  // absorption
    ASSERT_EQ(a & (a | b), a);
    ASSERT_EQ(a | b, b | a);
    ASSERT_EQ(a & b, b & a);
    ASSERT_EQ(a ^ b, b ^ a);
    ASSERT_EQ((a | b) | c, a | (b | c));
    ASSERT_EQ((a & b) & c, a & (b & c));
    ASSERT_EQ((a ^ b) ^ c, a ^ (b ^ c));
    ASSERT_EQ(a & (b | c), (a & b) | (a & c));
    ASSERT_EQ(a | (b & c), (a | b) & (a | c));
    ASSERT_EQ(a ^ b, (a | b) - (a & b));
    ASSERT_EQ(a ^ b, (a - b) | (b - a));
    ASSERT_EQ((a ^ b) ^ b, a);
    ASSERT_EQ((a - b) | (a & b), a);
    ASSERT_TRUE(((a - b) & b).is_empty());
    ASSERT_EQ((a | b).cell_count() + (a & b).cell_count(), a.cell_count() + b.cell_count());
  }
}

TYPED_TEST(SetAlgebra, AssigningOperatorsDoTheSame) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const a = random_set<Dim>(seed, 0), b = random_set<Dim>(seed, 1);
    auto c = a;
    ASSERT_EQ(c |= b, a | b);
    c = a;
    ASSERT_EQ(c &= b, a & b);
    c = a;
    ASSERT_EQ(c ^= b, a ^ b);
    c = a;
    ASSERT_EQ(c -= b, a - b);
  }
}

TYPED_TEST(SetAlgebra, NeedsNoWorkWhereAnOperandIsTheResult) {
  constexpr int Dim = TypeParam::value;
  auto const a = set_of(reference::box<Dim>({}, Cell<Dim>::filled(3)));
  IntervalSet<Dim> const none;
  EXPECT_EQ((a | a).identity(), a.identity());
  EXPECT_EQ((a & a).identity(), a.identity());
  EXPECT_TRUE((a - a).is_empty());
  EXPECT_TRUE((a ^ a).is_empty());
  EXPECT_EQ((a | none).identity(), a.identity());
  EXPECT_EQ((none ^ a).identity(), a.identity());
  EXPECT_EQ((a - none).identity(), a.identity());
  EXPECT_EQ(shift(a, 1, 0).identity(), a.identity());
}

TYPED_TEST(SetAlgebra, ShiftMovesEveryCell) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1000);
    auto const set = set_of(cells);
    Cell<Dim> offset;
    for (int axis = 0; axis < Dim; ++axis) offset[axis] = random_int(engine, -1000, 1000);
    ASSERT_TRUE(matches(shift(set, offset), moved(cells, offset)));
    ASSERT_EQ(shift(shift(set, offset), Coord{-1} * offset), set);
    int const axis = random_int(engine, 0, Dim - 1);
    ASSERT_EQ(shift(set, axis, offset[axis]), shift(set, Cell<Dim>::along(axis, offset[axis])));
  }
}

TYPED_TEST(SetAlgebra, ShiftCrossesTheWholeRangeAndNoMore) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const across = 2 * (coord_limit - 1);
    Cell<Dim> const first = Cell<Dim>::filled(-coord_limit + 1);
    auto const set = set_of(Cells<Dim>{first});
    EXPECT_TRUE(matches(shift(set, axis, across), Cells<Dim>{first + Cell<Dim>::along(axis, across)}));
    EXPECT_TRUE(matches(shift(set, Cell<Dim>::filled(across)), Cells<Dim>{Cell<Dim>::filled(coord_limit - 1)}));
    EXPECT_EQ(shift(shift(set, Cell<Dim>::filled(across)), Cell<Dim>::filled(-across)), set);
    for (Coord const distance : {-1, INT_MIN, INT_MAX, across + 1})
      EXPECT_THROW(shift(set, axis, distance), std::invalid_argument) << distance;
    EXPECT_THROW(shift(shift(set, Cell<Dim>::filled(across)), axis, 1), std::invalid_argument);
  }
}

TYPED_TEST(SetAlgebra, KeepsIntervalsApartAtBothEndsOfTheRange) {
  constexpr int Dim = TypeParam::value;
  Coord const last = coord_limit - 1;
  Cells<Dim> a, b;
  for (Coord const y : {-last, -1, 0, last})
    for (Coord const x : {-last, -last + 1, last - 2, last}) {
      Cell<Dim> cell = Cell<Dim>::filled(y);
      cell[0] = x;
      a.insert(cell);
      cell[1] = -y;
      b.insert(cell);
    }
  EXPECT_TRUE(matches(set_of(a) | set_of(b), either(a, b)));
  EXPECT_TRUE(matches(set_of(a) & set_of(b), both(a, b)));
  EXPECT_TRUE(matches(set_of(a) - set_of(b), difference(a, b)));
  EXPECT_TRUE(matches(set_of(a) ^ set_of(b), exactly_one(a, b)));
}
