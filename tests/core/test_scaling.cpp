/// Coarsening and refinement.

#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

template <class Dimension>
class Scaling : public testing::Test {};
TYPED_TEST_SUITE(Scaling, Dimensions);

}  // namespace

TYPED_TEST(Scaling, CoarsenFindsTheParents) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 2 * seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    ASSERT_TRUE(matches(coarsen(set_of(cells)), coarsened(cells))) << "seed " << seed;
  }
}

TYPED_TEST(Scaling, RefineFindsAllChildren) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 2 * seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, coord_limit / 2);
    ASSERT_TRUE(matches(refine(set_of(cells)), refined(cells))) << "seed " << seed;
  }
}

TYPED_TEST(Scaling, CoarsenUndoesRefine) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const a = random_set<Dim>(seed, 0, coord_limit / 4), b = random_set<Dim>(seed, 1, coord_limit / 4);
    ASSERT_EQ(coarsen(refine(a)), a);
    ASSERT_EQ(coarsen(coarsen(refine(refine(a)))), a);
    ASSERT_EQ(rescale(a, 2), refine(refine(a)));
    ASSERT_EQ(rescale(b, -2), coarsen(coarsen(b)));
    ASSERT_EQ(rescale(a, 0), a);
    ASSERT_TRUE((a - refine(coarsen(a))).is_empty());
    ASSERT_EQ(refine(a - b), refine(a) - refine(b));
    ASSERT_EQ(coarsen(a | b), coarsen(a) | coarsen(b));
    ASSERT_EQ(refine(expand(a, 1)), expand(refine(a), 2));
  }
}

TYPED_TEST(Scaling, NegativeCoordinatesRoundDown) {
  constexpr int Dim = TypeParam::value;
  for (Coord const x : {-5, -4, -3, -2, -1, 0, 1, 2, -coord_limit + 1, coord_limit - 1}) {
    Coord const parent = x >= 0 ? x / 2 : -((1 - x) / 2);
    EXPECT_TRUE(matches(coarsen(set_of(Cells<Dim>{Cell<Dim>::filled(x)})), Cells<Dim>{Cell<Dim>::filled(parent)})) << x;
  }
}

TYPED_TEST(Scaling, RefineStopsAtTheLimit) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const at = [axis](Coord x) { return set_of(Cells<Dim>{Cell<Dim>::along(axis, x)}); };
    EXPECT_EQ(refine(at(coord_limit / 2 - 1)).bounds().end[axis], coord_limit);
    EXPECT_EQ(refine(at(-coord_limit / 2 + 1)).bounds().begin[axis], -coord_limit + 2);
    EXPECT_THROW(refine(at(coord_limit / 2)), std::invalid_argument);
    EXPECT_THROW(refine(at(-coord_limit / 2)), std::invalid_argument);
    EXPECT_THROW(refine(at(coord_limit - 1)), std::invalid_argument);
    EXPECT_THROW(refine(at(-coord_limit + 1)), std::invalid_argument);
  }
}
