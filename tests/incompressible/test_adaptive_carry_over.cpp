/// Flows on levels go on after bodies, sides and options have changed.

#include <sparse/sets/algebra.hpp>
#include <support/adaptive.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleAdaptiveCarryOver : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveCarryOver, RealCases);

/// A channel that periods join along the other axes, with solid cells of the finest level.
template <int Dim>
Domain<Dim> channel_with(IntervalSet<Dim> const& solid) {
  DomainOptions<Dim> box;
  box.cells = Cell<Dim>::filled(Dim == 2 ? 16 : 8);
  box.cells[0] *= 2;
  box.level_count = 3;
  box.grid.spacing = Point<Dim>::filled(2.0 / box.cells[1]);
  for (int axis = 1; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
  box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  box.bodies = {sparse::body_from_cells<Dim>("solid", solid, BoundaryKind::no_slip)};
  return Domain<Dim>(box);
}
/// A block across the middle of the channel, in cells of the finest level.
template <int Dim>
IntervalSet<Dim> block(Coord begin, Coord end) {
  Coord const middle = Dim == 2 ? 32 : 16;
  auto low = Cell<Dim>::filled(middle - 3), high = Cell<Dim>::filled(middle + 4);
  low[0] = begin;
  high[0] = end;
  return sparse::box<Dim>(low, high);
}

template <class T, int Dim>
AdaptiveOptions<Dim> flowing() {
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.02;
  options.inflow[0] = 1;
  options.inks = {{"ink"}};
  options.criteria = {sparse::incompressible::vorticity(0.3)};
  options.stop.tolerance = precise<T>(1e-5, 1e-10);
  return options;
}

/// A flow that has gone a few steps, with ink that differs from cell to cell.
template <class T, int Dim>
AdaptiveFlow<T, Dim> flow_with(IntervalSet<Dim> const& solid) {
  AdaptiveFlow<T, Dim> flow(channel_with<Dim>(solid), flowing<T, Dim>());
  flow.start([](Point<Dim> const&) { return Point<Dim>::along(0, 1); },
             {[](Point<Dim> const& x) { return 0.5 + 0.4 * std::sin(9 * x[0]) * std::cos(7 * x[1]); }});
  for (int step = 0; step < 5; ++step) flow.advance();
  return flow;
}

template <class T>
inline constexpr double small_divergence = std::is_same_v<T, float> ? 1e-4 : 1e-7;

}  // namespace

// The flow is free of divergence, so the projection leaves what the solver leaves.
TYPED_TEST(IncompressibleAdaptiveCarryOver, TheSameDomainGivesTheSameFlow) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const solid = block<Dim>(20, 27);
  auto const flow = flow_with<T, Dim>(solid);
  AdaptiveFlow<T, Dim> const next(channel_with<Dim>(solid), flowing<T, Dim>(), flow);
  EXPECT_EQ(next.time(), flow.time());
  EXPECT_EQ(next.step_count(), flow.step_count());
  EXPECT_EQ(next.update_count(), flow.update_count());
  ASSERT_EQ(next.level_count(), flow.level_count());
  for (int l = 0; l < flow.level_count(); ++l) {
    ASSERT_EQ(next.cells(l), flow.cells(l)) << l;
    EXPECT_EQ(values_on(next.state(l).pressure, 0, flow.leaves(l)),
              values_on(flow.state(l).pressure, 0, flow.leaves(l)));
    EXPECT_EQ(values_on(next.state(l).carried[0], 0, flow.leaves(l)),
              values_on(flow.state(l).carried[0], 0, flow.leaves(l)));
    for (int axis = 0; axis < Dim; ++axis) {
      auto const of_leaves = flow.grid(l).domain().periodicity().stored(faces(flow.leaves(l), axis));
      auto const wanted = values_on(flow.state(l).velocity, axis, of_leaves);
      for (auto const& [face, value] : values_on(next.state(l).velocity, axis, of_leaves))
        ASSERT_NEAR(value, wanted.at(face), precise<T>(1e-4, 1e-8)) << l << " " << axis << face;
    }
  }
}

/// A body moves, grows and goes: cells that stay leaves keep their ink, uncovered ones lie between their neighbours,
/// and nothing diverges, also in the steps that follow.
TYPED_TEST(IncompressibleAdaptiveCarryOver, BodiesGrowAndShrink) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const flow = flow_with<T, Dim>(block<Dim>(20, 27));
  for (auto const& solid : {block<Dim>(23, 29), block<Dim>(22, 36), block<Dim>(40, 44), IntervalSet<Dim>()}) {
    auto const domain = channel_with<Dim>(solid);
    AdaptiveFlow<T, Dim> next(domain, flowing<T, Dim>(), flow);
    int const finest = domain.level_count() - 1;
    ASSERT_EQ(next.level_count(), domain.level_count());
    auto const fresh = domain.fluid(finest) - flow.domain().fluid(finest);
    EXPECT_TRUE((fresh - next.leaves(finest)).is_empty());
    EXPECT_GT(fresh.cell_count(), 0);
    for (auto const& [cell, value] : values_on(next.state(finest).carried[0], 0, fresh)) {
      ASSERT_GT(value, 0.05) << cell;
      ASSERT_LT(value, 0.95) << cell;
    }
    for (int l = 0; l < next.level_count(); ++l) {
      EXPECT_TRUE((next.leaves(l) - domain.fluid(l)).is_empty());
      auto const kept = next.leaves(l) & flow.leaves(l);
      EXPECT_EQ(values_on(next.state(l).carried[0], 0, kept), values_on(flow.state(l).carried[0], 0, kept)) << l;
      // Leaves that were divided have the means of their children: none leaves the range.
      for (auto const& [cell, value] : values_on(next.state(l).carried[0], 0, next.leaves(l))) {
        ASSERT_GT(value, 0.05) << l << cell;
        ASSERT_LT(value, 0.95) << l << cell;
      }
    }
    EXPECT_LE(next.greatest_divergence(), small_divergence<T>);
    for (int step = 0; step < 5; ++step) {
      ASSERT_TRUE(next.advance().has_converged()) << step;
      ASSERT_LE(next.greatest_divergence(), small_divergence<T>) << step;
    }
    EXPECT_EQ(next.step_count(), flow.step_count() + 5);
  }
}

/// A body that comes and goes at once leaves the ink elsewhere as it was.
TYPED_TEST(IncompressibleAdaptiveCarryOver, ABodyComesAndGoes) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const flow = flow_with<T, Dim>({});
  auto const domain = channel_with<Dim>(block<Dim>(40, 44));
  AdaptiveFlow<T, Dim> const with_body(domain, flowing<T, Dim>(), flow),
      back(channel_with<Dim>({}), flowing<T, Dim>(), with_body);
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const kept = back.leaves(l) & flow.leaves(l) & domain.fluid(l);
    EXPECT_EQ(values_on(back.state(l).carried[0], 0, kept), values_on(flow.state(l).carried[0], 0, kept)) << l;
  }
  int const finest = domain.level_count() - 1;
  EXPECT_TRUE(back.domain().fluid(finest) == flow.domain().fluid(finest));
}

/// Another speed at the side counts from the next step on.
TEST(IncompressibleAdaptiveCarryOverSides, WhatFlowsInChanges) {
  auto const flow = flow_with<double, 2>(block<2>(20, 27));
  auto options = flowing<double, 2>();
  options.inflow[0] = 0.5;
  AdaptiveFlow<double, 2> next(channel_with<2>(block<2>(20, 27)), options, flow);
  next.advance();
  auto const& grid = next.grid(0);
  auto const at_side = sparse::box<2>({0, 0}, {1, 16}) & grid.faces(0);
  ASSERT_GT(at_side.cell_count(), 0);
  for (auto const& [face, value] : values_on(next.state(0).velocity, 0, at_side)) EXPECT_EQ(value, 0.5) << face;
  EXPECT_LE(next.greatest_divergence(), 1e-7);
}

/// Inks that the flow did not have begin at 0; those that it had stay.
TEST(IncompressibleAdaptiveCarryOverInks, MoreInksBeginAtZero) {
  auto const flow = flow_with<double, 2>({});
  auto options = flowing<double, 2>();
  options.inks.push_back({"another"});
  AdaptiveFlow<double, 2> const next(channel_with<2>({}), options, flow);
  EXPECT_EQ(next.ink_total(0), flow.ink_total(0));
  EXPECT_EQ(next.ink_total(1), 0);
}

TEST(IncompressibleAdaptiveCarryOverErrors, OtherFlowsAreRefused) {
  auto const flow = flow_with<double, 2>({});
  auto box = channel_with<2>({}).options();
  auto const is_refused_with = [&](DomainOptions<2> const& other, AdaptiveOptions<2> const& options, char const* why) {
    return is_refused([&] { AdaptiveFlow<double, 2>(Domain<2>(other), options, flow); }, why);
  };
  auto other = box;
  other.cells[0] = 24;
  EXPECT_TRUE(is_refused_with(other, flowing<double, 2>(), "same cells"));
  other = box;
  other.level_count = 2;
  EXPECT_TRUE(is_refused_with(other, flowing<double, 2>(), "same cells"));
  other = box;
  other.grid.spacing[1] = 1;
  EXPECT_TRUE(is_refused_with(other, flowing<double, 2>(), "same cells"));
  auto options = flowing<double, 2>();
  options.inks.clear();
  EXPECT_TRUE(is_refused_with(box, options, "all of its inks"));
}

// ---- inks that fade

/// In a closed box the total of an ink falls as an exponential; another ink keeps its own.
TEST(IncompressibleAdaptiveDecay, TheTotalFalls) {
  AdaptiveOptions<2> options;
  options.viscosity = 0.01;
  options.inks = {{"fades"}, {"stays"}};
  options.inks[0].decay = 0.7;
  options.criteria = {moving_ball<2>(0.3, {0.4, 0.4}, {1, 0.5})};
  AdaptiveFlow<double, 2> flow(Domain<2>(unit_box<2>(16, 3, BoundaryKind::periodic)), options);
  ScalarFunction<2> const blob = [](Point<2> const& x) {
    return std::exp(-20 * (std::pow(x[0] - 0.5, 2) + std::pow(x[1] - 0.5, 2)));
  };
  flow.start([](Point<2> const& x) { return Point<2>{1, 0.5 * std::sin(6.28 * x[0])}; }, {blob, blob});
  double const before = flow.ink_total(0);
  while (flow.step_count() < 20) flow.advance();
  EXPECT_NEAR(flow.ink_total(1), before, 1e-9 * before);
  EXPECT_NEAR(flow.ink_total(0), before * std::exp(-0.7 * flow.time()), 1e-9 * before);
  options.inks[0].decay = -1;
  EXPECT_TRUE(is_refused(
      [&] { AdaptiveFlow<double, 2>(Domain<2>(unit_box<2>(16, 3, BoundaryKind::periodic)), options); }, "can grow"));
}
