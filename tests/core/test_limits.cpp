// The edges of what sets can hold: coordinates near 2^30, more cells than 32 bits count, results that would not fit.

#include <stdexcept>

#include <sparse/sparse.hpp>

#include "support/reference.hpp"

namespace {

using namespace sparse;

template <class Dimension>
class Limits : public testing::Test {};
TYPED_TEST_SUITE(Limits, reference::Dimensions);

constexpr Coord most = coord_limit - 1;  // the greatest coordinate; -most is the least

template <int Dim>
IntervalSet<Dim> single(Vec<Coord, Dim> const& cell) {
  return box(cell, cell + Vec<Coord, Dim>::filled(1));
}

/// A few rows that reach from one end of the range to the other: 2^31 - 1 cells each.
template <int Dim>
IntervalSet<Dim> long_rows(Coord row_count) {
  Box<Dim> domain{Vec<Coord, Dim>::filled(0), Vec<Coord, Dim>::filled(1)};
  domain.begin[0] = -most;
  domain.end[0] = coord_limit;
  domain.end[1] = row_count;
  return box(domain.begin, domain.end);
}

constexpr Index long_row = 2 * Index{most} + 1;

TYPED_TEST(Limits, MoreCellsThanThirtyTwoBitsCount) {
  constexpr int Dim = TypeParam::value;
  auto const rows = long_rows<Dim>(9);
  auto const hole = single(Vec<Coord, Dim>::along(1, 4));
  EXPECT_EQ(rows.cell_count(), 9 * long_row);
  EXPECT_EQ((rows - hole).cell_count(), 9 * long_row - 1);
  EXPECT_EQ((rows - hole).interval_count(), 10);
  EXPECT_EQ((rows & hole), hole);
  EXPECT_EQ((rows ^ hole) | hole, rows);
  EXPECT_EQ(unite<Dim>({rows - hole, hole, long_rows<Dim>(3)}), rows);
  auto const host = (rows - hole).to_host();
  EXPECT_EQ(host.cell_offsets.back(), 8 * long_row - 1);
  EXPECT_EQ(host.cell_count(), 9 * long_row - 1);

  auto last = Vec<Coord, Dim>::along(1, 8);
  last[0] = most;
  EXPECT_TRUE(rows.contains(last));
  EXPECT_EQ(coarsen(rows).cell_count(), 5 * (Index{1} << 30));
  EXPECT_EQ(coarsen(rows, Children::all).is_empty(), Dim == 3);
  EXPECT_EQ(expand(rows, 1, 1).cell_count(), 11 * long_row);
  EXPECT_EQ(shrink(expand(rows, 1, 3), 0).cell_count(), 15 * long_row);
  EXPECT_EQ(component_count(rows - hole), 1);
  EXPECT_EQ(component_sizes(connected_components(rows)), std::vector<Index>{9 * long_row});
  EXPECT_EQ(fill_holes(rows - hole), Dim == 2 ? rows : rows - hole);
}

TYPED_TEST(Limits, CellsAtTheEdgeOfTheRange) {
  constexpr int Dim = TypeParam::value;
  for (int sign : {-1, 1})
    for (int axis = 0; axis < Dim; ++axis) {
      auto const corner = Vec<Coord, Dim>::along(axis, sign * most);
      auto const set = single(corner);
      EXPECT_EQ(set.bounds().begin, corner);
      EXPECT_EQ(shift(shift(set, axis, -sign * most), axis, sign * most), set);
      EXPECT_EQ(shrink(expand(shift(set, axis, -sign * 5), 5), 5), shift(set, axis, -sign * 5));
      EXPECT_EQ(mirror(set, axis, sign > 0 ? 1 : 0).bounds().begin[axis], sign * (1 - most));
    }
}

TYPED_TEST(Limits, WhatWouldNotFitThrowsAndLeavesItsInputAlone) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const high = single(Vec<Coord, Dim>::along(axis, most)), low = single(Vec<Coord, Dim>::along(axis, -most));
    auto const before = high.to_host();
    EXPECT_THROW(shift(high, axis, 1), std::invalid_argument);
    EXPECT_THROW(shift(low, axis, -1), std::invalid_argument);
    EXPECT_THROW(shift(high, axis, most), std::invalid_argument);
    EXPECT_THROW(faces(high, axis), std::invalid_argument);
    EXPECT_THROW(refine(high), std::invalid_argument);
    EXPECT_THROW(refine(low), std::invalid_argument);
    for (auto const element : {Element::box, Element::diamond, Element::ball}) {
      EXPECT_THROW(expand(high, 1, element), std::invalid_argument);
      EXPECT_THROW(expand(low, 3, element), std::invalid_argument);
      EXPECT_THROW(close(low, 3, element), std::invalid_argument);
    }
    EXPECT_THROW(expand(high, axis, coord_limit), std::invalid_argument);
    EXPECT_THROW(mirror(low, axis, most), std::invalid_argument);
    EXPECT_EQ(high.to_host().intervals, before.intervals);
  }
  EXPECT_THROW(box(Vec<Coord, Dim>::filled(0), Vec<Coord, Dim>::filled(coord_limit + 1)), std::invalid_argument);
  EXPECT_THROW(ball(Vec<double, Dim>::filled(0), 2e9), std::invalid_argument);
  EXPECT_THROW(ball(Vec<double, Dim>::along(0, 1e300), 1), std::invalid_argument);
}

}  // namespace
