/// Whole flows by leapfrog flow maps: exact solutions, and what is kept.

#include <numbers>

#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/flow_maps.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

using std::numbers::pi;
bool const is_nightly = seed_count > 1000;

template <class TheCase>
class IncompressibleFlowMapFlow : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleFlowMapFlow, RealCases);

/// The unit square between walls without friction.
FlowDomain<2> unit_square(int n) {
  auto domain = channel<2>(n, n, BoundaryKind::wall);
  domain.grid.spacing = Point<2>::filled(1.0 / n);
  return domain;
}

/// Goes on to a time in cycles of equal length, none of which carries anything further than `cells` cells in a step.
template <class T, int Dim>
void run(LeapfrogFlowMap<T, Dim>& method, State<T, Dim>& state, double end, double cells) {
  double const longest = method.longest_step(state, cells);
  auto const cycles = static_cast<int>(std::ceil((end - state.time) / longest));
  double const length = (end - state.time) / cycles;
  for (int i = 0; i < cycles; ++i) {
    ASSERT_TRUE(method.advance(state, length).has_converged());
    ASSERT_LT(divergence_of(method.grid(), state.velocity).greatest, precise<T>(1e-3, 1e-6));
  }
}

/// Of a velocity or of cell values, in the root mean square.
template <int Dim>
double mean_difference(sparse::Field<double, Dim> const& a, sparse::Field<double, Dim> const& b) {
  auto between = clone(a);
  add(between, -1, b);
  return norm(between) / std::sqrt(static_cast<double>(between.component_count() * a.cell_count()));
}

/// Four vortices that fill the square: they keep their shape, and viscosity slows them down.
struct Decay {
  double energy, error;
};
Decay decay(int n, FlowMapOptions<2> const& options, double end = 2) {
  StaggeredGrid<2> const grid(unit_square(n));
  LeapfrogFlowMap<double, 2> method(grid, options);
  State<double, 2> state(grid);
  auto const vortices = [&](double time) {
    double const size = std::exp(-2 * pi * pi * options.viscosity * time);
    return [size](Point<2> const& x) {
      return Point<2>{size * std::sin(pi * x[0]) * std::cos(pi * x[1]),
                      -size * std::cos(pi * x[0]) * std::sin(pi * x[1])};
    };
  };
  set_velocity(grid, state.velocity, vortices(0));
  double const first = kinetic_energy(grid, state.velocity);
  run(method, state, end, 0.8);
  auto exact = clone(state.velocity);
  set_velocity(grid, exact, vortices(end));
  return {kinetic_energy(grid, state.velocity) / first, mean_difference(exact, state.velocity)};
}

}  // namespace

TYPED_TEST(IncompressibleFlowMapFlow, UniformFlowStaysUniform) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(12, 7, BoundaryKind::wall);
  open_ends<Dim>(domain, {1.5});
  StaggeredGrid<Dim> const grid(domain);
  for (auto const interpolation : {Interpolation::linear, Interpolation::quadratic})
    for (int const cycle : {1, 2, 5}) {
      auto options = precise_options<Dim>(precise<T>(1e-5, 1e-9));
      options.cycle = cycle;
      options.interpolation = interpolation;
      options.viscosity = 0.1;
      LeapfrogFlowMap<T, Dim> method(grid, options);
      State<T, Dim> state(grid);
      set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>{1.5}; });
      for (double const dt : {0.2, 1.0, 4.0}) {
        method.advance(state, dt);
        for (int axis = 0; axis < Dim; ++axis)
          for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
            ASSERT_NEAR(value, axis == 0 ? 1.5 : 0, precise<T>(2e-5, 1e-10)) << face;
      }
      EXPECT_EQ(state.step_count, 3 * cycle);
    }
}

// Parallel flow with shear is steady. Maps that follow it back to the inflow, or leave through the outflow, see only a
// part of it.
TYPED_TEST(IncompressibleFlowMapFlow, ShearFlowStays) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double errors[2] = {};
  for (int i = 0; i < (Dim == 2 ? 2 : 1); ++i) {
    int const n = 12 << i;
    auto domain = channel<Dim>(2 * n, n, BoundaryKind::wall);
    open_ends<Dim>(domain, {});
    auto const profile = [n](Point<Dim> const& x) { return 1 + 0.5 * std::cos(pi * x[1] / n); };
    domain.parts[0].profile = profile;
    StaggeredGrid<Dim> const grid(domain);
    LeapfrogFlowMap<T, Dim> method(grid, precise_options<Dim>(precise<T>(1e-6, 1e-9)));
    State<T, Dim> state(grid);
    set_velocity(grid, state.velocity, [&](Point<Dim> const& x) { return Point<Dim>{profile(x)}; });
    auto start = clone(state.velocity);
    for (int cycle = 0; cycle < 8 << i; ++cycle) method.advance(state, 3);
    add(start, -1, state.velocity);
    errors[i] = static_cast<double>(norm_max(start));
  }
  EXPECT_LT(errors[0], 0.015);
  if (Dim == 2) {
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.7) << errors[0] << " " << errors[1];
  }
}

// Energy and error of stationary vortices, walls without friction, after two turns of them.
TEST(IncompressibleFlowMapFlows, VorticesKeepTheirEnergy) {
  auto const coarse = decay(32, precise_options<2>()), fine = decay(64, precise_options<2>());
  EXPECT_GT(coarse.energy, 0.995);
  EXPECT_GT(fine.energy, 0.9999);
  EXPECT_LT(fine.energy, 1.00005);
  EXPECT_LT(fine.error, 2e-4);
  EXPECT_GT(std::log2(coarse.error / fine.error), 1.9) << coarse.error << " " << fine.error;
  if (!is_nightly) return;
  auto const finest = decay(128, precise_options<2>());
  EXPECT_GT(finest.energy, 0.99997);
  EXPECT_LT(finest.energy, 1.00001);
  EXPECT_GT(std::log2(fine.error / finest.error), 1.9) << fine.error << " " << finest.error;
}

TEST(IncompressibleFlowMapFlows, CompensationAndSmoothSplinesAreWorthIt) {
  auto const whole = decay(48, precise_options<2>());
  auto options = precise_options<2>();
  options.error_compensation = false;
  auto const uncompensated = decay(48, options);
  EXPECT_LT(uncompensated.energy, 0.97);
  EXPECT_GT(uncompensated.error, 30 * whole.error);
  options = precise_options<2>();
  options.interpolation = Interpolation::linear;
  auto const linear = decay(48, options);
  EXPECT_GT(linear.error, 3 * whole.error);
  EXPECT_LT(linear.energy, whole.energy);
}

TEST(IncompressibleFlowMapFlows, ViscosityTakesWhatItShould) {
  auto options = precise_options<2>();
  options.viscosity = 0.005;
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    auto const result = decay(24 << i, options, 1);
    errors[i] = result.error;
    EXPECT_NEAR(result.energy, std::exp(-4 * pi * pi * options.viscosity), i == 0 ? 4e-3 : 1e-3);
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.7) << errors[0] << " " << errors[1];
}

// Between plates at rest, with a given flow through: a parabola.
TEST(IncompressibleFlowMapFlows, PoiseuilleFlowKeepsItsProfile) {
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    int const n = 8 << i;
    auto domain = channel<2>(2 * n, n, BoundaryKind::no_slip);
    domain.grid.spacing = Point<2>::filled(1.0 / n);
    open_ends(domain, {});
    auto const parabola = [](Point<2> const& x) { return 4 * x[1] * (1 - x[1]); };
    domain.parts[0].profile = parabola;
    StaggeredGrid<2> const grid(domain);
    auto options = precise_options<2>();
    options.viscosity = 0.1;
    LeapfrogFlowMap<double, 2> method(grid, options);
    State<double, 2> state(grid);
    run(method, state, 4, 0.9);
    errors[i] = 0;
    for (auto const& [face, u] : values_on(state.velocity, 0, grid.faces(0)))
      if (face[0] > n / 2)
        errors[i] = std::max(errors[i], std::abs(u - parabola(middle_of<2>(face, 0, grid.spacing()))));
    auto const p = value_map(state.pressure);
    EXPECT_NEAR((p.at({n, n / 2}) - p.at({3 * n / 2, n / 2})) / 0.5, 0.8, i == 0 ? 0.1 : 0.03);
  }
  EXPECT_LT(errors[1], 0.02);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.4) << errors[0] << " " << errors[1];
}

// Fluid whose temperature only depends on height has nowhere to go.
TYPED_TEST(IncompressibleFlowMapFlow, StratifiedFluidStaysAtRest) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(channel<Dim>(10, 10, BoundaryKind::wall));
  auto options = precise_options<Dim>(precise<T>(1e-6, 1e-11));
  options.buoyancy.push_back({0, Vec<double, Dim>::along(1, 0.5)});
  LeapfrogFlowMap<T, Dim> method(grid, options);
  State<T, Dim> state(grid, {"temperature"});
  set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return std::cos(pi * x[1] / 10); });
  for (int i = 0; i < 3; ++i) method.advance(state, 1);
  EXPECT_LT(norm_max(state.velocity), precise<T>(2e-5, 1e-9));
  for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
    ASSERT_NEAR(value, std::cos(pi * (cell[1] + 0.5) / 10), 0.005);
}

// In a room whose temperature grows with height, standing internal waves swing with omega = N kx / |k|. Their stream
// function is A sin(kx x) sin(ky y) cos(omega t).
TEST(IncompressibleFlowMapFlows, InternalWavesSwingAsTheoryHasIt) {
  double const amplitude = 1e-3, kx = pi, ky = 2 * pi, omega = kx / std::sqrt(kx * kx + ky * ky), end = 2 * pi / omega;
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    StaggeredGrid<2> const grid(unit_square(16 << i));
    auto options = precise_options<2>();
    options.cycle = 4;
    options.buoyancy.push_back({0, Point<2>{0, 1}});  // N = 1
    LeapfrogFlowMap<double, 2> method(grid, options);
    State<double, 2> state(grid, {"temperature"});
    auto const wave = [&](Point<2> const& x) {
      return Point<2>{amplitude * ky * std::sin(kx * x[0]) * std::cos(ky * x[1]),
                      -amplitude * kx * std::cos(kx * x[0]) * std::sin(ky * x[1])};
    };
    set_velocity(grid, state.velocity, wave);
    set_cells(grid, state.carried[0], [](Point<2> const& x) { return x[1] - 0.5; });
    auto const start = clone(state.velocity);
    int const cycles = 20 << i;
    double least = 1;
    for (int c = 0; c < cycles; ++c) {
      ASSERT_TRUE(method.advance(state, end / cycles).has_converged());
      least = std::min(least, dot(start, state.velocity) / dot(start, start));
    }
    EXPECT_NEAR(least, -1, 0.1);  // half a period later all goes the other way
    auto change = clone(start);
    add(change, -1, state.velocity);
    errors[i] = norm(change) / norm(start);
  }
  EXPECT_LT(errors[1], 0.06);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 0.9) << errors[0] << " " << errors[1];
}

namespace {

/// The mean error of a blob in a steady vortex, against the way back by hundreds of small steps.
double error_of_ink(InkMethod ink, int n) {
  StaggeredGrid<2> const grid(unit_square(n));
  auto options = precise_options<2>();
  options.ink = ink;
  LeapfrogFlowMap<double, 2> method(grid, options);
  State<double, 2> state(grid, {"ink"});
  auto const velocity = [](Point<2> const& x) {
    return Point<2>{std::sin(pi * x[0]) * std::cos(pi * x[1]), -std::cos(pi * x[0]) * std::sin(pi * x[1])};
  };
  auto const blob = [](Point<2> const& x) {
    return std::exp(-40 * ((x[0] - 0.5) * (x[0] - 0.5) + (x[1] - 0.3) * (x[1] - 0.3)));
  };
  set_velocity(grid, state.velocity, velocity);
  set_cells(grid, state.carried[0], blob);
  run(method, state, 1, 0.8);
  auto exact = clone(state.carried[0]);
  set_cells(grid, exact, [&](Point<2> x) {
    for (int k = 0; k < 400; ++k) x = x - (1.0 / 400) * velocity(x - (0.5 / 400) * velocity(x));
    return blob(x);
  });
  add(exact, -1, state.carried[0]);
  return norm_1(exact) / static_cast<double>(grid.fluid().cell_count());
}

}  // namespace

TEST(IncompressibleFlowMapFlows, CarryInkWithSecondOrder) {
  for (auto const ink : {InkMethod::fluxes, InkMethod::traced}) {
    double const coarse = error_of_ink(ink, 32), fine = error_of_ink(ink, 64);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << coarse << " " << fine;
    EXPECT_LT(fine, ink == InkMethod::traced ? 1e-3 : 1.5e-3);
  }
}
