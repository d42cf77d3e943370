/// How far levels reach beyond what is refined.

#include <cmath>
#include <numbers>

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <support/adaptive.hpp>

using namespace reference;

// Levels that reach further change less often, and have more leaves. What is wanted is on the finest level all the
// time.
TEST(IncompressibleAdaptiveReach, SpareCellsSaveChanges) {
  auto box = unit_box<2>(32, 2, BoundaryKind::periodic);
  double const speed = 0.5;
  auto const ball = moving_ball<2>(0.15, Point<2>::filled(0.5), Point<2>{speed, 0});
  int last_changes = 1000;
  sparse::Index last_leaves = 0;
  for (Coord const spare : {0, 1, 3}) {
    AdaptiveOptions<2> options;
    options.criteria = {ball};
    options.regrid_stride = 2;
    options.spare_cells = spare;
    AdaptiveFlow<double, 2> flow(Domain<2>(box), options);
    flow.start([&](Point<2> const&) { return Point<2>{speed, 0}; });
    sparse::Index const leaves = flow.leaf_count();
    int changes = 0;
    for (auto cells = flow.cells(1); flow.time() < 1;) {
      flow.advance();
      sparse::Grid<2> const grid = flow.domain().grid(0);
      auto const wanted = refine(ball.cells({grid, flow.domain().box(0), 0, flow.time()}) & flow.domain().fluid(0));
      ASSERT_TRUE((wanted - flow.cells(1)).is_empty()) << spare << " spare cells, at " << flow.time();
      if (!(cells == flow.cells(1))) ++changes;
      cells = flow.cells(1);
    }
    EXPECT_LT(changes, last_changes) << spare << " spare cells";
    EXPECT_GT(changes, 0) << spare << " spare cells";
    EXPECT_GT(leaves, last_leaves) << spare << " spare cells";
    last_changes = changes;
    last_leaves = leaves;
  }
}

// Vorticity near its greatest value falls slowly. What is refined only because it is near to that has no more cells
// around it: else levels would spread at each look.
TEST(IncompressibleAdaptiveReach, WeakVorticityDoesNotSpreadLevels) {
  Coord const n = 64;
  double const k = 2 * std::numbers::pi, share = 0.95;
  AdaptiveOptions<2> options;
  options.criteria = {sparse::incompressible::vorticity(share * k / n)};
  AdaptiveFlow<double, 2> flow(Domain<2>(unit_box<2>(n, 2, BoundaryKind::periodic)), options);
  flow.start([&](Point<2> const& x) { return Point<2>{std::sin(k * x[1]), 0}; });
  auto const cells = flow.cells(1);
  // Two cells around those beyond the threshold, one more for changes to come, and one for the difference scheme.
  auto const half_width = static_cast<Coord>(std::ceil(std::acos(share) / k * n)) + 4;
  Coord const rows = cells.cell_count() / (2 * n) / 2;
  EXPECT_GT(rows, 0);
  EXPECT_LE(rows, 2 * 2 * half_width);
  for (int look = 0; look < 5; ++look) EXPECT_FALSE(flow.adapt());
}
