/// What criteria ask for, and the levels that follow it.

#include <sparse/amr/hierarchy/criteria.hpp>
#include <sparse/amr/measure/tags.hpp>
#include <sparse/sets/scaling.hpp>

#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class TheCase>
class Tags : public testing::Test {};
TYPED_TEST_SUITE(Tags, Cases);

}  // namespace

TYPED_TEST(Tags, AreTheCellsOfTheCriteriaAndLieInsideTheNextLevel) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 10;
  Domain<Dim> const domain(closed_box<Dim>(size, 3));
  HotBall<T, Dim> const ball{Vec<double, Dim>::filled(0.45 * size), 0.2 * size, 2, 4};
  // A jump of density by a threshold, and a corner of the box up to level 1.
  auto const corner = sparse::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(3));
  Options<T, Dim> options;
  options.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(0, 0.05),
                      sparse::amr::region<Gas<T, Dim>>(corner, 0, 1)};
  Simulation<T, Dim> flow(domain, {}, ball, {}, options);
  ASSERT_EQ(flow.level_count(), 3);
  for (int step = 0; step < 2; ++step) {
    for (int l = 0; l < 2; ++l) {
      auto const tags = sparse::amr::tagged_cells(flow, l);
      EXPECT_GT(tags.cell_count(), l == 0 ? corner.cell_count() : 0);
      EXPECT_TRUE(l > 0 || (corner - tags).is_empty());
      EXPECT_TRUE((tags - flow.sets(l).cells).is_empty());
      EXPECT_LT(tags.cell_count(), flow.sets(l).covered.cell_count());  // there is a margin
      if (step == 0) {                                                  // later the flow goes on until levels change
        EXPECT_TRUE((tags - flow.sets(l).covered).is_empty()) << "level " << l;
      }
    }
    EXPECT_TRUE(sparse::amr::tagged_cells(flow, 2).is_empty());
    flow.advance();
  }
}

// Around the ball density jumps from 3 to 1 between one cell and the next, and nowhere else.
TYPED_TEST(Tags, AreBesideTheJumpAtTheBeginning) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 10;
  Domain<Dim> const domain(closed_box<Dim>(size, 2));
  HotBall<T, Dim> const ball{Vec<double, Dim>::filled(0.45 * size), 0.2 * size, 2, 4};
  Simulation<T, Dim> flow(domain, {}, ball);
  Cells<Dim> expected;
  auto const density_at = [&](Cell<Dim> const& cell) { return ball(domain.grid(1).center(cell))[0]; };
  auto const mean_at = [&](Cell<Dim> const& cell) {  // of the cells of level 0; those that are refined have means
    double sum = 0;
    for (auto const& child : reference::refined(Cells<Dim>{cell})) sum += static_cast<double>(density_at(child));
    return sum / (1 << Dim);
  };
  auto const cells = reference::cells_of(flow.sets(0).cells);
  for (auto const& cell : cells) {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const before = cell - Cell<Dim>::along(axis, 1), after = cell + Cell<Dim>::along(axis, 1);
      double const low = mean_at(cells.count(before) ? before : cell),
                   high = mean_at(cells.count(after) ? after : cell);
      square += (high - low) * (high - low);
    }
    if (0.5 * std::sqrt(square) / mean_at(cell) > 0.025) expected.insert(cell);  // refined ones are kept so long
  }
  EXPECT_TRUE(reference::matches(sparse::amr::tagged_cells(flow, 0), expected));
}
