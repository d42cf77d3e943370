/// Curved walls of bodies in flows on levels.

#include <numbers>

#include <sparse/incompressible/grid/curved_walls.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/adaptive.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleAdaptiveCurved : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveCurved, RealCases);

template <class T, int Dim>
struct AroundACurvedBall : AroundABall<T, Dim> {
  AroundACurvedBall() { this->options.curved_walls = true; }
};

/// The drag on a square array of cylinders over viscosity and mean velocity, at low speed.
double drag_of_array(double share, int coarse_cells, int level_count, bool curved_walls) {
  auto box = unit_box<2>(coarse_cells, level_count, BoundaryKind::periodic);
  PeriodicBall<2> const ball{{0.47, 0.52}, std::sqrt(share / std::numbers::pi)};
  box.bodies = {sparse::body_from_distance<2>("ball", ball, BoundaryKind::no_slip)};
  AdaptiveOptions<2> options;
  options.viscosity = 1;
  options.acceleration[0] = 1;
  options.curved_walls = curved_walls;
  options.stop.tolerance = 1e-6;
  AdaptiveFlow<double, 2> flow(Domain<2>(box), options);
  EXPECT_EQ(flow.level_count(), level_count);
  while (flow.time() < 0.3) flow.advance();
  return 1 / flow.momentum()[0];
}

}  // namespace

TYPED_TEST(IncompressibleAdaptiveCurved, OneLevelIsTheUniformMethod) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (bool const is_periodic : {false, true}) {
    auto box = unit_box<Dim>(Dim == 2 ? 24 : 12, 1, is_periodic ? BoundaryKind::periodic : BoundaryKind::no_slip);
    if (!is_periodic) box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
    PeriodicBall<Dim> const ball{Point<Dim>::filled(is_periodic ? 0.04 : 0.46), 0.17};  // one crosses a seam
    box.bodies = {sparse::body_from_distance<Dim>("ball", ball, BoundaryKind::no_slip)};
    AdaptiveOptions<Dim> options;
    options.viscosity = 0.01;
    options.acceleration[0] = 0.1;
    options.inflow[0] = 1;
    options.curved_walls = true;
    options.upstream = 0.7;
    options.inks = {{"weight"}};
    options.buoyancy = {{0, {0.2, -0.3}}};
    Domain<Dim> const domain(box);
    AdaptiveFlow<T, Dim> flow(domain, options);
    auto const all = sparse::box<Dim>(domain.box(0).begin, domain.box(0).end);
    auto const period = Cell<Dim>::filled(is_periodic ? box.cells[0] : 0);
    ASSERT_EQ(flow.leaves(0),
              sparse::incompressible::open_cells(all, domain.grid(0), flow.grid(0).domain().distance, period));
    Smac<T, Dim> smac(flow.grid(0), {.viscosity = options.viscosity,
                                     .upstream = options.upstream,
                                     .acceleration = options.acceleration,
                                     .buoyancy = options.buoyancy});
    State<T, Dim> state(flow.grid(0), {"weight"});
    auto const start = [](Point<Dim> const& x) {
      auto u = Point<Dim>::filled(0.2 * std::sin(6.2 * x[1]));
      u[0] = 1 + 0.3 * std::cos(6.3 * x[1]);
      return u;
    };
    auto const weight = [](Point<Dim> const& x) { return std::sin(9 * x[0]); };
    set_velocity(flow.grid(0), state, start);
    set_cells(flow.grid(0), state.carried[0], weight);
    smac.project(state);
    flow.start(start, {weight});
    for (int step = 0; step < 8; ++step) {
      double const time_step = smac.longest_step(state, 0.5);
      ASSERT_EQ(flow.longest_step(), time_step);
      ASSERT_EQ(flow.advance(time_step).iterations, smac.advance(state, time_step).iterations);
    }
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_EQ(to_host(flow.state(0).velocity, axis), to_host(state.velocity, axis)) << is_periodic;
    ASSERT_EQ(to_host(flow.state(0).pressure), to_host(state.pressure)) << is_periodic;
    ASSERT_EQ(to_host(flow.state(0).carried[0]), to_host(state.carried[0])) << is_periodic;
    EXPECT_NEAR(flow.ink_total(0), total(flow.grid(0), state.carried[0]), 1e-6);
    EXPECT_NEAR(flow.kinetic_energy(), kinetic_energy(flow.grid(0), state.velocity), 1e-6 * flow.kinetic_energy());
    auto const force = sparse::incompressible::BodyForces<Dim>(flow.grid(0), domain.body(0, 0))(
        state.velocity, state.pressure, options.viscosity, options.acceleration);
    for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(flow.force().total()[axis], force.total()[axis]);
  }
}

// Cut cells, too, also just after a change of levels.
TYPED_TEST(IncompressibleAdaptiveCurved, LeavesHaveNoDivergence) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundACurvedBall<T, Dim> around;
  auto at = Point<Dim>::filled(0.75), velocity = Point<Dim>{};
  at[0] = 1;
  velocity[0] = 10;
  around.options.criteria.push_back(moving_ball<Dim>(0.6, at, velocity));
  AdaptiveFlow<T, Dim> flow(around.domain(), around.options);
  flow.start([&](Point<Dim> const&) { return around.options.inflow; });
  int changes = 0;
  double const bound = precise<T>(2e-3, 2e-5);
  for (int step = 0; step < (Dim == 2 ? 16 : 6); ++step) {
    ASSERT_LT(flow.greatest_divergence(), bound) << step;
    changes += flow.adapt() ? 1 : 0;
    ASSERT_LT(flow.greatest_divergence(), bound) << step << " after the change";
    ASSERT_TRUE(flow.advance().has_converged());
  }
  EXPECT_GT(changes, 0);
}

// Cut cells count with their fluid part.
TYPED_TEST(IncompressibleAdaptiveCurved, InksKeepTotalsAndBounds) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundACurvedBall<T, Dim> around;
  around.box.sides[0] = {BoundaryKind::no_slip, BoundaryKind::no_slip};
  around.options.inks = {{"stripes"}, {"one"}};
  AdaptiveFlow<T, Dim> flow(around.domain(), around.options);
  auto const swirl = [](Point<Dim> const& x) {
    Point<Dim> u;
    u[0] = std::sin(1.6 * x[1]);
    u[1] = std::sin(1.7 * x[0]);
    return u;
  };
  flow.start(swirl, {[](Point<Dim> const& x) { return x[0] < 2 ? 1.0 : 0.0; }, [](Point<Dim> const&) { return 1.0; }});
  double const of_stripes = flow.ink_total(0), of_one = flow.ink_total(1);
  for (int step = 0; step < 10; ++step) flow.advance();
  double const rounding = precise<T>(1e-4, 1e-5);  // and what is left of divergence
  EXPECT_NEAR(flow.ink_total(0), of_stripes, rounding * of_stripes);
  EXPECT_NEAR(flow.ink_total(1), of_one, rounding * of_one);
  for (int l = 0; l < flow.level_count(); ++l)
    for (int k = 0; k < 2; ++k)
      for (auto const& [cell, value] :
           values_on(flow.state(l).carried[static_cast<std::size_t>(k)], 0, flow.leaves(l))) {
        ASSERT_NEAR(value, k == 0 ? 0.5 : 1, k == 0 ? 0.5 + 0.01 : 0.01) << l;
      }
}

// The numbers are those of series: Sangani, Acrivos, Slow flow past periodic arrays of cylinders with application to
// heat transfer, Int. J. Multiphase Flow 8 (1982).
TEST(IncompressibleAdaptiveCurvedFlows, ArraysOfCylindersHaveTheDragOfTheSeries) {
  for (auto const& [share, drag] : {std::pair{0.1, 24.83}, {0.2, 51.53}}) {
    double const found = drag_of_array(share, 16, 2, true);
    SCOPED_TRACE(testing::Message() << "share " << share << ": " << found);
    EXPECT_NEAR(found, drag, 0.01 * drag);
  }
}

TEST(IncompressibleAdaptiveCurvedFlows, LevelsFindTheForceOfAFineGrid) {
  AroundACurvedBall<double, 2> around;
  auto const force_of = [&] {
    AdaptiveFlow<double, 2> flow(around.domain(), around.options);
    flow.start([&](Point<2> const&) { return around.options.inflow; });
    while (flow.time() < 1) flow.advance_towards(1);
    return std::pair{flow.force().total()[0], static_cast<double>(flow.leaf_count())};
  };
  auto const on_levels = force_of();
  around.options.criteria = {
      RegionCriterion<2>{[](RegionPlace<2> const& place) { return sparse::box<2>(place.box.begin, place.box.end); }}};
  auto const on_fine = force_of();
  EXPECT_LT(on_levels.second, 0.5 * on_fine.second);
  EXPECT_NEAR(on_levels.first, on_fine.first, 0.01 * on_fine.first);
}

TYPED_TEST(IncompressibleAdaptiveCurved, GoesOnAsIfThereHadBeenNoBreak) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundACurvedBall<T, Dim> const around;
  AdaptiveFlow<T, Dim> whole(around.domain(), around.options);
  whole.start([&](Point<Dim> const&) { return around.options.inflow; });
  for (int step = 0; step < 3; ++step) whole.advance();
  AdaptiveFlow<T, Dim> resumed(around.domain(), around.options, whole.save());
  for (int step = 0; step < 3; ++step) {
    whole.advance();
    resumed.advance();
  }
  ASSERT_EQ(resumed.leaf_count(), whole.leaf_count());
  for (int l = 0; l < whole.level_count(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_EQ(to_host(resumed.state(l).velocity, axis), to_host(whole.state(l).velocity, axis)) << l;
  EXPECT_EQ(resumed.force().total()[0], whole.force().total()[0]);
}

TEST(IncompressibleAdaptiveCurvedFaults, NonsenseIsRefused) {
  AroundACurvedBall<double, 2> const good;
  auto const refuses = [&](auto const& change, char const* message) {
    auto bad = good;
    change(bad.box, bad.options);
    EXPECT_TRUE(is_refused([&] { AdaptiveFlow<double, 2>(bad.domain(), bad.options); }, message)) << message;
  };
  refuses([](auto& box, auto&) { box.bodies = {sparse::as_staircase(box.bodies[0])}; },
          "incompressible: body 'ball' knows no distance for curved walls");
  refuses([](auto& box, auto&) { box.bodies[0].wall = BoundaryKind::wall; },
          "incompressible: curved walls have friction, so body 'ball' must be no_slip");
  refuses([](auto& box, auto&) { box.bodies.clear(); }, "incompressible: there is no body whose walls could be curved");
  refuses(
      [](auto& box, auto&) {
        sparse::BallDistance<2> const tiny{Point<2>::filled(0.5 * box.cells[1] * box.grid.spacing[1]), 0.03};
        box.bodies = {sparse::body_from_distance<2>("ball", tiny, BoundaryKind::no_slip)};
      },
      "incompressible: curved walls cut all cells of body 'ball', so cells of the finest level are too wide for it");
}
