#include <gtest/gtest.h>

#include <sparse/io/levels/merged_cells.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/reference.hpp"

namespace {

using namespace sparse;

template <class Dimension>
class MergedCells : public testing::Test {};
TYPED_TEST_SUITE(MergedCells, reference::Dimensions);

/// The region of all levels at the resolution of the last one; fails where levels overlap.
template <int Dim>
IntervalSet<Dim> region(std::vector<io::LevelCells<Dim>> const& levels) {
  IntervalSet<Dim> all;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    EXPECT_EQ(levels[l].level, static_cast<int>(l));
    IntervalSet<Dim> const cells = from_host<Dim>(levels[l].cells);
    if (l > 0) all = refine(all);
    EXPECT_TRUE((all & cells).is_empty());
    all |= cells;
  }
  return all;
}

TYPED_TEST(MergedCells, AreTheSetAndNoFamilyOfThemIsWhole) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const set = reference::random_set<Dim>(seed, 0, coord_limit / 16);
    int const level = static_cast<int>(seed % 4);
    auto const levels = io::merged_cells(set, level);
    ASSERT_EQ(levels.size(), static_cast<std::size_t>(level) + 1);
    EXPECT_TRUE(region(levels) == set);
    for (int l = 1; l <= level; ++l) {
      std::map<Vec<Coord, Dim>, int, reference::StorageOrder> children;
      levels[static_cast<std::size_t>(l)].cells.for_each_cell([&](Vec<Coord, Dim> cell, Index) {
        for (int axis = 0; axis < Dim; ++axis) cell[axis] = floor_half(cell[axis]);
        EXPECT_LT(++children[cell], 1 << Dim);
      });
    }
  }
}

TYPED_TEST(MergedCells, OfABallAreAsManyAsItsBoundaryHas) {
  constexpr int Dim = TypeParam::value;
  auto const set = ball<Dim>(Vec<double, Dim>::filled(40), 32);
  Index count = 0;
  for (auto const& level : io::merged_cells(set, 5)) count += level.cells.cell_count();
  EXPECT_LT(count, set.cell_count() / (Dim == 2 ? 5 : 3));
}

}  // namespace
