/// The cut of levels into parts, against loops over cells.

#include <cmath>
#include <set>

#include "curve.hpp"

#include <sparse/distributed/partition.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::distributed::Curve;
using sparse::distributed::hilbert_key;
using sparse::distributed::Partition;
using sparse::distributed::PartitionOptions;

namespace {

constexpr Coord limit = 1000100;  // of random cells, which reach a million

template <class Dimension>
class Partitions : public testing::Test {};
TYPED_TEST_SUITE(Partitions, Dimensions);

Curve const curves[] = {Curve::hilbert, Curve::rows, Curve::scattered};

/// Random levels of work in a box around them, and a partition of them.
template <int Dim>
struct RandomPartition {
  std::vector<Cells<Dim>> work;
  std::vector<IntervalSet<Dim>> sets;
  Box<Dim> bounds;
  PartitionOptions options;
  int ranks;

  explicit RandomPartition(unsigned seed) {
    auto engine = random_engine(seed);
    int const levels = random_int(engine, 1, 3);

    for (int l = 0; l < levels; ++l) {
      work.push_back(random_int(engine, 0, 9) == 0 ? Cells<Dim>{}
                                                   : random_cells<Dim>(seed, static_cast<unsigned>(l), limit));
      sets.push_back(set_of(work.back()));
    }
    bounds = {Cell<Dim>::filled(-limit), Cell<Dim>::filled(limit)};
    if (random_int(engine, 0, 1) == 0 && !sets[0].is_empty()) bounds = sets[0].bounds();
    ranks = random_int(engine, 0, 3) == 0 ? 300 : random_int(engine, 1, 7);
    options = {curves[random_int(engine, 0, 2)], random_int(engine, 1, 50) / 100., random_int(engine, 1, 20)};
  }
  Partition<Dim> partition() const { return Partition<Dim>(ranks, bounds, sets, options); }
};

}  // namespace

TYPED_TEST(Partitions, HilbertCurveVisitsEachPointOnceAndNeighboursInTurn) {
  constexpr int Dim = TypeParam::value;
  for (int bits = 1; bits <= (Dim == 2 ? 6 : 4); ++bits) {
    Cell<Dim> const end = Cell<Dim>::filled(1 << bits);
    std::map<std::uint64_t, Cell<Dim>> points;
    for (auto const& cell : reference::box<Dim>({}, end)) points.emplace(hilbert_key(cell, bits), cell);
    ASSERT_EQ(points.size(), std::size_t{1} << (Dim * bits));
    ASSERT_EQ(points.rbegin()->first, points.size() - 1);
    for (auto next = std::next(points.begin()), last = points.begin(); next != points.end(); ++next, ++last) {
      int distance = 0;
      for (int axis = 0; axis < Dim; ++axis) distance += std::abs(next->second[axis] - last->second[axis]);
      ASSERT_EQ(distance, 1) << next->second;
    }
  }
}

TYPED_TEST(Partitions, EachCellHasOneOwner) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomPartition<Dim> const random(seed);
    auto const partition = random.partition();
    ASSERT_EQ(partition.rank_count(), random.ranks);
    ASSERT_EQ(partition.level_count(), static_cast<int>(random.sets.size()));
    for (int l = 0; l < partition.level_count(); ++l) {
      // Also cells without work, and cells outside the box, have an owner.
      auto const cells = either(random.work[static_cast<std::size_t>(l)], random_cells<Dim>(seed, 7, 2 * limit));
      std::map<int, Cells<Dim>> owned;
      for (auto const& cell : cells) owned[partition.owner(l, cell)].insert(cell);
      auto const set = set_of(cells);
      auto const parts = partition.split(l, set);
      auto const counts = partition.owners(l, set);
      ASSERT_EQ(parts.size(), static_cast<std::size_t>(random.ranks));
      ASSERT_EQ(counts.size(), owned.size());
      std::size_t next = 0;
      for (int rank = 0; rank < random.ranks; ++rank) {
        auto const found = owned.find(rank);
        Cells<Dim> const expected = found == owned.end() ? Cells<Dim>{} : found->second;
        ASSERT_TRUE(matches(parts[static_cast<std::size_t>(rank)], expected)) << "rank " << rank;
        if (random.ranks <= 7) {
          ASSERT_EQ(partition.part(l, set, rank), parts[static_cast<std::size_t>(rank)]);
        }
        if (expected.empty()) continue;
        ASSERT_EQ(counts[next].rank, rank);
        ASSERT_EQ(counts[next].count, static_cast<sparse::Index>(expected.size()));
        ++next;
      }
    }
  }
}

TYPED_TEST(Partitions, UnitsAreThoseOfTheBox) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    Coord const n = Dim == 2 ? 40 : 14;
    std::vector<IntervalSet<Dim>> const work = {
        sparse::box<Dim>(Cell<Dim>::filled(random_int(engine, 0, 3)), Cell<Dim>::filled(n - 2)), {}};
    Box<Dim> bounds = {Cell<Dim>::filled(0), Cell<Dim>::filled(n)};
    for (int axis = 0; axis < Dim; ++axis) bounds.end[axis] += random_int(engine, 0, 20) * random_int(engine, 0, 1);
    Partition<Dim> const partition(random_int(engine, 1, 20), bounds, work, {curves[seed % 3], 0.3, 5});
    for (int l = 0; l < 2; ++l) {
      auto const edge = partition.unit_edge(l);
      for (int rank = 0; rank < partition.rank_count(); ++rank) {
        Cells<Dim> owned;
        for (auto const& cell : reference::box<Dim>({}, Cell<Dim>::filled(((n + 20) << l) / edge + 1))) {
          Cell<Dim> first = cell;
          bool is_inside = true;
          for (int axis = 0; axis < Dim; ++axis) {
            first[axis] = cell[axis] * edge;
            is_inside = is_inside && first[axis] < (bounds.end[axis] << l);
          }
          if (is_inside && partition.owner(l, first) == rank) owned.insert(cell);
        }
        ASSERT_TRUE(matches(partition.units(l, rank), owned)) << "level " << l << ", rank " << rank;
      }
    }
  }
}

TYPED_TEST(Partitions, ChildrenOfACellStayTogether) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomPartition<Dim> const random(seed);
    auto const partition = random.partition();
    for (int l = 1; l < partition.level_count(); ++l)
      for (auto const& cell : random.work[static_cast<std::size_t>(l)]) {
        Cell<Dim> first;
        for (int axis = 0; axis < Dim; ++axis) first[axis] = cell[axis] & ~1;
        ASSERT_EQ(partition.owner(l, cell), partition.owner(l, first)) << "seed " << seed << ", level " << l << cell;
      }
  }
}

TYPED_TEST(Partitions, NoRankHasMoreThanItsShareAndAUnit) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomPartition<Dim> random(seed);
    random.options.least_work = 1;
    auto const partition = random.partition();
    for (int l = 0; l < partition.level_count(); ++l) {
      auto const& work = random.work[static_cast<std::size_t>(l)];
      std::map<std::vector<Coord>, int> units;
      int heaviest = 0;
      for (auto const& cell : work) {
        std::vector<Coord> unit;
        for (int axis = 0; axis < Dim; ++axis)
          unit.push_back(static_cast<Coord>(std::floor(1. * cell[axis] / partition.unit_edge(l))));
        heaviest = std::max(heaviest, ++units[unit]);
      }
      double const share =
          static_cast<double>(work.size()) /
          std::min<std::size_t>(work.size() + (work.size() == 0), static_cast<std::size_t>(random.ranks));
      // In a huge box, the numbers of units set a bound, too.
      bool const is_smallest = partition.unit_edge(l) == (l == 0 ? 1 : 2) || random.bounds.begin[0] == -limit;
      ASSERT_TRUE(is_smallest || std::pow(partition.unit_edge(l), Dim) <= random.options.largest_unit * share);
      // Cells outside the box count as those of the nearest unit, which is then larger than its edge.
      if (random.bounds.begin[0] != -limit) continue;
      for (auto const& part : partition.owners(l, random.sets[static_cast<std::size_t>(l)]))
        ASSERT_LE(static_cast<double>(part.count), share + heaviest) << "seed " << seed << ", level " << l;
    }
  }
}

TYPED_TEST(Partitions, SmallLevelsHaveFewerRanks) {
  constexpr int Dim = TypeParam::value;
  auto const work = set_of(reference::box<Dim>({}, Cell<Dim>::filled(Dim == 2 ? 20 : 8)));  // 400 or 512 cells
  Partition<Dim> const partition(8, {{}, Cell<Dim>::filled(20)}, {work}, {.least_work = 100});
  auto const owners = partition.owners(0, work);
  ASSERT_EQ(owners.size(), static_cast<std::size_t>(Dim == 2 ? 4 : 5));
  EXPECT_EQ(owners.front().rank, 0);
  EXPECT_GE(owners.back().rank, 6);  // spread over all ranks
}

TYPED_TEST(Partitions, LevelsWithoutWorkAreDividedByVolume) {
  constexpr int Dim = TypeParam::value;
  auto const cells = set_of(reference::box<Dim>({}, Cell<Dim>::filled(8)));
  for (Curve const curve : curves) {
    Partition<Dim> const partition(4, {{}, Cell<Dim>::filled(8)}, {{}}, {.curve = curve});
    for (auto const& owner : partition.owners(0, cells)) {
      EXPECT_GT(owner.count, static_cast<sparse::Index>(cells.cell_count() / 8));
      EXPECT_LT(owner.count, static_cast<sparse::Index>(cells.cell_count() / 2));
    }
  }
}

TEST(PartitionErrors, AreSentences) {
  auto const cells = set_of(reference::box<2>({0, 0}, {4, 4}));
  Box<2> const whole{{0, 0}, {4, 4}};
  EXPECT_THROW(Partition<2>(0, whole, {cells}), std::invalid_argument);
  EXPECT_THROW(Partition<2>(2, {{0, 0}, {0, 4}}, {cells}), std::invalid_argument);
  EXPECT_THROW(Partition<2>(2, whole, {}), std::invalid_argument);
  EXPECT_THROW(Partition<2>(2, whole, {cells}, {.largest_unit = 0}), std::invalid_argument);
  EXPECT_THROW(Partition<2>(2, whole, {cells}, {.least_work = 0}), std::invalid_argument);
}

TYPED_TEST(Partitions, GiveCoarseCellsToTheOwnerOfTheirChildren) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    RandomPartition<Dim> const random(seed);
    auto const partition = random.partition();
    int count = 1;
    while ((partition.unit_edge(0) >> count) > 0) ++count;
    auto const coarser = partition.with_coarser(count);
    ASSERT_EQ(coarser.level_count(), count);
    for (auto const& cell : random.work[0])
      for (int l = 0; l < count; ++l) {
        Cell<Dim> ancestor;
        for (int axis = 0; axis < Dim; ++axis) ancestor[axis] = cell[axis] >> l;
        ASSERT_EQ(coarser.owner(l, ancestor), partition.owner(0, cell)) << "seed " << seed << ", level " << l;
      }
    EXPECT_THROW((void)partition.with_coarser(count + 1), std::invalid_argument);
    EXPECT_THROW((void)partition.with_coarser(0), std::invalid_argument);
  }
}
