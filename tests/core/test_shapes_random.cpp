/// Random sets: their statistics, and that they are always the same.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::random_cells;
using sparse::random_intervals;

namespace {

template <class Dimension>
class RandomSets : public testing::Test {};
TYPED_TEST_SUITE(RandomSets, Dimensions);

/// A million cells.
template <int Dim>
Box<Dim> large_box(Coord begin = -500) {
  Box<Dim> box{Cell<Dim>::filled(begin), Cell<Dim>::filled(begin)};
  for (int axis = 0; axis < Dim; ++axis) box.end[axis] += Dim == 2 ? 1000 : 100;
  return box;
}

template <int Dim>
double fraction(IntervalSet<Dim> const& set, Box<Dim> const& box) {
  return static_cast<double>(set.cell_count()) / static_cast<double>(box.cell_count());
}

/// The order-dependent sum of all coordinates of interval ends.
template <int Dim>
std::uint64_t digest(IntervalSet<Dim> const& set) {
  std::uint64_t hash = 14695981039346656037u;
  auto const add = [&](std::int64_t x) { hash = (hash ^ static_cast<std::uint64_t>(x)) * 1099511628211u; };
  set.to_host().for_each_interval([&](sparse::RowKey key, Interval interval, Index) {
    add(key);
    add(interval.begin);
    add(interval.end);
  });
  return hash;
}

}  // namespace

TYPED_TEST(RandomSets, CellsHaveTheirProbabilityAndNoNeighbours) {
  constexpr int Dim = TypeParam::value;
  auto const box = large_box<Dim>();
  double const n = static_cast<double>(box.cell_count());
  for (double const p : {0.001, 0.1, 0.5, 0.93}) {
    auto const a = random_cells(box, p, 1), b = random_cells(box, p, 2);
    double const spread = 5 / std::sqrt(n);  // of five standard deviations at most
    EXPECT_NEAR(fraction(a, box), p, spread * std::sqrt(p * (1 - p)));
    // Two seeds, and a cell and its neighbours, know nothing of each other.
    EXPECT_NEAR(fraction(a & b, box), p * p, spread);
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_NEAR(fraction(a & shift(a, axis, 1), box), p * p, spread + 1.0 / 100) << axis;
  }
  EXPECT_TRUE(random_cells(box, 0, 3).is_empty());
  EXPECT_TRUE(random_cells(box, 1, 3) == sparse::box<Dim>(box.begin, box.end));
}

TYPED_TEST(RandomSets, CellsDoNotDependOnTheDomain) {
  constexpr int Dim = TypeParam::value;
  auto const all = random_cells(large_box<Dim>(), 0.3, 7);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto engine = random_engine(seed);
    Box<Dim> part;
    for (int axis = 0; axis < Dim; ++axis) {
      part.begin[axis] = random_int(engine, -500, -441);
      part.end[axis] = part.begin[axis] + random_int(engine, 0, 40);
    }
    EXPECT_TRUE(random_cells(part, 0.3, 7) == (all & sparse::box<Dim>(part.begin, part.end))) << "seed " << seed;
  }
}

TYPED_TEST(RandomSets, IntervalsHaveTheirMeanLengthsAndGaps) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> box = large_box<Dim>();
  box.end[0] = box.begin[0] + (Dim == 2 ? 10000 : 1000);
  for (double const length : {1.0, 1.5, 16.0, 100.25})
    for (double const gap : {1.0, 2.75, 40.0}) {
      auto const set = random_intervals(box, length, gap, 5);
      double const n = static_cast<double>(set.interval_count());
      double const tolerance = 6 / std::sqrt(n);  // a geometric distribution deviates by its mean
      EXPECT_NEAR(fraction(set, box) * (length + gap) / length, 1, tolerance) << length << " " << gap;
      // Intervals that are cut off at both ends of a row add up to the mean number of intervals per row.
      double const rows = static_cast<double>(box.cell_count()) / (box.end[0] - box.begin[0]);
      double const expected = rows * ((box.end[0] - box.begin[0]) / (length + gap) + length / (length + gap));
      EXPECT_NEAR(n / expected, 1, tolerance) << length << " " << gap;
      if (length == 1 || gap == 1) continue;
      // No memory: of the intervals that are as long as k, the share 1 / length ends there.
      std::map<Coord, Index> lengths;
      set.to_host().for_each_interval([&](sparse::RowKey, Interval interval, Index) {
        if (interval.begin > box.begin[0] && interval.end < box.end[0]) ++lengths[interval.end - interval.begin];
      });
      Index left = 0;
      for (auto const& [k, count] : lengths) left += count;
      for (auto const& [k, count] : lengths) {
        if (left < 10000) break;
        EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(left), 1 / length,
                    6 / std::sqrt(static_cast<double>(left) * length) + 3 * length / 2000)
            << "length " << k << " of mean " << length;
        left -= count;
      }
    }
}

TYPED_TEST(RandomSets, IntervalsLookTheSameEverywhere) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> box = large_box<Dim>();
  auto const set = random_intervals(box, 30, 70, 11);
  for (Coord x = box.begin[0]; x < box.begin[0] + 60; x += 7) {  // columns, also the first
    auto begin = box.begin, end = box.end;
    begin[0] = x;
    end[0] = x + 1;
    Box<Dim> const column{begin, end};
    double const share = fraction(set & sparse::box<Dim>(begin, end), column);
    EXPECT_NEAR(share, 0.3, 5 * std::sqrt(0.21 / static_cast<double>(column.cell_count()))) << x;
  }
  // Rows, and seeds, know nothing of each other.
  for (auto const& other : {shift(set, 1, 1), shift(set, Dim - 1, 2), random_intervals(box, 30, 70, 12)}) {
    double const n = static_cast<double>(box.cell_count()) / 50;  // about so many are independent
    EXPECT_NEAR(fraction(set & other, box), 0.09, 5 * std::sqrt(0.09 / n) + 0.002);
  }
}

/// On every machine, backend and number of threads.
TYPED_TEST(RandomSets, AreTheSameEverywhere) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> const box = large_box<Dim>(-20);
  EXPECT_EQ(digest(random_cells(box, 0.25, 42)), Dim == 2 ? 17690690406316226456u : 14165934468641688838u);
  EXPECT_EQ(digest(random_intervals(box, 5.5, 9, 42)), Dim == 2 ? 2607384291331783766u : 360842820226498224u);
}

TYPED_TEST(RandomSets, ReachTheLimitsOfTheRange) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> box{Cell<Dim>::filled(coord_limit - 3), Cell<Dim>::filled(coord_limit)};
  box.begin[0] = -coord_limit + 1;
  auto const long_rows = random_intervals(box, 1e6, 1e7, 3);
  EXPECT_NEAR(fraction(long_rows, box), 1.0 / 11, 0.05);
  EXPECT_GT(random_intervals(box, coord_limit, 1, 3).cell_count(), box.cell_count() / 2);
  Box<Dim> const corner{Cell<Dim>::filled(-coord_limit + 1), Cell<Dim>::filled(-coord_limit + 4)};
  EXPECT_TRUE(random_cells(corner, 1, 3) == sparse::box<Dim>(corner.begin, corner.end));
  EXPECT_TRUE(random_intervals(Box<Dim>{}, 3, 3, 3).is_empty());
  EXPECT_TRUE(random_cells(Box<Dim>{}, 0.5, 3).is_empty());
}

TYPED_TEST(RandomSets, NameTheirKernels) {
  constexpr int Dim = TypeParam::value;
  KokkosWatch const watch;
  Box<Dim> const box{Cell<Dim>::filled(0), Cell<Dim>::filled(9)};
  random_cells(box, 0.5, 1);
  random_intervals(box, 2, 2, 1);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}

TYPED_TEST(RandomSets, RefuseWhatCannotBe) {
  constexpr int Dim = TypeParam::value;
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Box<Dim> const box{Cell<Dim>::filled(0), Cell<Dim>::filled(9)}, inside_out{box.end, box.begin};
  for (double const bad : {-0.1, 1.1, infinity, -infinity, nan})
    EXPECT_THROW(random_cells(box, bad, 1), std::invalid_argument) << bad;
  for (double const bad : {0.0, 0.9, -3.0, 1e10, infinity, nan}) {
    EXPECT_THROW(random_intervals(box, bad, 2, 1), std::invalid_argument) << bad;
    EXPECT_THROW(random_intervals(box, 2, bad, 1), std::invalid_argument) << bad;
  }
  EXPECT_THROW(random_cells(inside_out, 0.5, 1), std::invalid_argument);
  EXPECT_THROW(random_intervals(inside_out, 2, 2, 1), std::invalid_argument);
}
