/// Predicted traffic, against loops over cells, and its size on a large hierarchy.

#include <cmath>
#include <map>

#include <sparse/distributed/traffic.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::Index;
using sparse::distributed::computed_cells;
using sparse::distributed::Curve;
using sparse::distributed::Partition;
using sparse::distributed::predict;
using sparse::distributed::traffic;

namespace {

template <class Dimension>
class Traffic : public testing::Test {};
TYPED_TEST_SUITE(Traffic, Dimensions);

template <int Dim>
Cells<Dim> neighbours(Cells<Dim> const& cells, int steps) {
  Cells<Dim> result = cells;
  for (int step = 0; step < steps; ++step) {
    Cells<Dim> const before = result;
    for (auto const& cell : before)
      for (int axis = 0; axis < Dim; ++axis)
        for (Coord const by : {-1, 1}) result.insert(cell + Cell<Dim>::along(axis, by));
  }
  return result;
}

std::map<int, Index> by_rank(std::vector<sparse::distributed::Delivery> const& deliveries) {
  std::map<int, Index> counts;
  for (auto const& delivery : deliveries) counts[delivery.from] += delivery.cell_count;
  return counts;
}

/// The levels of a flow that is refined around a body: discs in discs.
std::vector<IntervalSet<2>> discs(Coord nx, Coord ny, int level_count) {
  std::vector<IntervalSet<2>> cells{sparse::box<2>({0, 0}, {nx, ny})};
  for (int l = 1; l < level_count; ++l) {
    Coord const scale = 1 << (l - 1);
    Vec<double, 2> const center{0.8 * nx * scale, 0.5 * ny * scale};
    cells.push_back(refine(sparse::ball<2>(center, (0.52 - 0.06 * l) * ny * scale) & cells.back()));
  }
  return cells;
}

}  // namespace

TYPED_TEST(Traffic, IsThatOfLoopsOverCells) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 2; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    Coord const limit = 1000100;
    std::vector<Cells<Dim>> cells{random_cells<Dim>(seed, 0, limit)};
    if (cells[0].empty()) continue;
    for (int l = 1, count = random_int(engine, 1, 3); l < count; ++l) {
      auto const children =
          refined(both(cells.back(), l == 1 ? random_cells<Dim>(seed, 1, limit) : coarsened(cells.back())));
      if (children.empty() || children.size() > 3000) break;
      cells.push_back(children);
    }
    std::vector<IntervalSet<Dim>> sets;
    for (auto const& level : cells) sets.push_back(set_of(level));
    auto const computed = computed_cells(sets);
    int const ranks = random_int(engine, 1, 7);
    Partition<Dim> const partition(ranks, sets[0].bounds(), computed,
                                   {random_int(engine, 0, 1) == 0 ? Curve::hilbert : Curve::scattered, 0.1, 1});
    auto const found = traffic(partition, sets);
    std::vector<Cells<Dim>> restricted(cells.size());  // covered cells that a step reads, and children of such
    for (std::size_t l = 0; l + 1 < cells.size(); ++l) {
      auto read = neighbours(cells_of(computed[l]), 2);
      if (l > 0) read = either(read, refined(restricted[l - 1]));
      restricted[l] = both(coarsened(cells[l + 1]), read);
    }
    for (std::size_t l = 0; l < cells.size(); ++l) {
      int const level = static_cast<int>(l);
      bool const has_finer = l + 1 < cells.size();
      auto const covered = has_finer ? coarsened(cells[l + 1]) : Cells<Dim>{};
      auto const leaves = difference(cells[l], covered);
      auto const work = either(leaves, both(covered, neighbours(leaves, 1)));
      ASSERT_TRUE(matches(computed[l], work));
      Cells<Dim> finer_work;
      if (has_finer) finer_work = cells_of(computed[l + 1]);
      for (int rank = 0; rank < ranks; ++rank) {
        auto const mine = [&](Cells<Dim> const& set, int at) {
          Cells<Dim> part;
          for (auto const& cell : set)
            if (partition.owner(at, cell) == rank) part.insert(cell);
          return part;
        };
        auto const own = mine(work, level), near = neighbours(own, 2);
        Cells<Dim> needed = both(near, cells[l]);
        if (has_finer)
          for (auto const& ghost : difference(neighbours(mine(finer_work, level + 1), 2), cells[l + 1]))
            if (auto const parents = both(coarsened(Cells<Dim>{ghost}), cells[l]); !parents.empty())
              needed = either(needed, both(neighbours(parents, 1), cells[l]));
        std::map<int, Index> counts, children, sums;
        for (auto const& cell : difference(needed, mine(cells[l], level))) ++counts[partition.owner(level, cell)];
        for (auto const& cell : mine(restricted[l], level))
          for (auto const& child : both(refined(Cells<Dim>{cell}), has_finer ? cells[l + 1] : Cells<Dim>{}))
            ++children[partition.owner(level + 1, child)];
        for (auto const& leaf : mine(leaves, level))
          for (int axis = 0; axis < Dim && has_finer; ++axis)
            for (auto const& fine : refined(Cells<Dim>{leaf}))
              for (Coord const side : {-1, 1})
                if (Cell<Dim> const beside = fine + Cell<Dim>::along(axis, side); cells[l + 1].count(beside) != 0)
                  ++sums[partition.owner(level + 1, beside)];
        children.erase(rank);
        sums.erase(rank);
        auto const& got = found[l][static_cast<std::size_t>(rank)];
        ASSERT_EQ(got.work, static_cast<Index>(own.size()));
        ASSERT_EQ(by_rank(got.halo), counts) << "level " << l << ", rank " << rank;
        ASSERT_EQ(by_rank(got.children), children) << "level " << l << ", rank " << rank;
        ASSERT_EQ(by_rank(got.sums), sums) << "level " << l << ", rank " << rank;
        ASSERT_EQ(got.stored, static_cast<Index>(either(either(mine(cells[l], level), near), needed).size()));
      }
    }
  }
}

TEST(TrafficOfMany, KeepsAThousandRanksBusy) {
  auto const cells = discs(600, 800, 4);
  auto const computed = computed_cells(cells);
  Index leaves = cells.back().cell_count();
  for (std::size_t l = 0; l + 1 < cells.size(); ++l) leaves += cells[l].cell_count() - cells[l + 1].cell_count() / 4;
  ASSERT_GT(leaves, 10000000);
  int const ranks = 1024;
  Partition<2> const partition(ranks, {{0, 0}, {600, 800}}, computed);
  auto const found = traffic(partition, cells);
  auto const prediction = predict(found, {1, 2, 4, 8}, 32, {});
  for (double const imbalance : prediction.imbalance) EXPECT_LE(imbalance, 1.02);
  EXPECT_LE(prediction.synchronised, 1.03);
  EXPECT_LE(prediction.most_partners, 35);
  // Two layers around a square as large as the work of a rank. Pieces of a Hilbert curve have about 1.3 times the
  // border.
  double halo = 0;
  for (auto const& of_rank : found[3])
    for (auto const& delivery : of_rank.halo) halo += static_cast<double>(delivery.cell_count) / ranks;
  EXPECT_LE(halo, 1.35 * 8 * std::sqrt(static_cast<double>(computed[3].cell_count()) / ranks));
}

TEST(TrafficPrediction, AddsUp) {
  using sparse::distributed::RankTraffic;
  // Two levels and two ranks; the second takes two steps.
  std::vector<std::vector<RankTraffic>> const found{
      {{100, 120, {{1, 15}}, {{1, 5}}, {{1, 2}, {1, 3}}}, {60, 70, {{0, 10}}, {}}},
      {{40, 44, {{1, 4}}, {}}, {40, 40, {}, {}}}};
  auto const p = predict(found, {1, 2}, 10, {.updates = 100, .latency = 0.5, .bandwidth = 1000});
  EXPECT_DOUBLE_EQ(p.imbalance[0], 1.25);
  EXPECT_DOUBLE_EQ(p.imbalance[1], 1);
  EXPECT_DOUBLE_EQ(p.synchronised, 180. / 160);
  EXPECT_DOUBLE_EQ(p.messages, ((2 + 1) + 2 + 2) / 2.);
  EXPECT_DOUBLE_EQ(p.bytes, ((300 + 50 + 50) + 200 + 2 * 40) / 2.);
  EXPECT_DOUBLE_EQ(p.partners, 1);
  EXPECT_EQ(p.most_partners, 1);
  EXPECT_EQ(p.most_stored, 164);
  EXPECT_DOUBLE_EQ(p.seconds, (1 + 3 * 0.5 + 0.4) + 2 * (0.4 + 0.5 + 0.04));
  EXPECT_DOUBLE_EQ(p.efficiency, 1.6 / p.seconds);
  EXPECT_THROW(predict({}, {}, 8, {}), std::invalid_argument);
  EXPECT_THROW(predict(found, {1}, 8, {}), std::invalid_argument);
  EXPECT_THROW(predict(found, {1, 2}, 8, {.updates = 0}), std::invalid_argument);
}
