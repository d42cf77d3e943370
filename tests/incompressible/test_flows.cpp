/// Whole flows: what theory says about them, symmetry, and how steps run.

#include <numbers>

#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <support/incompressible.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

using std::numbers::pi;

template <class TheCase>
class IncompressibleFlow : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleFlow, RealCases);

/// Four vortices in the square of side pi: they keep their shape, and viscosity slows them down.
Point<2> vortices(Point<2> const& x) { return {std::sin(x[0]) * std::cos(x[1]), -std::cos(x[0]) * std::sin(x[1])}; }

struct Decay {
  double energy, error;
};
Decay decay(int n, Advection method, double viscosity) {
  auto domain = channel<2>(n, n, BoundaryKind::wall);
  domain.grid.spacing = Point<2>::filled(pi / n);
  StaggeredGrid<2> const grid(domain);
  StepOptions<2> options{method, viscosity};
  options.pressure.stop.tolerance = 1e-8;
  SemiLagrangian<double, 2> step(grid, options);
  State<double, 2> state(grid);
  set_velocity(grid, state.velocity, vortices);
  double const first = kinetic_energy(grid, state.velocity);
  for (int i = 0; i < n; ++i) EXPECT_TRUE(step.advance(state, 2.0 / n).has_converged());
  auto exact = clone(state.velocity);
  set_velocity(grid, exact, [&](Point<2> const& x) { return std::exp(-2 * viscosity * state.time) * vortices(x); });
  add(exact, -1, state.velocity);
  return {kinetic_energy(grid, state.velocity) / first, norm_max(exact)};
}

}  // namespace

TYPED_TEST(IncompressibleFlow, UniformFlowStaysUniform) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(12, 7, BoundaryKind::wall);
  open_ends(domain, {T(1.5)});
  StaggeredGrid<Dim> const grid(domain);
  for (auto const method : {Advection::linear, Advection::maccormack}) {
    SemiLagrangian<T, Dim> step(grid, {method, 0.1});
    State<T, Dim> state(grid);
    set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>{1.5}; });
    for (double const dt : {0.2, 1.0, 4.0}) {
      step.advance(state, dt);
      for (int axis = 0; axis < Dim; ++axis)
        for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
          ASSERT_NEAR(value, axis == 0 ? 1.5 : 0, precise<T>(1e-6, 1e-14)) << face;
    }
  }
}

TEST(IncompressibleFlows, TaylorGreenVorticesDecayAsTheyShould) {
  double const viscosity = 0.01;
  for (auto const method : {Advection::linear, Advection::maccormack}) {
    auto const coarse = decay(24, method, viscosity), fine = decay(48, method, viscosity);
    double const order = std::log2(coarse.error / fine.error);
    // First order: steps are as long as cells are wide, and projection after advection is of first order in time.
    EXPECT_GT(order, 0.8) << coarse.error << " " << fine.error;
    EXPECT_LT(fine.error, method == Advection::linear ? 0.06 : 0.02);
    double const lost = std::exp(-4 * viscosity * 2) - fine.energy;
    EXPECT_GT(lost, 0);
    EXPECT_LT(lost, method == Advection::linear ? 0.12 : 0.04);
  }
  // Without viscosity all that is lost is lost to errors: far less with the correction.
  double const linear = decay(48, Advection::linear, 0).energy, corrected = decay(48, Advection::maccormack, 0).energy;
  EXPECT_LT(linear, 0.91);
  EXPECT_GT(corrected, 0.95);
  EXPECT_LT(corrected, 1);
}

// Between plates the profile is a parabola, and pressure falls by 8 viscosity u / width^2.
TEST(IncompressibleFlows, PoiseuilleFlowKeepsItsProfile) {
  double errors[2], falls[2];
  for (int i = 0; i < 2; ++i) {
    int const n = 8 << i;
    auto domain = channel<2>(2 * n, n, BoundaryKind::no_slip);
    domain.grid.spacing = Point<2>::filled(1.0 / n);
    open_ends(domain, {1, 0});
    auto const parabola = [](Point<2> const& x) { return 4 * x[1] * (1 - x[1]); };
    domain.parts[0].profile = parabola;
    domain.parts[0].velocity = {};
    StaggeredGrid<2> const grid(domain);
    StepOptions<2> options{Advection::maccormack, 0.1};
    options.pressure.stop.tolerance = 1e-9;
    SemiLagrangian<double, 2> step(grid, options);
    State<double, 2> state(grid);
    while (state.time < 6) step.advance(state, 0.9 * step.longest_step(state, 1));
    errors[i] = 0;
    for (auto const& [face, u] : values_on(state.velocity, 0, grid.faces(0)))
      if (face[0] > n / 2)
        errors[i] = std::max(errors[i], std::abs(u - parabola(middle_of<2>(face, 0, grid.spacing()))));
    auto const p = value_map(state.pressure);
    falls[i] = (p.at({n, n / 2}) - p.at({3 * n / 2, n / 2})) / 0.5;
    EXPECT_NEAR(outward_flux(grid, state.velocity, BoundaryKind::outflow),
                -outward_flux(grid, state.velocity, BoundaryKind::inflow), 1e-7);
  }
  EXPECT_LT(errors[1], 0.01);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.6) << errors[0] << " " << errors[1];
  EXPECT_NEAR(falls[1], 0.8, 0.02);
  EXPECT_LT(std::abs(falls[1] - 0.8), 0.5 * std::abs(falls[0] - 0.8));
}

// A mirrored domain with a mirrored start stays mirrored, along each axis.
TYPED_TEST(IncompressibleFlow, KeepsMirrorSymmetry) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  // (Correction keeps values within those around the place they came from. Where nothing moves along an axis, which
  // values these are depends on the sign of rounding errors.)
  expect_mirror_symmetry<T, Dim>(BoundaryKind::wall, precise<T>(1e-4, 1e-6),
                                 [](StaggeredGrid<Dim> const& grid, State<T, Dim>& state) {
                                   SemiLagrangian<T, Dim> step(grid, {Advection::linear, 0.02});
                                   for (int i = 0; i < 6; ++i) step.advance(state, 0.5);
                                 });
}

TYPED_TEST(IncompressibleFlow, StepsAllocateNothingOnceWarmAndLabelTheirKernels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  StepOptions<Dim> options{Advection::maccormack, 0.01};
  options.buoyancy.push_back({0, Point<Dim>::filled(0.3)});
  SemiLagrangian<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"heat"});
  sparse::fill(state.carried[0], 1);
  for (int i = 0; i < 3; ++i) step.advance(state, 0.1);
  auto const in_use = grid.context().arena()->bytes_in_use();
  KokkosWatch const watch;
  for (int i = 0; i < 5; ++i) step.advance(state, std::min(0.1, step.longest_step(state, 1)));
  vorticity(grid, state.velocity);
  cell_velocity(grid, state.velocity);
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_EQ(grid.context().arena()->bytes_in_use(), in_use);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
  EXPECT_EQ(state.step_count, 8);
  auto const& seconds = step.seconds();
  EXPECT_GT(seconds.advection, 0);
  EXPECT_GT(seconds.pressure, 0);
}

TYPED_TEST(IncompressibleFlow, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  SemiLagrangian<T, Dim> step(grid);
  State<T, Dim> state(grid);
  for (double const wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(is_refused([&] { step.advance(state, wrong); }, "time step"));
    EXPECT_TRUE(is_refused([&] { step.longest_step(state, wrong == HUGE_VAL ? -HUGE_VAL : wrong); }, "cells per step"));
  }
  EXPECT_EQ(state.step_count, 0);
  EXPECT_TRUE(is_refused([&] { SemiLagrangian<T, Dim>(grid, {Advection::linear, -1}); }, "viscosity"));
  StepOptions<Dim> options;
  options.buoyancy.push_back({0, {}});
  SemiLagrangian<T, Dim> buoyant(grid, options);
  EXPECT_TRUE(is_refused([&] { buoyant.advance(state, 1); }, "does not have"));
  State<T, Dim> other(StaggeredGrid<Dim>(random_domain<Dim>(2)));
  EXPECT_TRUE(is_refused([&] { step.advance(other, 1); }, "velocity"));
  set_where(state.velocity, 0, grid.open_faces(0), [](auto const&) { return std::nan(""); });
  EXPECT_THROW(step.advance(state, 0.1), std::runtime_error);
}
