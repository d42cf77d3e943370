/// Simulations begin with a function of positions, or with fields that a function fills.

#include <cmath>
#include <limits>
#include <type_traits>

#include <support/euler_flow.hpp>
#include <support/fields.hpp>

using namespace flow;

namespace {

template <class TheCase>
class InitialStates : public testing::Test {};
TYPED_TEST_SUITE(InitialStates, Cases);

template <class T, int Dim>
HotBall<T, Dim> ball_in(Coord size) {
  return {Vec<double, Dim>::filled(0.45 * size), 0.2 * size, 2, 4};
}

/// Fills fields on the host, cell by cell, as a binding to another language would.
template <class T, int Dim>
struct FillOnHost {
  HotBall<T, Dim> ball;
  std::vector<Vec<double, Dim>>* spacings;  // of the grids that it was called with

  void operator()(sparse::Field<T, Dim>& primitive, IntervalSet<Dim> const& cells,
                  sparse::Grid<Dim> const& grid) const {
    EXPECT_TRUE(primitive.domain() == cells);
    EXPECT_EQ(primitive.component_count(), Dim + 2);
    spacings->push_back(grid.spacing);
    std::vector<T> values[Dim + 2];
    for (auto const& cell : reference::cells_of(cells)) {
      auto const w = ball(grid.center(cell));
      for (int c = 0; c < Dim + 2; ++c) values[c].push_back(w[c]);
    }
    for (int c = 0; c < Dim + 2; ++c) reference::set_values(primitive, values[c], c);
  }
};

/// The same leaves with the same states, but for rounding: the energy is computed in two kernels, and compilers may
/// contract its sum of products differently.
template <class Flow>
void expect_close(Flow const& a, Flow const& b, int roundings) {
  Snapshot<Flow> const here(a), there(b);
  using T = typename Flow::Scalar;
  ASSERT_TRUE(here.leaves == there.leaves);
  ASSERT_NEAR(here.time, there.time, roundings * std::numeric_limits<T>::epsilon() * here.time);
  for (std::size_t l = 0; l < here.values.size(); ++l)
    for (std::size_t i = 0; i < here.values[l].size(); ++i)
      ASSERT_NEAR(here.values[l][i], there.values[l][i],
                  roundings * std::numeric_limits<T>::epsilon() * (1 + std::abs(there.values[l][i])));
}

}  // namespace

TYPED_TEST(InitialStates, FromFilledFieldsAreThoseFromPositions) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 10;
  Domain<Dim> const domain(closed_box<Dim>(size, 3));
  std::vector<Vec<double, Dim>> spacings;
  Simulation<T, Dim> by_position(domain, {}, ball_in<T, Dim>(size));
  Simulation<T, Dim> by_fields(domain, {}, FillOnHost<T, Dim>{ball_in<T, Dim>(size), &spacings});
  EXPECT_EQ(by_fields.level_count(), 3);
  expect_close(by_fields, by_position, 2);
  for (int l = 0; l < 3; ++l)  // once per level in each round of refinement
    EXPECT_GE(std::count(spacings.begin(), spacings.end(), domain.spacing(l)), 1) << l;
  by_position.advance();
  by_fields.advance();
  expect_close(by_fields, by_position, 32);
}

TYPED_TEST(InitialStates, ImpossibleOnesInFieldsAreRefused) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const fill_with_zeros = [](sparse::Field<T, Dim>&, IntervalSet<Dim> const&, sparse::Grid<Dim> const&) {};
  using Flow = Simulation<T, Dim>;
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, fill_with_zeros), NonFiniteState);
}

// A copy would share nothing and cost as much memory again; whoever wants one saves and starts anew.
TYPED_TEST(InitialStates, BelongToOneSimulationThatCanMove) {
  using Flow = Simulation<typename TypeParam::Scalar, TypeParam::Dim>;
  static_assert(!std::is_copy_constructible_v<Flow> && !std::is_copy_assignable_v<Flow>);
  static_assert(std::is_move_constructible_v<Flow> && std::is_move_assignable_v<Flow>);
  static_assert(std::is_const_v<std::remove_reference_t<decltype(std::declval<Flow&>().state(0))>>);
  Coord const size = TypeParam::Dim == 2 ? 24 : 10;
  Domain<TypeParam::Dim> const domain(closed_box<TypeParam::Dim>(size, 2));
  Flow stays(domain, {}, ball_in<typename TypeParam::Scalar, TypeParam::Dim>(size));
  Flow moves(domain, {}, ball_in<typename TypeParam::Scalar, TypeParam::Dim>(size));
  moves.advance();
  Flow moved = std::move(moves);
  moved.advance();
  for (int step = 0; step < 2; ++step) stays.advance();
  EXPECT_TRUE(Snapshot<Flow>(moved) == Snapshot<Flow>(stays));
}
