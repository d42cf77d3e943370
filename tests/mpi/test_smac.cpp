/// Ranks that share a fluid step it, bit by bit, as one process does.

#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>

#include "flows_on_ranks.hpp"

namespace {

using namespace flows_on_ranks;

template <class TheCase>
class SmacOnRanks : public testing::Test {};
TYPED_TEST_SUITE(SmacOnRanks, RealCases);

/// A few steps of the ranks beside those of one process.
template <class T, int Dim>
void check(Flow<Dim> const& flow, int steps, std::vector<Curve> const& curves) {
  auto const alone = sparse::distributed::alone();
  for (Curve const curve : curves) {
    Part<T, Dim> one(flow, shared(flow.domain, alone.get())), part(flow, shared(flow.domain, &team_of_test(), curve));
    ASSERT_EQ(one.method.project(one.state).iterations, part.method.project(part.state).iterations) << flow.name;
    expect_part(part, one, flow.name + ", start");
    for (int step = 0; step < steps; ++step) {
      double const dt = one.step();
      ASSERT_EQ(part.step(), dt) << flow.name << ", step " << step;
      expect_part(part, one, flow.name + ", step " + std::to_string(step));
      ASSERT_EQ(part.method.greatest_change(part.state), one.method.greatest_change(one.state)) << flow.name;
    }
    auto const found = part.measures(), expected = one.measures();
    double const rounding = std::is_same_v<T, float> ? 1e-6 : 1e-12;  // sums of divergence are those of its type
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], rounding * (1 + std::abs(expected[i]))) << flow.name << ", measure " << i;
    auto const velocity = part.grid.gather(part.state.velocity);
    auto const pressure = part.grid.gather(part.state.pressure);
    ASSERT_EQ(velocity.cell_count(), team_of_test().rank() == 0 ? one.grid.storage().cell_count() : 0);
    if (team_of_test().rank() > 0) continue;
    ASSERT_TRUE(are_same(velocity, one.state.velocity)) << flow.name;
    ASSERT_TRUE(are_same(pressure, one.state.pressure)) << flow.name;
  }
}

}  // namespace

TYPED_TEST(SmacOnRanks, HasTheStepsOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto number = turn_of<T, Dim>;
  for (auto const& flow : {channel<Dim>(false), periodic<Dim>(), cavity<Dim>(), around_a_ball<Dim>()}) {
    check<T, Dim>(flow, Dim == 2 ? 4 : 2, {Curve::hilbert});
    if (Dim == 2 && is_turn(number++)) check<T, Dim>(flow, 2, {Curve::scattered});  // windows are nearly all of the box
  }
  check<T, Dim>(small_and_periodic<Dim>(), 2, {Curve::hilbert});
}

// So large that ranks share levels of the pressure, too.
TYPED_TEST(SmacOnRanks, SharesThePressure) {
  constexpr int Dim = TypeParam::value;
  check<typename TypeParam::T, Dim>(channel<Dim>(true), 2, {Curve::hilbert});
}

TYPED_TEST(SmacOnRanks, HasThoseOfThePaper) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto number = turn_of<T, Dim>;
  for (auto flow : {channel<Dim>(false), periodic<Dim>(), around_a_ball<Dim>()}) {
    if (!is_turn(number++)) continue;
    flow.options.integrator = Integrator::paper;
    flow.options.ink = InkMethod::traced;
    flow.name += ", the paper's step";
    check<T, Dim>(flow, 2, {Curve::hilbert});
  }
}

// Far from what one process does without ranks, but for rounding, it cannot be.
TYPED_TEST(SmacOnRanks, IsNearThatWithoutRanks) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto flow = channel<Dim>(false);
  flow.options.pressure.stop.tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-9;
  Part<T, Dim> one(flow, flow.domain);
  auto domain = flow.domain;
  domain.team = &team_of_test();
  Part<T, Dim> part(flow, domain);
  one.method.project(one.state);
  part.method.project(part.state);
  for (int step = 0; step < 3; ++step) {
    one.step();
    part.step();
  }
  auto difference = remap(one.state.velocity, part.grid.storage());
  sparse::add(difference, T(-1), part.state.velocity);
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    for (T const value : to_host(difference, axis)) greatest = std::max(greatest, std::abs(static_cast<double>(value)));
  double const rounding = std::is_same_v<T, float> ? 1e-4 : 1e-7;
  EXPECT_LE(greatest, rounding);
}

// What one process has left goes on with any number of ranks.
TYPED_TEST(SmacOnRanks, GoesOnWithWhatAnotherNumberOfRanksHasLeft) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto const flow = channel<Dim>(false);
  auto const alone = sparse::distributed::alone();
  Part<T, Dim> one(flow, shared(flow.domain, alone.get())), part(flow, shared(flow.domain, &team_of_test()));
  one.method.project(one.state);
  for (int step = 0; step < 4; ++step) one.step();
  auto const& grid = part.grid;
  part.state.velocity = remap(one.state.velocity, grid.storage());
  part.state.pressure = remap(one.state.pressure, grid.fluid());
  for (std::size_t i = 0; i < 2; ++i) part.state.carried[i] = remap(one.state.carried[i], grid.storage());
  part.state.time = one.state.time;
  part.state.step_count = one.state.step_count;
  auto memory = one.method.memory();
  for (auto& [name, field] : memory.fields)
    field = remap(field, field.domain() == one.grid.storage() ? grid.storage() : grid.fluid());
  part.method.restore(memory);
  for (int step = 0; step < 2; ++step) {
    one.step();
    part.step();
    expect_part(part, one, "step " + std::to_string(step));
  }
}

// The cell is in one rank's part, but all ranks say which it is.
TYPED_TEST(SmacOnRanks, TellsOnAllRanksWhereAValueIsNotFinite) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto const flow = cavity<Dim>();
  Part<T, Dim> part(flow, shared(flow.domain, &team_of_test()));
  part.method.project(part.state);
  set_cells(part.grid, part.state.carried[0], [&](Vec<double, Dim> const& x) {
    bool const is_it = flow.domain.grid.cell_of(x) == Cell<Dim>::filled(9);
    return is_it ? std::nan("") : 1;
  });
  std::string text = "nothing";
  try {
    part.step();
  } catch (std::runtime_error const& error) {
    text = error.what();
  }
  EXPECT_NE(text.find("'ink' is nan at cell (9, 9"), std::string::npos) << text;
}

TEST(SmacOnRanksRefuses, WhatNeedsTheCellsOfAllRanks) {
  auto const flow = channel<2>(false);
  StaggeredGrid<2> const grid(shared(flow.domain, &team_of_test()));
  State<double, 2> const state(grid, {"ink", "warmth"});
  EXPECT_TRUE(is_refused([&] { SemiLagrangian<double, 2>{grid}; }, "Smac and LeapfrogFlowMap alone run on ranks"));
  EXPECT_TRUE(is_refused([&] { mean_nusselt(grid, state.carried[1], 2, 1, 1); }, "gather the fields first"));
  EXPECT_TRUE(is_refused([&] { sample_cells(grid, state.carried[1], {{0.1, 0.1}}); }, "gather the fields first"));
  auto options = flow.options;
  options.pressure.method = sparse::poisson::Jacobi{};
  EXPECT_TRUE(is_refused([&] { Smac<double, 2>(grid, options); }, "ranks cannot share a problem"));
  auto narrow = shared(flow.domain, &team_of_test());
  narrow.reach = 9;
  EXPECT_TRUE(is_refused([&] { StaggeredGrid<2>{narrow}; }, "must store 10 or more cells beyond their own, not 9"));
  auto const alone = sparse::distributed::alone();
  options = flow.options;
  options.ink = InkMethod::traced;
  StaggeredGrid<2> const of_one(shared(flow.domain, alone.get()));
  Smac<double, 2> method(of_one, options);
  State<double, 2> fast(of_one, {"ink", "warmth"});
  EXPECT_TRUE(is_refused([&] { method.advance(fast, 1); }, "cannot come from so far away"));
}
