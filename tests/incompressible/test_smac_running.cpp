/// SMAC steps: their lengths, shares and changes, how they run, and what is refused.

#include <sparse/incompressible/step/time_step.hpp>
#include <support/smac.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSmacRunning : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmacRunning, RealCases);

}  // namespace

template <class T, int Dim>
void expect_steps_as_long_as_said(Integrator integrator) {
  bool const is_paper = integrator == Integrator::paper;
  // Half of the longest step crosses 0.7 cells, all axes taken together.
  double const way = is_paper ? 1 : 1.4, diffusion = is_paper ? 1 : 1.5;
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(6));
  double inverse_squares = 0;
  for (int b = 0; b < Dim; ++b) {
    domain.grid.spacing[b] = 0.25 * (b + 1);
    inverse_squares += 1 / (domain.grid.spacing[b] * domain.grid.spacing[b]);
  }
  auto lid = Point<Dim>{-2.0};
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), lid});
  domain.parts.push_back({BoundaryKind::wall, side_faces(domain.fluid, 1, FaceSide::lower), {100}});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"temperature"});
  SmacOptions<Dim> options;
  options.integrator = integrator;
  auto const longest = [&](double safety) { return Smac<T, Dim>(grid, options).longest_step(state, safety); };
  EXPECT_NEAR(longest(1), way * 0.25 / 2, 1e-6);  // the lid's speed
  EXPECT_NEAR(longest(0.5), way * 0.25 / 4, 1e-6);
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>{0.0, -8.0}; });
  EXPECT_NEAR(longest(1), way * 0.5 / 8, 1e-6);
  options.viscosity = 1;
  EXPECT_NEAR(longest(1), diffusion * 0.5 / inverse_squares, 1e-6);
  options.viscosity = 0.01;
  options.transported = {{0, 2}};
  EXPECT_NEAR(longest(1), diffusion * 0.25 / inverse_squares, 1e-6);
  // From rest, with a force: 0.25 = a t^2
  domain.parts.clear();
  StaggeredGrid<Dim> const still(domain);
  State<T, Dim> rest(still, {"temperature"});
  sparse::fill(rest.carried[0], 2);
  SmacOptions<Dim> forced;
  forced.integrator = integrator;
  EXPECT_EQ((Smac<T, Dim>(still, forced).longest_step(rest, 1)), HUGE_VAL);
  forced.acceleration = Point<Dim>{-3.0};
  forced.buoyancy = {{0, Point<Dim>{0.5}}};
  EXPECT_NEAR((Smac<T, Dim>(still, forced).longest_step(rest, 1)), std::sqrt(way * 0.25 / 4), 1e-6);
}
TYPED_TEST(IncompressibleSmacRunning, StepsAreAsLongAsSaid) {
  expect_steps_as_long_as_said<typename TypeParam::T, TypeParam::value>(Integrator::runge_kutta);
}
TYPED_TEST(IncompressibleSmacRunning, StepsOfThePaperAreAsLongAsSaid) {
  expect_steps_as_long_as_said<typename TypeParam::T, TypeParam::value>(Integrator::paper);
}
// Askew, both axes count.
TYPED_TEST(IncompressibleSmacRunning, StepsAreShorterAskew) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  domain.period = Cell<Dim>::filled(4);
  domain.fluid = sparse::box<Dim>({}, domain.period);
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid);
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>::filled(-2); });
  EXPECT_NEAR((Smac<T, Dim>(grid).longest_step(state, 0.5)), 0.7 / (2 * Dim), 1e-6);
}

TYPED_TEST(IncompressibleSmacRunning, TheLeastShareOfTheDonorCellIsTheGreatestCourantNumber) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  auto options = smac_options<T, Dim>(0.01);
  options.integrator = Integrator::paper;
  options.transported = {{0, 0.01}};
  State<T, Dim> a(grid, {"temperature"}), b(grid, {"temperature"});
  Smac<T, Dim> by_itself(grid, options);
  start_at_random(by_itself, a, 5);
  start_at_random(by_itself, b, 5);
  double const dt = by_itself.longest_step(a, 0.4);
  auto const speeds = greatest_speeds(grid, a.velocity);
  double share = 0;
  for (int axis = 0; axis < Dim; ++axis) share = std::max(share, speeds[axis] * dt / grid.spacing()[axis]);
  EXPECT_GT(share, 0.05);
  by_itself.advance(a, dt);
  options.donor_cell = share;
  Smac<T, Dim>(grid, options).advance(b, dt);
  EXPECT_LT(greatest_difference(a.velocity, b.velocity), precise<T>(1e-5, 1e-12));
  EXPECT_LT(greatest_difference(a.carried[0], b.carried[0]), precise<T>(1e-5, 1e-12));
}

TYPED_TEST(IncompressibleSmacRunning, TellsHowMuchChanged) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(2));
  Smac<T, Dim> step(grid, smac_options<T, Dim>(0.01));
  State<T, Dim> state(grid);
  EXPECT_EQ(step.greatest_change(state), HUGE_VAL);
  start_at_random(step, state, 3);
  for (int i = 0; i < 3; ++i) {
    auto const before = clone(state.velocity);
    double const dt = step.longest_step(state, 0.3);
    step.advance(state, dt);
    double greatest = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const was = values_on(before, axis, grid.faces(axis));
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
        greatest = std::max(greatest, std::abs(value - was.at(face)));
    }
    EXPECT_GT(greatest, 0);
    EXPECT_NEAR(step.greatest_change(state), greatest / dt, 1e-6 * greatest / dt);
  }
}

TYPED_TEST(IncompressibleSmacRunning, StepsAllocateNothingOnceWarmAndLabelTheirKernels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = random_domain<Dim>(1);
  domain.parts[0].temperature = 1;
  StaggeredGrid<Dim> const grid(domain);
  SmacOptions<Dim> options;
  options.viscosity = 0.01;
  options.buoyancy.push_back({0, Point<Dim>::filled(0.3)});
  options.transported = {{0, 0.01}};
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"heat", "ink"});
  sparse::fill(state.carried[0], 1);
  for (int i = 0; i < 3; ++i) step.advance(state, 0.1);
  step.greatest_change(state);  // makes a list of faces
  auto const in_use = grid.context().arena()->bytes_in_use();
  KokkosWatch const watch;
  for (int i = 0; i < 5; ++i) step.advance(state, std::min(0.1, step.longest_step(state, 0.4)));
  step.greatest_change(state);
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_EQ(grid.context().arena()->bytes_in_use(), in_use);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
  EXPECT_EQ(state.step_count, 8);
  EXPECT_GT(step.seconds().advection, 0);
  EXPECT_GT(step.seconds().pressure, 0);
}

// A flow that grows beyond all numbers is still there as it was before.
TYPED_TEST(IncompressibleSmacRunning, StepsThatOverflowChangeNoVelocity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  Smac<T, Dim> step(grid);
  State<T, Dim> state(grid);
  auto const cell = *cells_of(grid.open_faces(0)).begin();
  for (double const wrong : {std::nan(""), precise<T>(1e30, 1e200)}) {
    set_where(state.velocity, 0, grid.open_faces(0), [&](Cell<Dim> const& face) { return face == cell ? wrong : 0.5; });
    auto const before = clone(state.velocity);
    EXPECT_THROW(step.advance(state, 0.1), std::runtime_error);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const was = values_on(before, axis, grid.faces(axis));
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
        EXPECT_TRUE(value == was.at(face) || std::isnan(was.at(face))) << face;
    }
  }
  EXPECT_EQ(state.step_count, 0);
}

TYPED_TEST(IncompressibleSmacRunning, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  Smac<T, Dim> step(grid);
  State<T, Dim> state(grid, {"temperature"});
  for (double const wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(is_refused([&] { step.advance(state, wrong); }, "time step"));
    EXPECT_TRUE(is_refused([&] { step.longest_step(state, wrong); }, "safety"));
  }
  EXPECT_EQ(state.step_count, 0);
  auto const refused = [&](auto const& change, char const* part) {
    SmacOptions<Dim> options;
    change(options);
    return is_refused([&] { Smac<T, Dim>(grid, options); }, part);
  };
  for (double const wrong : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(refused([=](auto& o) { o.viscosity = wrong; }, "viscosity"));
    EXPECT_TRUE(refused(
        [=](auto& o) {
          o.integrator = Integrator::paper;
          o.donor_cell = wrong;
        },
        "donor-cell"));
    EXPECT_TRUE(refused([=](auto& o) { o.transported = {{0, wrong}}; }, "diffusivity"));
  }
  EXPECT_TRUE(refused([](auto& o) { o.donor_cell = 0.5; }, "belongs to the paper's step"));
  EXPECT_TRUE(refused([](auto& o) { o.upstream = -0.1; }, "from 0 to 1"));
  EXPECT_TRUE(refused([](auto& o) { o.acceleration[1] = HUGE_VAL; }, "acceleration"));
  EXPECT_TRUE(refused([](auto& o) { o.buoyancy = {{0, Point<Dim>::filled(std::nan(""))}}; }, "acceleration"));
  EXPECT_TRUE(refused([](auto& o) { o.transported = {{0, 0}, {1, 0}, {0, 1}}; }, "twice"));
  EXPECT_TRUE(refused([](auto& o) { o.pressure.stop.tolerance = -1; }, "tolerance"));
  SmacOptions<Dim> options;
  options.transported = {{1, 0}};
  EXPECT_TRUE(is_refused([&] { Smac<T, Dim>(grid, options).advance(state, 1); }, "does not have"));
  options.transported = {};
  options.buoyancy = {{1, {}}};
  EXPECT_TRUE(is_refused([&] { Smac<T, Dim>(grid, options).advance(state, 1); }, "does not have"));
  StaggeredGrid<Dim> const other(random_domain<Dim>(4));
  State<T, Dim> strange(other);
  EXPECT_TRUE(is_refused([&] { step.advance(strange, 1); }, "storage"));
  EXPECT_TRUE(is_refused([&] { step.greatest_change(strange); }, "storage"));
}
