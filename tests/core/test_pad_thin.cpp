/// Bodies that are thickened: no cell between two of fluid, and not one cell more than that takes.

#include <sparse/fields/pad_thin.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/reference.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;

template <class Dimension>
class PadThin : public testing::Test {};
TYPED_TEST_SUITE(PadThin, Dimensions);

/// Cells of a body with fluid on two opposite sides.
template <int Dim>
Cells<Dim> thin(Cells<Dim> const& solid, Cells<Dim> const& fluid) {
  Cells<Dim> result;
  for (auto const& cell : solid)
    for (int axis = 0; axis < Dim; ++axis) {
      auto const step = Cell<Dim>::along(axis, 1);
      if (fluid.count(cell - step) > 0 && fluid.count(cell + step) > 0) result.insert(cell);
    }
  return result;
}

/// Cells of a box that are solid with a probability; the rest, or most of it, is fluid.
template <int Dim>
std::pair<Cells<Dim>, Cells<Dim>> random_scene(unsigned seed, Coord width, double density) {
  auto engine = random_engine(seed);
  std::bernoulli_distribution is_solid(density), is_absent(seed % 3 == 0 ? 0.1 : 0);
  Cells<Dim> solid, fluid;
  for (auto const& cell : reference::box<Dim>(Cell<Dim>::filled(-2), Cell<Dim>::filled(width - 2))) {
    if (is_solid(engine))
      solid.insert(cell);
    else if (!is_absent(engine))
      fluid.insert(cell);
  }
  return {solid, fluid};
}

/// The cells of the boxes of 2^Dim cells whose lower corners these are.
template <int Dim>
Cells<Dim> boxes_at(Cells<Dim> const& corners) {
  Cells<Dim> result;
  for (auto const& corner : corners)
    for (auto const& cell : reference::box<Dim>(corner, corner + Cell<Dim>::filled(2))) result.insert(cell);
  return result;
}

}  // namespace

TYPED_TEST(PadThin, LeavesNoCellBetweenTwoOfFluid) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    auto const [solid, fluid] = random_scene<Dim>(seed, Dim == 2 ? 20 : 9, 0.05 * (1 + seed % 12));
    auto const padded = pad_thin(set_of(solid), set_of(fluid));
    auto const result = cells_of(padded.solid);
    auto const added = difference(result, solid);
    ASSERT_EQ(difference(solid, result).size(), 0u) << "seed " << seed;
    ASSERT_EQ(static_cast<Index>(added.size()), padded.added_count) << "seed " << seed;
    ASSERT_EQ(difference(added, fluid).size(), 0u) << "seed " << seed;
    ASSERT_EQ(thin(result, difference(fluid, added)).size(), 0u) << "seed " << seed;
    ASSERT_EQ(difference(added, boxes_at<Dim>(thin(solid, fluid))).size(), 0u) << "seed " << seed;
    ASSERT_EQ(pad_thin(padded.solid, set_of(fluid) - padded.solid).added_count, 0) << "seed " << seed;
  }
}

// Of all sets between the body and what it becomes, only the last has no cell that is too thin.
TYPED_TEST(PadThin, AddsNothingThatCouldBeLeftOut) {
  constexpr int Dim = TypeParam::value;
  int tried = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const [solid, fluid] = random_scene<Dim>(seed, Dim == 2 ? 6 : 4, Dim == 2 ? 0.3 : 0.2);
    auto const result = cells_of(pad_thin(set_of(solid), set_of(fluid)).solid);
    auto const difference_of = difference(result, solid);
    std::vector<Cell<Dim>> const added(difference_of.begin(), difference_of.end());
    if (added.size() > 10) continue;
    ++tried;
    for (unsigned subset = 0; subset + 1 < 1u << added.size(); ++subset) {
      Cells<Dim> some;
      for (std::size_t i = 0; i < added.size(); ++i)
        if (((subset >> i) & 1u) != 0) some.insert(added[i]);
      ASSERT_GT(thin(either(solid, some), difference(fluid, some)).size(), 0u)
          << "seed " << seed << ": " << some.size() << " of " << added.size() << " cells would do";
    }
  }
  EXPECT_GT(tried, static_cast<int>(seed_count) / 4);
}

TYPED_TEST(PadThin, ThickensPlatesAndPoints) {
  constexpr int Dim = TypeParam::value;
  auto corner = Cell<Dim>::filled(5), end = Cell<Dim>::filled(6);
  EXPECT_EQ(pad_thin(set_of<Dim>({corner})).added_count, (1 << Dim) - 1);  // a box of 2^Dim
  for (int axis = 0; axis < Dim; ++axis) {
    auto upper = Cell<Dim>::filled(12);
    upper[axis] = corner[axis] + 1;
    auto const plate = reference::box<Dim>(corner, upper);
    EXPECT_EQ(pad_thin(set_of(plate)).added_count, static_cast<Index>(plate.size()));  // once more as thick
    upper[axis] = corner[axis] + 2;
    EXPECT_EQ(pad_thin(set_of(reference::box<Dim>(corner, upper))).added_count, 0);
  }
  EXPECT_EQ(pad_thin(IntervalSet<Dim>()).added_count, 0);
  auto const cells = set_of(reference::box<Dim>(corner, end));
  EXPECT_TRUE(is_refused([&] { pad_thin(cells, cells); }, "share"));
}
