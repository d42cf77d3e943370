/// A flow on levels goes on after bodies have come, gone and moved.

#include <sparse/amr/carry_over.hpp>
#include <sparse/amr/measure/diagnostics.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/euler_flow.hpp>
#include <support/refused.hpp>

using namespace flow;

namespace {

DomainOptions<2> tunnel(std::vector<sparse::Body<2>> const& bodies, int level_count = 3) {
  DomainOptions<2> options;
  options.cells = {40, 24};
  options.level_count = level_count;
  options.sides = all_sides<2>(BoundaryKind::wall);
  options.bodies = bodies;
  return options;
}

sparse::Body<2> block(Cell<2> const& begin, Cell<2> const& end) {
  return body_from_cells<2>("block", sparse::box<2>(begin, end));
}

struct HotSpot {
  KOKKOS_FUNCTION State<double, 2> operator()(Vec<double, 2> const& x) const {
    double const r = (x[0] - 20) * (x[0] - 20) + (x[1] - 12) * (x[1] - 12);
    return gas_state<double, 2>(r < 20 ? 2 : 1, {0.3, 0.1}, r < 20 ? 3 : 1);
  }
};

Simulation<double, 2> blast(std::vector<sparse::Body<2>> const& bodies) {
  return Simulation<double, 2>(Domain<2>(tunnel(bodies)), {}, HotSpot{}, {gas_state<double, 2>(1, {}, 1), {}});
}

State<double, 2> otherwise() { return Gas<double, 2>{}.conserved(gas_state<double, 2>(7, {}, 7)); }

/// Each conserved variable of each cell of the finest level, wherever its leaf is.
std::map<Cell<2>, State<double, 2>, reference::StorageOrder> finest(Simulation<double, 2> const& flow) {
  std::map<Cell<2>, State<double, 2>, reference::StorageOrder> result;
  int const last = flow.domain().level_count() - 1;
  for (int l = 0; l < flow.level_count(); ++l) {
    std::vector<std::vector<double>> values;
    for (int c = 0; c < 4; ++c) values.push_back(to_host(remap(flow.state(l), flow.sets(l).leaves), c));
    flow.sets(l).leaves.to_host().for_each_cell([&](Cell<2> const& cell, Index i) {
      Coord const width = 1 << (last - l);
      for (Coord y = 0; y < width; ++y)
        for (Coord x = 0; x < width; ++x)
          for (int c = 0; c < 4; ++c)
            result[{cell[0] * width + x, cell[1] * width + y}][c] =
                values[static_cast<std::size_t>(c)][static_cast<std::size_t>(i)];
    });
  }
  return result;
}

Simulation<double, 2> carried(Simulation<double, 2>& flow, std::vector<sparse::Body<2>> const& bodies) {
  Domain<2> const domain(tunnel(bodies));
  auto const saved = sparse::amr::carry_over(flow, domain, otherwise());
  return Simulation<double, 2>(domain, {}, saved, {gas_state<double, 2>(1, {}, 1), {}});
}

}  // namespace

/// With the same bodies, levels and states are the same, and so is all that follows.
TEST(AmrCarryOver, TheSameBodiesGiveTheSameFlow) {
  std::vector<sparse::Body<2>> const bodies = {block({40, 40}, {56, 52})};
  auto flow = blast(bodies);
  for (int step = 0; step < 12; ++step) flow.advance();
  auto next = carried(flow, bodies);
  EXPECT_EQ(next.time(), flow.time());
  EXPECT_EQ(next.step_count(), flow.step_count());
  for (int step = 0; step < 4; ++step) EXPECT_EQ(next.advance(), flow.advance());
  auto const there = finest(next), here = finest(flow);
  ASSERT_EQ(there.size(), here.size());
  for (auto const& [cell, state] : here) EXPECT_TRUE(there.at(cell) == state) << cell;
}

/// Where fluid was and is, the totals are the same: a cell has the state of the old one that covers it.
TEST(AmrCarryOver, FluidKeepsItsStates) {
  auto flow = blast({block({40, 40}, {56, 52})});
  for (int step = 0; step < 12; ++step) flow.advance();
  flow.synchronise();
  auto next = carried(flow, {block({70, 30}, {90, 60}), block({30, 70}, {33, 90})});
  auto const old = finest(flow), fresh = finest(next);
  State<double, 2> before{}, after{};
  std::size_t uncovered = 0;
  for (auto const& [cell, state] : fresh) {
    EXPECT_GT(state[0], 0) << cell;
    auto const found = old.find(cell);
    if (found == old.end()) {
      ++uncovered;
      EXPECT_LT(state[0], 4) << "of neighbours, not the stand-in; " << cell;
      continue;
    }
    EXPECT_NEAR(state[0], found->second[0], 1e-14) << cell;
    before += found->second;
    after += state;
  }
  EXPECT_EQ(uncovered, 16u * 12u);
  for (int c = 0; c < 4; ++c) EXPECT_NEAR(after[c], before[c], 1e-12 * std::abs(before[0]) * 10) << c;
  for (int step = 0; step < 10; ++step) next.advance();
  EXPECT_EQ(sparse::amr::extrema(next).inadmissible_count, 0);
}

/// Between closed walls, mass changes by what a body covers and uncovers alone.
TEST(AmrCarryOver, TotalsChangeByBodiesAlone) {
  auto flow = blast({});
  for (int step = 0; step < 8; ++step) flow.advance();
  auto const whole = flow.totals();
  auto next = carried(flow, {block({20, 20}, {24, 24})});
  double covered = 0;
  for (auto const& [cell, state] : finest(flow))
    if (cell[0] >= 20 && cell[0] < 24 && cell[1] >= 20 && cell[1] < 24) covered += state[0] / 16;
  EXPECT_NEAR(next.totals()[0], whole[0] - covered, 1e-11 * whole[0]);
  auto const start = next.totals()[0];
  for (int step = 0; step < 8; ++step) next.advance();
  EXPECT_NEAR(next.totals()[0], start, 1e-11 * start);
}

/// What was enclosed by walls is filled with the stand-in.
TEST(AmrCarryOver, EnclosedCellsTakeTheStandIn) {
  auto flow = blast({block({0, 0}, {40, 96})});
  auto next = carried(flow, {block({0, 60}, {40, 96}), block({36, 0}, {40, 60}), block({0, 40}, {40, 60})});
  for (auto const& [cell, state] : finest(next)) {
    if (cell[0] >= 36 || cell[1] >= 40) continue;
    EXPECT_TRUE(state == otherwise()) << cell;
  }
}

TEST(AmrCarryOverErrors, OtherCellsAreRefused) {
  auto flow = blast({});
  EXPECT_TRUE(reference::is_refused([&] { sparse::amr::carry_over(flow, Domain<2>(tunnel({}, 2)), otherwise()); },
                                    "other cells"));
}
