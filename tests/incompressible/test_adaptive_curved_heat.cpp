/// Inks that spread beside walls that cut cells, on levels.

#include <numbers>

#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;
using sparse::incompressible::InkWall;
using sparse::incompressible::SourceKind;

template <class TheCase>
class IncompressibleAdaptiveCurvedHeat : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveCurvedHeat, RealCases);

/// The fluid between two concentric cylinders.
constexpr double inner = 0.35, outer = 1, diffusivity = 0.5;
constexpr Point<2> center = {1.1234, 1.1117};
struct InsideOfCylinder {
  KOKKOS_FUNCTION double operator()(Point<2> const& x) const { return -sparse::BallDistance<2>{center, outer}(x); }
};
double radius_at(Point<2> const& x) { return sparse::BallDistance<2>{center, 0}(x); }
/// The solution of Laplace's equation between them: 0 on the inner one, 1 on the outer one.
double exact_at(double r) { return std::log(r / inner) / std::log(outer / inner); }
double slope_at(double r) { return 1 / (r * std::log(outer / inner)); }

struct Errors {
  double mean = 0, greatest = 0;          ///< of the temperature
  double flux_inner = 0, flux_outer = 0;  ///< relative, of the means over walls
  double temperature_inner = 0;           ///< of the mean over the wall
};

/// The steady state of conduction between the cylinders, with n cells of the finest level across the box.
template <class T>
Errors annulus_errors(int n, int level_count, bool is_flux_given) {
  auto box = unit_box<2>(n >> (level_count - 1), level_count, BoundaryKind::no_slip);
  box.grid.spacing = Point<2>::filled(2.2 / box.cells[0]);
  box.bodies = {sparse::body_from_distance<2>("inner", sparse::BallDistance<2>{center, inner}, BoundaryKind::no_slip),
                sparse::body_from_distance<2>("outer", InsideOfCylinder(), BoundaryKind::no_slip)};
  AdaptiveOptions<2> options;
  options.viscosity = 0.1;
  options.curved_walls = true;
  options.inks = {{"temperature", diffusivity}};
  InkWall of_inner{.body = 0}, of_outer{.value = 1, .body = 1};
  double const given = -diffusivity * slope_at(inner);
  is_flux_given ? void(of_inner.flux = given) : void(of_inner.value = 0);
  options.ink_walls = {of_inner, of_outer};
  AdaptiveFlow<T, 2> flow(Domain<2>(box), options);
  EXPECT_EQ(flow.level_count(), level_count);
  flow.start([](auto const&) { return Point<2>{}; }, {[](Point<2> const& x) { return exact_at(radius_at(x)); }});
  double const end = is_flux_given ? 1.7 : 0.55;
  while (flow.time() < end) flow.advance(0.05);
  Errors errors;
  double volume = 0;
  for (int l = 0; l < level_count; ++l)
    for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l))) {
      double const error = std::abs(value - exact_at(radius_at(flow.grid(l).space().center(cell))));
      errors.mean += flow.grid(l).cell_volume() * error;
      volume += flow.grid(l).cell_volume();
      errors.greatest = std::max(errors.greatest, error);
    }
  errors.mean /= volume;
  auto const in = flow.wall_state(0), out = flow.wall_state(1);
  errors.flux_inner = std::abs(in.heat_flux / given - 1);
  errors.flux_outer = std::abs(out.heat_flux / (diffusivity * slope_at(outer)) - 1);
  errors.temperature_inner = std::abs(in.temperature);
  std::printf("  %d cells, %d levels, %s: mean %.2e, greatest %.2e, fluxes %.2e %.2e, wall %.2e\n", n, level_count,
              is_flux_given ? "flux" : "value", errors.mean, errors.greatest, errors.flux_inner, errors.flux_outer,
              errors.temperature_inner);
  return errors;
}

/// A ball in a room in which fluid swirls, on levels that change.
template <class T, int Dim>
struct WarmBall : AroundABall<T, Dim> {
  WarmBall() {
    this->box.sides[0] = {BoundaryKind::no_slip, BoundaryKind::no_slip};
    this->options.curved_walls = true;
    this->options.inks = {{"heat", 0.03}, {"dye"}, {"one", 0.1}};
    this->options.regrid_stride = 2;
    this->options.stop.tolerance = precise<T>(1e-5, 1e-10);
  }
  AdaptiveFlow<T, Dim> flow() const {
    AdaptiveFlow<T, Dim> flow(this->domain(), this->options);
    auto const swirl = [](Point<Dim> const& x) {
      Point<Dim> u;
      u[0] = std::sin(1.6 * x[1]);
      u[1] = std::sin(1.7 * x[0]);
      return u;
    };
    auto const stripe = [](Point<Dim> const& x) { return x[0] < (Dim == 2 ? 2 : 0.75) ? 1.0 : 0.0; };
    flow.start(swirl, {stripe, stripe, [](Point<Dim> const&) { return 1.0; }});
    return flow;
  }
};

}  // namespace

// Of second order, and levels hardly change what goes through walls. There the temperature is steepest, so cells are
// fine.
TEST(IncompressibleAdaptiveCurvedHeatFlows, ConductionBetweenCylindersIsOfSecondOrder) {
  for (bool const is_flux_given : {false, true}) {
    auto const coarse = annulus_errors<double>(40, 1, is_flux_given),
               fine = annulus_errors<double>(80, 1, is_flux_given),
               levels = annulus_errors<double>(80, 2, is_flux_given),
               single = annulus_errors<float>(40, 1, is_flux_given);
    auto const order = [](double of_coarse, double of_fine) { return std::log2(of_coarse / of_fine); };
    EXPECT_GT(order(coarse.mean, fine.mean), 1.9);
    EXPECT_GT(order(coarse.greatest, fine.greatest), 1.7);
    EXPECT_GT(order(coarse.flux_outer, fine.flux_outer), 1.9);
    EXPECT_LT(levels.mean, 1e-3);
    EXPECT_LT(levels.greatest, 5e-3);
    EXPECT_LT(levels.flux_outer, 2e-3);
    EXPECT_NEAR(single.mean, coarse.mean, 1e-4);
    if (is_flux_given) {
      EXPECT_LT(fine.flux_inner, 1e-13);
      EXPECT_GT(order(coarse.temperature_inner, fine.temperature_inner), 1.9);
      EXPECT_LT(levels.temperature_inner, 2e-3);
    } else {
      EXPECT_GT(order(coarse.flux_inner, fine.flux_inner), 1.9);
      EXPECT_LT(levels.flux_inner, 2e-3);
      EXPECT_LT(levels.temperature_inner, 1e-13);
    }
  }
}

// An insulated wall lets nothing through, whatever flows past it.
TYPED_TEST(IncompressibleAdaptiveCurvedHeat, KeepsTotalsAndBounds) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto flow = WarmBall<T, Dim>().flow();
  double before[3];
  for (std::size_t k = 0; k < 3; ++k) before[k] = flow.ink_total(k);
  for (int step = 0; step < 10; ++step) flow.advance();
  double const rounding = precise<T>(1e-4, 1e-8);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(flow.ink_total(k), before[k], rounding * before[k]) << k;
  for (int l = 0; l < flow.level_count(); ++l)
    for (std::size_t k = 0; k < 3; ++k)
      for (auto const& [cell, value] : values_on(flow.state(l).carried[k], 0, flow.leaves(l))) {
        double const middle = k == 2 ? 1 : 0.5;
        ASSERT_NEAR(value, middle, 1 - middle + precise<T>(1e-3, 1e-6)) << "ink " << k << " on level " << l;
      }
}

// Sources give to cut cells as to others: what counts of them gains its strength.
TYPED_TEST(IncompressibleAdaptiveCurvedHeat, SourcesAddTheirStrength) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  WarmBall<T, Dim> ball;
  auto const all = ball.domain().box(ball.box.level_count - 1);
  auto end = all.end;
  end[0] = 16 << (ball.box.level_count - 1);  // that of the stripe
  if (Dim == 3) end[0] = end[0] * 3 / 8;
  for (std::size_t const k : {0, 1})
    ball.options.ink_sources.push_back({k, sparse::box<Dim>(all.begin, end), 0.5, 1e9, SourceKind::adds});
  auto flow = ball.flow();
  double const before[2] = {flow.ink_total(0), flow.ink_total(1)};
  for (int step = 0; step < 6; ++step) flow.advance();
  for (std::size_t const k : {0, 1})
    EXPECT_NEAR(flow.ink_total(k), before[k] * (1 + 0.5 * flow.time()), precise<T>(1e-4, 1e-8) * before[k]) << k;
}

// What a wall lets through is what the total gains.
TYPED_TEST(IncompressibleAdaptiveCurvedHeat, WallsGiveWhatTheySay) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  WarmBall<T, Dim> with_flux, with_value;
  with_flux.options.ink_walls = {{.ink = 0, .flux = 0.3, .body = 0}};
  with_value.options.ink_walls = {{.ink = 0, .value = 2, .body = 0}, {.ink = 2, .value = 1, .body = 0}};
  auto flow = with_flux.flow(), warmed = with_value.flow();
  double const before = flow.ink_total(0), of_warmed = warmed.ink_total(0);
  double const radius = 0.3, area = Dim == 2 ? 2 * std::numbers::pi * radius : 4 * std::numbers::pi * radius * radius;
  double most = 0, least = 0;
  for (int step = 0; step < 8; ++step) {
    flow.advance();
    double const flux_before = warmed.wall_state(0).heat_flux, time = warmed.time();
    warmed.advance();
    double const flux_after = warmed.wall_state(0).heat_flux;
    most += area * (warmed.time() - time) * std::max(flux_before, flux_after);
    least += area * (warmed.time() - time) * std::min(flux_before, flux_after);
  }
  double const gain = flow.ink_total(0) - before;
  EXPECT_NEAR(gain, 0.3 * area * flow.time(), (Dim == 2 ? 0.005 : 0.03) * gain);
  EXPECT_NEAR(flow.wall_state(0).heat_flux, 0.3, 1e-6);
  EXPECT_GT(warmed.ink_total(0) - of_warmed, (Dim == 2 ? 0.98 : 0.9) * least);
  EXPECT_LT(warmed.ink_total(0) - of_warmed, (Dim == 2 ? 1.02 : 1.1) * most);
  EXPECT_GT(least, 0.01);
  for (int l = 0; l < warmed.level_count(); ++l)  // fluid and wall are alike
    for (auto const& [cell, value] : values_on(warmed.state(l).carried[2], 0, warmed.leaves(l)))
      ASSERT_NEAR(value, 1, precise<T>(1e-3, 1e-6)) << "level " << l;
}

TYPED_TEST(IncompressibleAdaptiveCurvedHeat, GoesOnAsIfThereHadBeenNoBreak) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  WarmBall<T, Dim> ball;
  ball.options.ink_walls = {{.ink = 0, .value = 2, .body = 0}};
  auto whole = ball.flow();
  for (int step = 0; step < 3; ++step) whole.advance();
  AdaptiveFlow<T, Dim> resumed(ball.domain(), ball.options, whole.save());
  for (int step = 0; step < 3; ++step) {
    whole.advance();
    resumed.advance();
  }
  ASSERT_EQ(resumed.leaf_count(), whole.leaf_count());
  for (int l = 0; l < whole.level_count(); ++l)
    for (std::size_t k = 0; k < 3; ++k)
      ASSERT_EQ(values_on(resumed.state(l).carried[k], 0, resumed.leaves(l)),
                values_on(whole.state(l).carried[k], 0, whole.leaves(l)))
          << l;
  EXPECT_EQ(resumed.wall_state(0).heat_flux, whole.wall_state(0).heat_flux);
}

// Periods: a ball across a seam warms the fluid as one in the middle does.
TYPED_TEST(IncompressibleAdaptiveCurvedHeat, BallsMayLieAcrossSeams) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double fluxes[2], totals[2];
  for (int i = 0; i < 2; ++i) {
    auto box = unit_box<Dim>(Dim == 2 ? 16 : 12, 2, BoundaryKind::periodic);
    PeriodicBall<Dim> const ball{Point<Dim>::filled(i == 0 ? 0.52 : 0.02), 0.2};
    box.bodies = {sparse::body_from_distance<Dim>("ball", ball, BoundaryKind::no_slip)};
    AdaptiveOptions<Dim> options;
    options.viscosity = 0.05;
    options.curved_walls = true;
    options.inks = {{"heat", 0.05}};
    options.ink_walls = {{.value = 1, .body = 0}};
    options.stop.tolerance = precise<T>(1e-5, 1e-10);
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    flow.start([](auto const&) { return Point<Dim>::filled(0.5); }, {[](auto const&) { return 0.0; }});
    for (int step = 0; step < 6; ++step) flow.advance(0.003);
    fluxes[i] = flow.wall_state(0).heat_flux;
    totals[i] = flow.ink_total(0);
  }
  EXPECT_NEAR(fluxes[0], fluxes[1], precise<T>(1e-3, 1e-6) * fluxes[0]);
  EXPECT_NEAR(totals[0], totals[1], precise<T>(1e-3, 1e-6) * totals[0]);
  EXPECT_GT(fluxes[0], 0.01);
}

// Two balls with a gap of about a cell, then two that overlap: each has its own value, and long steps are stable.
TYPED_TEST(IncompressibleAdaptiveCurvedHeat, BodiesMayTouch) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (double const gap : {0.03, -0.05}) {
    SCOPED_TRACE(gap);
    auto box = unit_box<Dim>(Dim == 2 ? 16 : 12, 2, BoundaryKind::no_slip);
    for (int i = 0; i < 2; ++i) {
      auto middle = Point<Dim>::filled(0.51);
      middle[0] = 0.5 + (i == 0 ? -1 : 1) * (0.15 + 0.5 * gap);
      box.bodies.push_back(
          sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{middle, 0.15}, BoundaryKind::no_slip));
    }
    AdaptiveOptions<Dim> options;
    options.viscosity = 0.05;
    options.curved_walls = true;
    options.inks = {{"heat", 0.05}};
    options.ink_walls = {{.value = 2, .body = 1}, {.value = 1, .body = 0}};
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    flow.start([](auto const&) { return Point<Dim>{}; }, {[](auto const&) { return 1.5; }});
    double const volume = flow.ink_total(0) / 1.5;
    EXPECT_GT(flow.wall_state(0).heat_flux, 0);
    EXPECT_LT(flow.wall_state(1).heat_flux, 0);
    for (int step = 0; step < 100; ++step) flow.advance(0.05);
    EXPECT_NEAR(flow.wall_state(0).temperature, 2, 1e-5);
    EXPECT_NEAR(flow.wall_state(1).temperature, 1, 1e-5);
    // They are mirror images.
    EXPECT_NEAR(flow.wall_state(0).heat_flux, -flow.wall_state(1).heat_flux, precise<T>(1e-3, 1e-6));
    EXPECT_NEAR(flow.ink_total(0), 1.5 * volume, precise<T>(1e-3, 1e-6));
    for (int l = 0; l < flow.level_count(); ++l)
      for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l)))
        ASSERT_NEAR(value, 1.5, 1.5) << "level " << l;
  }
}

// The energy equation of `Smac` on a uniform grid has other fluxes, but the same heat goes through the wall.
TEST(IncompressibleAdaptiveCurvedHeatFlows, ACylinderGivesTheHeatThatItGivesOnAFineGrid) {
  AroundABall<double, 2> around;
  around.options.curved_walls = true;
  around.options.inks = {{"heat", 0.03, 0.0}};
  around.options.ink_walls = {{.value = 1, .body = 0}};
  double const end = 1;
  AdaptiveFlow<double, 2> flow(around.domain(), around.options);
  flow.start([&](Point<2> const&) { return around.options.inflow; }, {[](Point<2> const&) { return 0.0; }});
  while (flow.time() < end) flow.advance_towards(end);

  auto uniform = around.box;
  uniform.cells = 4 * uniform.cells;
  uniform.grid.spacing = 0.25 * uniform.grid.spacing;
  uniform.level_count = 1;
  AdaptiveFlow<double, 2> fine(Domain<2>(uniform), around.options);
  auto domain = fine.grid(0).domain();
  domain.wall_heat = [](Point<2> const&) { return sparse::incompressible::WallHeat{.temperature = 1.0}; };
  for (auto& part : domain.parts)
    if (part.kind == BoundaryKind::inflow) part.temperature = 0;
  sparse::incompressible::StaggeredGrid<2> const grid(domain);
  sparse::incompressible::SmacOptions<2> options;
  options.viscosity = around.options.viscosity;
  options.transported = {{0, 0.03}};
  options.pressure.stop.tolerance = 1e-6;
  sparse::incompressible::Smac<double, 2> step(grid, options);
  sparse::incompressible::State<double, 2> state(grid, {"temperature"});
  set_velocity(grid, state.velocity, [](auto const&) { return Point<2>{1, 0}; });
  step.project(state);
  while (state.time < end) step.advance(state, std::min(step.longest_step(state, 0.5), end - state.time));
  sparse::incompressible::CurvedWallHeat<2> const at_wall(grid);
  double const expected = at_wall(state.carried[0], 0.03).heat_flux, found = flow.wall_state(0).heat_flux;
  std::printf("  heat flux %.5f on levels, %.5f on the uniform grid\n", found, expected);
  EXPECT_NEAR(found, expected, 0.01 * expected);
}
