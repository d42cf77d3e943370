/// Jets in flows on levels.

#include <sparse/incompressible/grid/jet.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;
using sparse::incompressible::Jet;

template <class TheCase>
class IncompressibleAdaptiveJets : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveJets, RealCases);

template <int Dim>
Point<Dim> rest(Point<Dim> const&) {
  return {};
}

/// A closed box with a jet in it. [cells of the finest level]
template <class T, int Dim>
AdaptiveOptions<Dim> with_jet(Coord begin, Coord end, double until = HUGE_VAL) {
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.01;
  options.stop.tolerance = precise<T>(1e-5, 1e-10);
  auto const cells = sparse::box<Dim>(Cell<Dim>::filled(begin), Cell<Dim>::filled(end));
  options.jets = {{cells, Point<Dim>::along(0, 1) + Point<Dim>::along(1, 0.25), until}};
  return options;
}

}  // namespace

TYPED_TEST(IncompressibleAdaptiveJets, OnOneLevelAreThoseOfTheUniformMethod) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const box = unit_box<Dim>(16, 1, BoundaryKind::no_slip);
  auto options = with_jet<T, Dim>(4, 8, 0.05);
  options.stop = {};  // as in `Smac`
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  flow.start(rest<Dim>);
  auto const& grid = flow.grid(0);
  Smac<T, Dim> smac(grid, {.viscosity = options.viscosity});
  State<T, Dim> state(grid);
  smac.project(state);
  Jet<Dim> const jet(grid, options.jets[0].cells);
  double at_end = 0;
  for (int step = 0; step < 10; ++step) {
    if (state.time <= options.jets[0].until) {
      jet.drive(state.velocity, options.jets[0].velocity);
      at_end = state.time;
    }
    double const time_step = flow.longest_step();
    ASSERT_EQ(time_step, smac.longest_step(state, options.safety));  // also before the first step, of fluid at rest
    smac.advance(state, time_step);
    flow.advance();
  }
  EXPECT_LT(at_end + 1e-3, state.time);  // some steps are without
  for (int axis = 0; axis < Dim; ++axis)
    ASSERT_EQ(to_host(flow.state(0).velocity, axis), to_host(state.velocity, axis));
}

// Fluid goes the way of the jet, without divergence, and an ink that is 1 stays 1. The flow is that of a fine grid.
TYPED_TEST(IncompressibleAdaptiveJets, DriveFluidOnLevels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Coord const cells = Dim == 2 ? 16 : 12;
  double const end = 0.2;
  auto options = with_jet<T, Dim>(cells / 2, cells);
  options.inks = {{"ink"}};
  auto const run = [&](Coord count, int level_count, auto const& after_step) {
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(unit_box<Dim>(count, level_count, BoundaryKind::no_slip)), options);
    flow.start(rest<Dim>, {[](auto const&) { return 1; }});
    while (flow.time() < end) {
      flow.advance_towards(end);
      after_step(flow);
    }
    return flow;
  };
  auto const fine = run(2 * cells, 1, [](auto const&) {});
  options.regrid_stride = 2;
  options.criteria = {moving_ball<Dim>(0.3, Point<Dim>::filled(0.4), Point<Dim>::filled(0.3))};
  auto const flow = run(cells, 2, [&](auto const& now) {
    ASSERT_LT(now.greatest_divergence(), precise<T>(1e-4, 1e-8));
    for (int l = 0; l < now.level_count(); ++l)
      for (auto const& [cell, value] : values_on(now.state(l).carried[0], 0, now.leaves(l)))
        ASSERT_NEAR(value, 1, precise<T>(1e-4, 1e-8)) << "level " << l;
  });
  ASSERT_EQ(flow.level_count(), 2);
  EXPECT_LT(flow.leaf_count(), fine.leaf_count());
  EXPECT_GT(fine.kinetic_energy(), 0.01 * std::pow(0.25, Dim));
  EXPECT_NEAR(flow.kinetic_energy(), fine.kinetic_energy(), (Dim == 2 ? 0.05 : 0.08) * fine.kinetic_energy());
}

// Across a periodic box, from leaves of level 0 up to finer ones. What is left is a velocity everywhere: the mean of
// all faces, each with half of the cells beside it.
TYPED_TEST(IncompressibleAdaptiveJets, ReachFinerLeaves) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Domain<Dim> const domain(unit_box<Dim>(16, 2, BoundaryKind::periodic));
  AdaptiveOptions<Dim> options;
  options.stop.tolerance = precise<T>(1e-5, 1e-10);
  options.criteria = {RegionCriterion<Dim>{[](RegionPlace<Dim> const& place) {
    auto begin = place.box.begin, beyond = place.box.end;
    begin[0] = 10;
    beyond[0] = 11;
    return sparse::box<Dim>(begin, beyond);
  }}};
  AdaptiveFlow<T, Dim> flow(domain, options);
  flow.start(rest<Dim>);
  auto begin = flow.cells(1).bounds().begin, beyond = Cell<Dim>::filled(32);
  for (bool const is_below : {true, false}) {
    SCOPED_TRACE(is_below);
    beyond[0] = is_below ? flow.cells(1).bounds().begin[0] : flow.cells(1).bounds().end[0] + 4;
    begin[0] = beyond[0] - 4;
    options.jets = {{sparse::box<Dim>(begin, beyond), Point<Dim>::along(0, 1)}};
    AdaptiveFlow<T, Dim> driven(domain, options);
    driven.start(rest<Dim>);
    driven.advance(1e-6);
    // Two coarse cells are four fine ones wide. Half a coarse cell before them moves, too, and half a fine one behind.
    // The pressure has a kink at the interface, where its gradient is that of a parabola. Without the interface's face
    // it would be 4 / 32.
    EXPECT_NEAR(driven.momentum()[0], (4 + 1 + 0.5) / 32, 0.02);
  }
}

// One that ends at the seam of a periodic box is like any other.
TYPED_TEST(IncompressibleAdaptiveJets, CrossSeams) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double energies[2];
  for (int k : {0, 1}) {
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(unit_box<Dim>(16, 1, BoundaryKind::periodic)),
                              with_jet<T, Dim>(k == 0 ? 6 : 12, k == 0 ? 10 : 16));
    flow.start(rest<Dim>);
    for (int step = 0; step < 5; ++step) flow.advance(0.01);
    energies[k] = flow.kinetic_energy();
  }
  EXPECT_GT(energies[0], 1e-4);
  EXPECT_NEAR(energies[1], energies[0], precise<T>(1e-4, 1e-8) * energies[0]);
}

// Coarse leaves of which the jet has a half are driven, those with less are not.
TYPED_TEST(IncompressibleAdaptiveJets, NeedHalfALeaf) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const box = unit_box<Dim>(8, 3, BoundaryKind::no_slip);
  auto energy = [&](Coord width) {
    auto options = with_jet<T, Dim>(8, 16);
    auto end = Cell<Dim>::filled(16);
    end[1] = 8 + width;
    options.jets[0].cells = sparse::box<Dim>(Cell<Dim>::filled(8), end);
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    flow.start(rest<Dim>);
    flow.advance(1e-3);
    EXPECT_EQ(flow.level_count(), 1);
    return flow.kinetic_energy();
  };
  EXPECT_EQ(energy(1), 0);
  double const half = energy(2);
  EXPECT_GT(half, 0);
  EXPECT_EQ(energy(4), half);
  EXPECT_EQ(energy(5), half);
  EXPECT_GT(energy(6), half);
}

TYPED_TEST(IncompressibleAdaptiveJets, AreRefusedIfTheyMakeNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Domain<Dim> const domain(unit_box<Dim>(8, 1, BoundaryKind::no_slip));
  auto options = with_jet<T, Dim>(2, 4, NAN);
  EXPECT_TRUE(is_refused([&] { AdaptiveFlow<T, Dim>(domain, options); }, "its end a time"));
  options = with_jet<T, Dim>(2, 4);
  options.jets[0].velocity[1] = INFINITY;
  EXPECT_TRUE(is_refused([&] { AdaptiveFlow<T, Dim>(domain, options); }, "the velocity of a jet"));
  options.jets = {{}};  // without cells
  EXPECT_NO_THROW((AdaptiveFlow<T, Dim>(domain, options)));
}
