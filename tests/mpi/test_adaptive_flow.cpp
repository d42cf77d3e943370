/// Ranks that share a flow on levels step it, bit by bit, as one process does.

#include <cmath>
#include <limits>
#include <string>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/incompressible/levels/profiles.hpp>
#include <support/adaptive.hpp>

#include "team_of_test.hpp"

namespace {

using namespace reference;
using sparse::distributed::Curve;
using sparse::distributed::maximise;
using sparse::incompressible::InkSource;
using sparse::incompressible::InkWall;

template <class TheCase>
class AdaptiveFlowOnRanks : public testing::Test {};
TYPED_TEST_SUITE(AdaptiveFlowOnRanks, RealCases);

/// The same flow, shared by the ranks of the test in small parts.
template <int Dim>
AdaptiveOptions<Dim> shared(AdaptiveOptions<Dim> options, bool is_scattered = false) {
  options.team = &team_of_test();
  options.has_exact_sums = true;
  options.partition.least_work = 1;
  options.least_shared_cells = Dim == 2 ? 64 : 512;
  if (is_scattered) options.partition.curve = Curve::scattered;
  return options;
}

/// A box with periods, and a fine ball that runs through it.
template <int Dim>
struct PeriodicFlow {
  DomainOptions<Dim> box;
  AdaptiveOptions<Dim> options;

  PeriodicFlow() {
    box.cells = Cell<Dim>::filled(Dim == 2 ? 20 : 8);
    box.level_count = Dim == 2 ? 3 : 2;
    for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
    options.viscosity = 0.01;
    options.criteria = {moving_ball<Dim>(Dim == 2 ? 5 : 3, Point<Dim>::filled(1), Point<Dim>::filled(3))};
    options.regrid_stride = 2;
    options.inks = {{"ink", 0.02, {}, 0.1}};
  }
  Point<Dim> velocity(Point<Dim> const& x) const {
    auto u = Point<Dim>::filled(0.5);
    u[0] += std::sin(2 * std::acos(-1.0) * x[1] / box.cells[1]);
    return u;
  }
};

/// Inks of all kinds and a jet round a body.
template <class T, int Dim>
AdaptiveOptions<Dim> with_inks(AroundABall<T, Dim> const& around) {
  auto options = around.options;
  options.inks = {{"ink", 0, 0.25}, {"weight", 0.01}};
  options.buoyancy = {{1, Point<Dim>{0.1, -0.2}}};
  options.ink_walls = {{.ink = 1, .value = 1.0, .body = 0}};
  Domain<Dim> const domain(around.box);
  auto const finest = domain.box(domain.level_count() - 1);
  auto end = finest.end;
  end[0] = finest.end[0] / 16;
  auto const mouth = sparse::box<Dim>(finest.begin, end);
  options.ink_sources = {{0, mouth, 1.5}};
  options.jets = {{mouth, Point<Dim>::filled(1.2), 0.3}};
  return options;
}

template <class T, int Dim>
void expect_same_measures(AdaptiveFlow<T, Dim> const& of_ranks, AdaptiveFlow<T, Dim> const& of_one) {
  double const rounding = std::is_same_v<T, float> ? 1e-5 : 1e-12;
  EXPECT_EQ(of_ranks.leaf_count(), of_one.leaf_count());
  EXPECT_EQ(of_ranks.longest_step(), of_one.longest_step());
  EXPECT_EQ(of_ranks.greatest_divergence(), of_one.greatest_divergence());
  EXPECT_EQ(of_ranks.greatest_change(), of_one.greatest_change());
  EXPECT_NEAR(of_ranks.kinetic_energy(), of_one.kinetic_energy(), rounding * of_one.kinetic_energy());
  EXPECT_NEAR(of_ranks.enstrophy(), of_one.enstrophy(), rounding * of_one.enstrophy());
  for (int axis = 0; axis < Dim; ++axis)
    EXPECT_NEAR(of_ranks.momentum()[axis], of_one.momentum()[axis], rounding * std::abs(of_one.momentum()[0]));
  for (std::size_t k = 0; k < of_one.options().inks.size(); ++k)
    EXPECT_NEAR(of_ranks.ink_total(k), of_one.ink_total(k), rounding * (1 + std::abs(of_one.ink_total(k))));
}

/// Whether what a rank stores of leaves of others, of covered cells and of ghosts is as in the whole.
template <class T, int Dim>
testing::AssertionResult stores_the_same(AdaptiveFlow<T, Dim> const& of_ranks, AdaptiveFlow<T, Dim> const& of_one) {
  for (int l = 0; l < of_one.level_count(); ++l) {
    if (of_one.leaves(l).is_empty() || of_ranks.leaves(l).is_empty()) continue;
    auto const &here = of_ranks.grid(l), &there = of_one.grid(l);
    if (!(here.fluid() - there.fluid()).is_empty()) return testing::AssertionFailure() << "more cells of level " << l;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const near = there.domain().periodicity().stored(faces(of_ranks.leaves(l), axis));
      if (values_on(of_ranks.state(l).velocity, axis, near) != values_on(of_one.state(l).velocity, axis, near))
        return testing::AssertionFailure() << "another velocity along " << axis << " on level " << l;
      auto const& all = here.faces(axis);
      if (values_on(of_ranks.state(l).velocity, axis, all) != values_on(of_one.state(l).velocity, axis, all))
        return testing::AssertionFailure() << "another stored velocity along " << axis << " on level " << l;
    }
    for (std::size_t k = 0; k < of_one.state(l).carried.size(); ++k)
      if (values_on(of_ranks.state(l).carried[k], 0, here.fluid()) !=
          values_on(of_one.state(l).carried[k], 0, here.fluid()))
        return testing::AssertionFailure() << "another stored ink on level " << l;
  }
  return testing::AssertionSuccess();
}

}  // namespace

TYPED_TEST(AdaptiveFlowOnRanks, StepsPastABodyAsOneProcess) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundABall<T, Dim> const around;
  auto const domain = around.domain();
  for (bool const has_curved_walls : {false, true}) {
    if (!is_turn(turn_of<T, Dim> + (has_curved_walls ? 1 : 0))) continue;
    SCOPED_TRACE(has_curved_walls ? "curved walls" : "walls of cells");
    bool const has_inks = !has_curved_walls || Dim == 3;
    auto options = has_inks ? with_inks(around) : around.options;
    options.curved_walls = has_curved_walls;
    AdaptiveFlow<T, Dim> of_process(domain, with_exact_sums(options)), of_ranks(domain, shared(options));
    auto const velocity = [&](Point<Dim> const&) { return options.inflow; };
    std::vector<sparse::incompressible::ScalarFunction<Dim>> inks;
    if (has_inks) inks = {[](Point<Dim> const& x) { return std::sin(x[0]); }, [](Point<Dim> const& x) { return x[1]; }};
    ASSERT_EQ(of_ranks.start(velocity, inks).iterations, of_process.start(velocity, inks).iterations);
    ASSERT_TRUE(stores_the_same(of_ranks, of_process)) << "at the start";
    ASSERT_TRUE(are_same(of_ranks, of_process)) << "at the start";
    for (int step = 0; step < (Dim == 2 ? 9 : 3); ++step) {
      ASSERT_EQ(of_ranks.advance().iterations, of_process.advance().iterations) << step;
      ASSERT_TRUE(are_same(of_ranks, of_process)) << "step " << step;
      ASSERT_TRUE(stores_the_same(of_ranks, of_process)) << "step " << step;
    }
    expect_same_measures(of_ranks, of_process);
    auto const force = of_ranks.force(), expected = of_process.force();
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_NEAR(force.total()[axis], expected.total()[axis],
                  (std::is_same_v<T, float> ? 1e-4 : 1e-11) * std::abs(expected.total()[0]));
    if (has_inks) {
      auto const wall = of_ranks.wall_state(0), of_wall = of_process.wall_state(0);
      EXPECT_NEAR(wall.heat_flux, of_wall.heat_flux, 1e-5 * std::abs(of_wall.heat_flux));
    }
    EXPECT_GT(of_process.level_count(), 1);
  }
}

TYPED_TEST(AdaptiveFlowOnRanks, StepsThroughPeriodsAsOneProcess) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  PeriodicFlow<Dim> const periodic;
  Domain<Dim> const domain(periodic.box);
  for (bool const is_scattered : {false, true}) {
    if (!is_turn(turn_of<T, Dim> + (is_scattered ? 1 : 0))) continue;
    AdaptiveFlow<T, Dim> of_process(domain, with_exact_sums(periodic.options)),
        of_ranks(domain, shared(periodic.options, is_scattered));
    auto const velocity = [&](Point<Dim> const& x) { return periodic.velocity(x); };
    auto const ink = [](Point<Dim> const& x) { return x[0] < 7 ? 1.0 : 0.0; };
    of_process.start(velocity, {ink});
    of_ranks.start(velocity, {ink});
    for (int step = 0; step < (Dim == 2 ? 7 : 3); ++step) {
      ASSERT_TRUE(are_same(of_ranks, of_process)) << "step " << step;
      ASSERT_TRUE(stores_the_same(of_ranks, of_process)) << "step " << step;
      of_process.advance();
      of_ranks.advance();
    }
    ASSERT_TRUE(are_same(of_ranks, of_process));
    expect_same_measures(of_ranks, of_process);
  }
}

// At rest the first step follows from the lid alone, which some ranks do not touch.
TYPED_TEST(AdaptiveFlowOnRanks, StartUnderALidAsOneProcess) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const box = unit_box<Dim>(Dim == 2 ? 24 : 8, 2, BoundaryKind::no_slip);
  Domain<Dim> const domain(box);
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.01;
  options.walls[1][1] = Point<Dim>::along(0, 1);
  options.criteria = {sparse::incompressible::vorticity(0.2)};
  AdaptiveFlow<T, Dim> of_process(domain, with_exact_sums(options)), of_ranks(domain, shared(options));
  for (auto* flow : {&of_process, &of_ranks}) flow->start([](Point<Dim> const&) { return Point<Dim>{}; });
  for (int step = 0; step < 5; ++step) {
    ASSERT_EQ(of_ranks.longest_step(), of_process.longest_step()) << step;
    of_process.advance();
    of_ranks.advance();
    ASSERT_TRUE(are_same(of_ranks, of_process)) << "step " << step;
  }
  std::vector<Point<Dim>> const points = {Point<Dim>::filled(0.31), Point<Dim>::filled(0.77)};
  EXPECT_EQ(pressure_at(of_ranks, points), pressure_at(of_process, points));
  EXPECT_EQ(levels_at(of_ranks, points), levels_at(of_process, points));
  auto const line = centre_line(of_ranks, 1), expected = centre_line(of_process, 1);
  EXPECT_EQ(line.points, expected.points);
  EXPECT_EQ(line.velocity, expected.velocity);
}

// A checkpoint of all ranks goes on on these and on one, and that of one on all.
TYPED_TEST(AdaptiveFlowOnRanks, GoesOnWithOthers) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  if (!is_turn(turn_of<T, Dim>)) return;
  auto& team = team_of_test();
  AroundABall<T, Dim> const around;
  auto const options = with_inks(around);
  auto const domain = around.domain();
  AdaptiveFlow<T, Dim> of_process(domain, with_exact_sums(options)), of_ranks(domain, shared(options));
  auto const velocity = [&](Point<Dim> const&) { return options.inflow; };
  std::vector<sparse::incompressible::ScalarFunction<Dim>> const inks(2, [](Point<Dim> const& x) { return x[0]; });
  of_process.start(velocity, inks);
  of_ranks.start(velocity, inks);
  for (int step = 0; step < 3; ++step) {
    of_process.advance();
    of_ranks.advance();
  }
  SharedFolder const folder(team);
  auto const file = folder / "adaptive.h5";
  sparse::amr::write_checkpoint(file, of_ranks.save(), "flow", 1, &team);
  AdaptiveFlow<T, Dim> resumed(domain, shared(options, true), sparse::amr::open_checkpoint<T, Dim>(file, "flow")),
      alone(domain, with_exact_sums(options), sparse::amr::read_checkpoint<T, Dim>(file, "flow")),
      from_one(domain, shared(options), of_process.save());
  for (int step = 0; step < 3; ++step) {
    for (auto* flow : {&resumed, &alone, &from_one})
      ASSERT_TRUE(are_same(*flow, of_process)) << "step " << step << " of " << (flow == &resumed ? "all" : "one");
    for (auto* flow : {&resumed, &alone, &from_one, &of_process}) flow->advance();
  }
}

// A flow goes on in a domain whose body has moved.
TYPED_TEST(AdaptiveFlowOnRanks, GoesOnAroundAnotherBody) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  if (!is_turn(turn_of<T, Dim> + 1)) return;
  AroundABall<T, Dim> const around;
  auto moved = around.box;
  auto middle = Point<Dim>::filled(0.5 * moved.cells[1] * moved.grid.spacing[1]);
  middle[0] += 0.4;
  moved.bodies = {
      sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{middle, 0.4}, BoundaryKind::no_slip)};
  auto const options = with_inks(around);
  AdaptiveFlow<T, Dim> of_process(around.domain(), with_exact_sums(options)),
      of_ranks(around.domain(), shared(options));
  std::vector<sparse::incompressible::ScalarFunction<Dim>> const inks(2, [](Point<Dim> const& x) { return x[1]; });
  for (auto* flow : {&of_process, &of_ranks}) {
    flow->start([&](Point<Dim> const&) { return options.inflow; }, inks);
    flow->advance();
  }
  AdaptiveFlow<T, Dim> process_after(Domain<Dim>(moved), with_exact_sums(options), of_process),
      ranks_after(Domain<Dim>(moved), shared(options), of_ranks);
  for (int step = 0; step < 2; ++step) {
    ASSERT_TRUE(are_same(ranks_after, process_after)) << "step " << step;
    process_after.advance();
    ranks_after.advance();
  }
  ASSERT_TRUE(are_same(ranks_after, process_after));
}

// A value that is not finite on one rank: all have the error of one process.
TEST(AdaptiveFlowsOfRanks, FailTogether) {
  PeriodicFlow<2> const periodic;
  Domain<2> const domain(periodic.box);
  auto const message_of = [&](AdaptiveOptions<2> const& options) {
    AdaptiveFlow<double, 2> flow(domain, options);
    flow.start([](Point<2> const& x) {
      return Point<2>{x[0] > 11.9 && x[0] < 13 && x[1] > 3 && x[1] < 5 ? std::numeric_limits<double>::infinity() : 1,
                      0};
    });
    flow.advance(0.1);
    return std::string("nothing");
  };
  auto const failed = [&](AdaptiveOptions<2> options) {
    options.inks.clear();
    try {
      return message_of(options);
    } catch (std::runtime_error const& error) {
      return std::string(error.what());
    }
  };
  auto const expected = failed(with_exact_sums(periodic.options));
  EXPECT_NE(expected.find("velocity"), std::string::npos) << expected;
  EXPECT_EQ(failed(shared(periodic.options)), expected);
}
