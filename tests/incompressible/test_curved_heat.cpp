/// Temperature beside walls that cut cells: against exact profiles, and what must hold for any body.

#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleCurvedHeat : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleCurvedHeat, RealCases);

constexpr Integrator integrators[] = {Integrator::runge_kutta, Integrator::paper};

template <int Dim>
double length(Point<Dim> const& x) {
  double square = 0;
  for (int b = 0; b < Dim; ++b) square += x[b] * x[b];
  return std::sqrt(square);
}

/// The fluid between two concentric spheres, in 2D cylinders, of radii 1 and 0.35, on n cells across.
constexpr double inner = 0.35, outer = 1;
template <int Dim>
Point<Dim> center_of() {
  Point<Dim> center;
  for (int b = 0; b < Dim; ++b) center[b] = 1.1234 - 0.0117 * b;
  return center;
}
template <int Dim>
FlowDomain<Dim> annulus(int n, std::function<WallHeat(bool is_inner)> const& heat) {
  FlowDomain<Dim> domain;
  auto const center = center_of<Dim>();
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(n));
  domain.grid.spacing = Point<Dim>::filled(2.2 / n);
  domain.distance = [=](Point<Dim> const& x) {
    double const r = length<Dim>(x - center);
    return std::min(r - inner, outer - r);
  };
  domain.wall_heat = [=](Point<Dim> const& x) { return heat(length<Dim>(x - center) < 0.5 * (inner + outer)); };
  domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance);
  return domain;
}

/// The solution of Laplace's equation between the spheres: 0 on the inner one, 1 on the outer one.
template <int Dim>
double between(double r) {
  return Dim == 2 ? std::log(r / inner) / std::log(outer / inner) : (1 / inner - 1 / r) / (1 / inner - 1 / outer);
}
/// Its slope.
template <int Dim>
double slope(double r) {
  return Dim == 2 ? 1 / (r * std::log(outer / inner)) : 1 / (r * r * (1 / inner - 1 / outer));
}

struct Errors {
  double mean = 0, greatest = 0;          ///< of the temperature
  double flux_inner = 0, flux_outer = 0;  ///< relative, of the means over walls
  double temperature_inner = 0;           ///< of the mean over the wall
};

/// The steady state of conduction, beside what is exact.
template <class T, int Dim>
Errors annulus_errors(int n, bool is_flux_given, Integrator integrator) {
  double const diffusivity = 0.5, given = -diffusivity * slope<Dim>(inner);
  auto const domain = annulus<Dim>(n, [&](bool is_inner) {
    WallHeat heat;
    if (!is_inner)
      heat.temperature = 1;
    else if (is_flux_given)
      heat.heat_flux = given;
    else
      heat.temperature = 0;
    return heat;
  });
  StaggeredGrid<Dim> const grid(domain);
  SmacOptions<Dim> options;
  options.integrator = integrator;
  options.transported = {{0, diffusivity}};
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"temperature"});
  auto const center = center_of<Dim>();
  auto const exact = [&](Point<Dim> const& x) { return between<Dim>(length<Dim>(x - center)); };
  set_cells(grid, state.carried[0], exact);
  auto const start = clone(state.carried[0]);
  double const end = is_flux_given ? 1.7 : 0.55;
  while (state.time < end) step.advance(state, step.longest_step(state, 0.5));
  Errors errors;
  auto const values = values_on(state.carried[0], 0, grid.fluid());
  for (auto const& [cell, value] : values) {
    double const error = std::abs(value - exact(grid.space().center(cell)));
    errors.mean += error / static_cast<double>(values.size());
    errors.greatest = std::max(errors.greatest, error);
  }
  CurvedWallHeat<Dim> const at_inner(grid, [&](Point<Dim> const&x) { return length<Dim>(x - center) < 0.6; }),
      at_outer(grid, [&](Point<Dim> const&x) { return length<Dim>(x - center) > 0.6; });
  auto const in = at_inner(state.carried[0], diffusivity), out = at_outer(state.carried[0], diffusivity);
  errors.flux_inner = std::abs(in.heat_flux / given - 1);
  errors.flux_outer = std::abs(out.heat_flux / (diffusivity * slope<Dim>(outer)) - 1);
  errors.temperature_inner = std::abs(in.temperature);
  return errors;
}

/// A ball in a box, with heat.
template <int Dim>
FlowDomain<Dim> ball_in_box(unsigned seed, WallHeat const& heat, bool is_open) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  auto domain = channel<Dim>(Dim == 2 ? 20 : 14, 12, BoundaryKind::no_slip);
  Point<Dim> center;
  for (int b = 0; b < Dim; ++b) center[b] = 5.5 + uniform(engine);
  double const radius = 2.2 + uniform(engine);
  domain.distance = [=](Point<Dim> const& x) { return length<Dim>(x - center) - radius; };
  domain.wall_heat = [=](Point<Dim> const&) { return heat; };
  domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance);
  if (is_open) open_ends<Dim>(domain, {1});
  return domain;
}

}  // namespace

// Between cylinders temperature is a logarithm, between spheres it goes with 1 / r. The greatest errors are those of
// cells whose centres lie in the wall, beyond which the exact solution becomes steep.
TYPED_TEST(IncompressibleCurvedHeat, ConductionBetweenSpheresIsOfSecondOrder) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (bool const is_flux_given : {false, true}) {
    if (std::is_same_v<T, float>) {  // as in double precision
      auto const single = annulus_errors<T, Dim>(16, is_flux_given, Integrator::paper),
                 with_double = annulus_errors<double, Dim>(16, is_flux_given, Integrator::runge_kutta);
      EXPECT_NEAR(single.mean, with_double.mean, 1e-4);
      EXPECT_NEAR(single.flux_outer, with_double.flux_outer, 1e-3);
      continue;
    }
    auto const coarse = annulus_errors<T, Dim>(Dim == 2 ? 32 : 14, is_flux_given, Integrator::runge_kutta),
               fine = annulus_errors<T, Dim>(Dim == 2 ? 64 : 28, is_flux_given, Integrator::runge_kutta);
    auto const order = [](double of_coarse, double of_fine) { return std::log2(of_coarse / of_fine); };
    EXPECT_GT(order(coarse.mean, fine.mean), 1.9) << coarse.mean << " " << fine.mean;
    EXPECT_GT(order(coarse.greatest, fine.greatest), 1.7) << coarse.greatest << " " << fine.greatest;
    EXPECT_GT(order(coarse.flux_outer, fine.flux_outer), 1.9) << coarse.flux_outer << " " << fine.flux_outer;
    EXPECT_LT(fine.mean, Dim == 2 ? 3e-4 : 1e-2);
    EXPECT_LT(fine.flux_outer, Dim == 2 ? 1e-3 : 0.05);
    if (is_flux_given) {
      EXPECT_LT(fine.flux_inner, 1e-13);
      EXPECT_GT(order(coarse.temperature_inner, fine.temperature_inner), 1.9);
      EXPECT_LT(fine.temperature_inner, Dim == 2 ? 5e-4 : 0.05);
    } else {
      EXPECT_GT(order(coarse.flux_inner, fine.flux_inner), 1.9) << coarse.flux_inner << " " << fine.flux_inner;
      EXPECT_LT(fine.flux_inner, Dim == 2 ? 1e-3 : 0.05);
    }
  }
}

// A constant stays constant in a flow past a body, whatever the wall conducts to fluid of the same temperature.
TYPED_TEST(IncompressibleCurvedHeat, ConstantsStayConstantInFlows) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    WallHeat heat;
    if (seed % 2 == 0) heat.temperature = 2;
    auto domain = ball_in_box<Dim>(seed, heat, true);
    domain.parts[0].temperature = 2;
    StaggeredGrid<Dim> const grid(domain);
    auto options = smac_options<T, Dim>(0.05);
    options.integrator = integrators[seed / 2 % 2];
    options.transported = {{0, 0.02}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    set_cells(grid, state.carried[0], [](auto const&) { return 2; });
    set_random_velocity(grid, state.velocity, seed);
    step.project(state);
    for (int i = 0; i < 20; ++i) {
      step.advance(state, step.longest_step(state, 0.4));
      for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
        ASSERT_NEAR(value, 2, precise<T>(2e-3, 1e-8)) << "seed " << seed << ", step " << i << " at " << cell;
    }
  }
}

// Far beyond the stable step of the small cells, a warm body warms the fluid, which stays between the temperatures.
// What the body gives is what the fluid gets.
TYPED_TEST(IncompressibleCurvedHeat, AWarmBodyGivesWhatTheFluidGets) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    WallHeat heat;
    heat.temperature = 1;
    StaggeredGrid<Dim> const grid(ball_in_box<Dim>(seed, heat, false));
    auto options = smac_options<T, Dim>(0.3);
    options.integrator = Integrator::paper;  // Euler's method, so that the heat of a step is that of its start
    options.transported = {{0, 0.3}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    CurvedWallHeat<Dim> const wall(grid);
    for (int i = 0; i < 100; ++i) {
      double const dt = step.longest_step(state, 0.5), before = total(grid, state.carried[0]);
      double const given = dt * wall.area() * wall(state.carried[0], 0.3).heat_flux;
      step.advance(state, dt);
      ASSERT_NEAR(total(grid, state.carried[0]), before + given, precise<T>(1e-5, 1e-12) * (before + 100))
          << "seed " << seed << ", step " << i;
    }
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid())) {
      EXPECT_GT(value, 0) << cell;
      EXPECT_LT(value, 1.4) << cell;  // in the wall, where the slope goes on
    }
  }
}

// Fluid that is warm everywhere is accelerated as by gravity, also in small openings.
TYPED_TEST(IncompressibleCurvedHeat, BuoyancyOfAConstantIsGravity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    StaggeredGrid<Dim> const grid(ball_in_box<Dim>(seed, {}, true));
    auto const gravity = Point<Dim>::along(1, -0.7) + Point<Dim>::along(0, 0.4);
    auto const run = [&](bool is_warm) {
      auto options = smac_options<T, Dim>(0.2);
      options.integrator = integrators[seed % 2];
      options.transported = {{0, 0.1}};
      if (is_warm)
        options.buoyancy = {{0, gravity}};
      else
        options.acceleration = gravity;
      Smac<T, Dim> step(grid, options);
      State<T, Dim> state(grid, {"temperature"});
      set_cells(grid, state.carried[0], [](auto const&) { return 1; });
      set_random_velocity(grid, state.velocity, seed);
      step.project(state);
      for (int i = 0; i < 10; ++i) step.advance(state, 0.1);
      return clone(state.velocity);
    };
    EXPECT_LT(greatest_difference(run(true), run(false)), precise<T>(2e-3, 1e-8)) << "seed " << seed;
  }
}

// Heat is what walls and sources have brought, to rounding. Nothing becomes wild, though some cells are tiny.
TYPED_TEST(IncompressibleCurvedHeat, TotalHeatIsWhatWasGiven) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    WallHeat heat;
    heat.heat_flux = 0.3;
    auto const domain = ball_in_box<Dim>(seed, heat, false);
    StaggeredGrid<Dim> const grid(domain);
    auto options = smac_options<T, Dim>(0.05);
    options.integrator = integrators[seed / 2 % 2];
    options.transported = {{0, seed < 3 ? 0 : 0.3}};
    auto end = Cell<Dim>::filled(12);
    end[0] = 5;
    bool const has_source = seed % 2 == 0;
    if (has_source) options.transported[0].sources = {{sparse::box<Dim>({}, end), 0.2}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    start_at_random(step, state, seed);
    double const before = total(grid, state.carried[0]), given = 0.3 * CurvedWallHeat<Dim>(grid).area();
    double last = 0;
    for (int i = 0; i < 60; ++i) {
      step.advance(state, step.longest_step(state, 0.5));
      double const now = total(grid, state.carried[0]) - before - state.time * given;
      if (i == 0 && has_source) last = now / state.time;  // of the source
      ASSERT_NEAR(now, last * state.time, precise<T>(2e-3, 1e-10) * (before + state.time)) << seed << " " << i;
    }
    auto const values = values_on(state.carried[0], 0, grid.fluid());
    for (auto const& [cell, value] : values) EXPECT_LT(std::abs(value), 1.5 + 2 * state.time) << cell;
    if (!has_source) continue;
    double const half = std::pow(12, Dim - 1) * 5 * 0.2;  // less the part of the ball in it
    EXPECT_LT(last, half);
    EXPECT_GT(last, 0.5 * half);
  }
}

TYPED_TEST(IncompressibleCurvedHeat, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const refused = [&](WallHeat const& heat, char const* why) {
    StaggeredGrid<Dim> const grid(ball_in_box<Dim>(1, heat, false));
    SmacOptions<Dim> options;
    options.transported = {{0, 1}};
    EXPECT_TRUE(is_refused([&] { Smac<T, Dim> const step(grid, options); }, why));
  };
  refused({1.0, 1.0}, "not both");
  refused({std::nan(""), {}}, "not finite");
  refused({{}, std::nan("")}, "not finite");
  StaggeredGrid<Dim> const grid(ball_in_box<Dim>(1, {}, false));
  EXPECT_TRUE(is_refused([&] { CurvedWallHeat<Dim> const none(grid, [](auto const&) { return false; }); },
                         "no such curved wall"));
  EXPECT_TRUE(is_refused([&] { CurvedWallHeat<Dim>{StaggeredGrid<Dim>(channel<Dim>(4, 4, BoundaryKind::wall))}; },
                         "no such curved wall"));
  State<T, Dim> const state(grid, {"temperature"});
  CurvedWallHeat<Dim> const wall(grid);
  EXPECT_TRUE(is_refused([&] { wall(state.carried[0], 0); }, "must be positive"));
}
