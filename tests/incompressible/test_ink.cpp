/// Ink carried by fluxes: bounds, totals, and all that flows in and out.

#include <algorithm>
#include <numbers>

#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <step/ink_transport.hpp>
#include <step/projection.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

using std::numbers::pi;

template <class TheCase>
class IncompressibleInk : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleInk, RealCases);

/// A velocity without divergence.
template <class T, int Dim>
void set_projected_velocity(StaggeredGrid<Dim> const& grid, State<T, Dim>& state, unsigned seed) {
  set_random_velocity(grid, state.velocity, seed);
  grid.set_boundary(state.velocity);
  Projection<T, Dim> projection(grid, {sparse::poisson::MultigridCg{}, {precise<T>(1e-6, 1e-13), 200}});
  for (int i = 0; i < 2; ++i) {
    projection.project(state.velocity, state.pressure, 1);
    sparse::fill(state.pressure, 0);
  }
}

template <class T, int Dim>
std::pair<double, double> range_of(StaggeredGrid<Dim> const& grid, sparse::Field<T, Dim> const& values) {
  std::pair<double, double> range{HUGE_VAL, -HUGE_VAL};
  for (auto const& [cell, value] : values_on(values, 0, grid.fluid()))
    range = {std::min(range.first, value), std::max(range.second, value)};
  return range;
}

template <int Dim>
SignedDistance<Dim> outside_ball(Point<Dim> const& center, double radius) {
  return [=](Point<Dim> const& x) {
    double square = 0;
    for (int b = 0; b < Dim; ++b) square += (x[b] - center[b]) * (x[b] - center[b]);
    return std::sqrt(square) - radius;
  };
}

/// Rooms of all shapes without an outflow: of scattered cells, periodic, or with a ball that cuts cells.
template <int Dim>
FlowDomain<Dim> closed_room(unsigned seed) {
  FlowDomain<Dim> domain;
  if (seed % 2 == 0) {
    domain = random_domain<Dim>(seed);
    domain.parts.clear();
    if (seed % 4 == 0) {
      auto const bounds = domain.fluid.bounds();
      domain.period = bounds.end - bounds.begin;
    }
    return domain;
  }
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(4.5, 5.5);
  Point<Dim> center;
  for (int b = 0; b < Dim; ++b) center[b] = uniform(engine);
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(10));
  if (seed % 4 == 1) domain.period = Cell<Dim>::filled(10);
  domain.distance = outside_ball<Dim>(center, 2.7);
  domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance, domain.period);
  return domain;
}

}  // namespace

// Nothing is lost, nothing is overshot, constants stay; also beside curved walls, across seams, and in long steps.
TYPED_TEST(IncompressibleInk, KeepsTotalsAndBounds) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    StaggeredGrid<Dim> const grid(closed_room<Dim>(seed));
    State<T, Dim> state(grid, {"ink", "constant"});
    set_projected_velocity(grid, state, seed);
    auto engine = random_engine(seed);
    set_cells(grid, state.carried[0], [&](auto const&) { return random_int(engine, 2, 5); });
    set_cells(grid, state.carried[1], [](auto const&) { return 3; });
    auto const start = clone(state.carried[0]);
    double const before = total(grid, state.carried[0]), divergence = divergence_of(grid, state.velocity).greatest;
    InkTransport<T, Dim> transport(grid);
    auto next = clone(state.carried[0]);
    double time = 0;
    for (int i = 0; i < 10; ++i) {
      double const dt = (i % 3 == 0 ? 3 : 0.7) * grid.spacing()[0] / norm_max(state.velocity);
      time += dt;
      for (auto& ink : state.carried) {
        transport(ink, state.velocity, state.velocity, dt, next);
        std::swap(ink, next);
      }
    }
    EXPECT_NEAR(total(grid, state.carried[0]), before, precise<T>(1e-5, 1e-13) * before);
    // A cut cell can have a thousandth of a volume, but its group has half of one.
    double const left = 5 * std::expm1(2 * time * divergence) + precise<T>(1e-5, 1e-13);
    auto const ink = range_of(grid, state.carried[0]), constant = range_of(grid, state.carried[1]);
    EXPECT_LT(left, precise<T>(0.1, 1e-6));
    EXPECT_GE(ink.first, 2 - left);
    EXPECT_LE(ink.second, 5 + left);
    EXPECT_NEAR(constant.first, 3, left);
    EXPECT_NEAR(constant.second, 3, left);
    EXPECT_GT(greatest_difference(state.carried[0], start), 0.1);
  }
}

// Inks that are carried together are those that are carried one by one. Only the compiler may round otherwise.
TYPED_TEST(IncompressibleInk, SeveralAtOnceAreAsOneByOne) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed : {1u, 2u, 5u, 8u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    StaggeredGrid<Dim> const grid(closed_room<Dim>(seed));
    State<T, Dim> state(grid, {"a", "b", "c", "d", "e"}), after(grid);
    set_projected_velocity(grid, state, seed);
    set_projected_velocity(grid, after, seed + 1);
    auto engine = random_engine(seed);
    std::vector<sparse::Field<T, Dim>> together, alone;
    std::vector<typename InkTransport<T, Dim>::Ink> inks;
    for (auto& ink : state.carried) {
      set_cells(grid, ink, [&](auto const&) { return random_int(engine, -3, 3); });
      together.push_back(clone(ink));
      alone.push_back(clone(ink));
    }
    for (std::size_t k = 0; k < state.carried.size(); ++k) inks.push_back({state.carried[k], together[k]});
    double const dt = 2.2 * grid.spacing()[0] / norm_max(state.velocity);
    InkTransport<T, Dim> transport(grid), other(grid);
    int const stages = transport(inks, state.velocity, after.velocity, dt);
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(other(state.carried[k], state.velocity, after.velocity, dt, alone[k]), stages);
      EXPECT_LT(greatest_difference(together[k], alone[k]), precise<T>(1e-5, 1e-13)) << k;
      EXPECT_GT(greatest_difference(together[k], state.carried[k]), 0.1) << k;
    }
    EXPECT_GT(greatest_difference(together[0], together[1]), 0.1);
  }
}

// A channel around a ball, of cells or curved: what comes in is there until it reaches the end, then it goes out.
TYPED_TEST(IncompressibleInk, ComesInAndGoesOut) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (bool const is_curved : {false, true}) {
    auto domain = channel<Dim>(24, 10, BoundaryKind::wall);
    auto center = Point<Dim>::filled(5.2);
    center[0] = 9.3;
    if (is_curved) {
      domain.distance = outside_ball<Dim>(center, 2.3);
      domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance);
    } else {
      domain.fluid = domain.fluid - sparse::ball<Dim>(center, 2.3);
    }
    open_ends<Dim>(domain, {1});
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid, {"ink"});
    set_projected_velocity(grid, state, 5);
    set_velocity(grid, state, [](auto const&) { return Point<Dim>{1}; });
    Projection<T, Dim> projection(grid, {sparse::poisson::MultigridCg{}, {precise<T>(1e-6, 1e-13), 200}});
    projection.project(state.velocity, state.pressure, 1);
    auto& ink = state.carried[0];
    set_cells(grid, ink, [](Point<Dim> const& x) { return x[0] < 1 ? 1 : 0; });
    InkTransport<T, Dim> transport(grid);
    auto next = clone(ink);
    double const area = std::pow(10.0, Dim - 1), dt = 0.4, all = total(grid, ink);
    double before = all;
    for (int i = 0; i < 200; ++i) {
      transport(ink, state.velocity, state.velocity, dt, next);
      std::swap(ink, next);
      double const now = total(grid, ink);
      double greatest = 0;  // of ink at the end
      for (auto const& [cell, value] : values_on(ink, 0, grid.fluid()))
        if (cell[0] == 23) greatest = std::max(greatest, value);
      if (i < 20) {
        ASSERT_EQ(greatest, 0) << i;
        EXPECT_NEAR(now - before, area * dt, precise<T>(2e-3, 1e-10)) << is_curved << i;
      }
      EXPECT_LT(now - before, area * dt + precise<T>(2e-3, 1e-10)) << is_curved << i;
      before = now;
    }
    State<T, Dim> full(grid, {"ink"});
    sparse::fill(full.carried[0], 1);
    EXPECT_NEAR(before, total(grid, full.carried[0]), precise<T>(1e-2, 2e-3) * before);
    if (is_curved) {
      double const ball = Dim == 2 ? pi * 2.3 * 2.3 : 4 * pi / 3 * std::pow(2.3, 3);
      // Chords, of up to a cell, cut this part off from each circle. Small cells count for more than their volume:
      // along the wall that is like 0.03 cell widths.
      double const cut_off = (Dim - 1) / (6 * 2.3 * 2.3) + 0.01, more = 0.03 * Dim * ball / 2.3;
      EXPECT_NEAR(total(grid, full.carried[0]), 24 * area - ball, cut_off * ball + more);
    }
  }
}

// The number of stages is what the bounds need, and small cells at curved walls do not need many.
TYPED_TEST(IncompressibleInk, LongStepsTakeMoreStages) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(8));
  domain.period = Cell<Dim>::filled(8);
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"ink"});
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>::filled(1.0 / Dim); });
  InkTransport<T, Dim> transport(grid);
  auto next = clone(state.carried[0]);
  EXPECT_EQ(transport(state.carried[0], state.velocity, state.velocity, 0, next), 2);
  EXPECT_EQ(transport(state.carried[0], state.velocity, state.velocity, 0.5, next), 2);
  EXPECT_EQ(transport(state.carried[0], state.velocity, state.velocity, 0.7, next), 3);
  EXPECT_EQ(transport(state.carried[0], state.velocity, state.velocity, 4.9, next), 11);
  for (unsigned seed = 1; seed < 16; seed += 2) {
    StaggeredGrid<Dim> const cut(closed_room<Dim>(seed));
    State<T, Dim> other(cut, {"ink"});
    set_projected_velocity(cut, other, seed);
    auto result = clone(other.carried[0]);
    InkTransport<T, Dim> beside(cut);
    double const dt = 0.5 / norm_max(other.velocity);
    EXPECT_LE(beside(other.carried[0], other.velocity, other.velocity, dt, result), 2 + 4 * Dim) << "seed " << seed;
  }
}

TYPED_TEST(IncompressibleInk, AllMethodsKeepIt) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const check = [](auto&& method, double size, std::string const& name) {
    auto const& grid = method.grid();
    State<T, Dim> state(grid, {"ink"});
    set_random_velocity(grid, state.velocity, 3);
    method.project(state);
    set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return x[0] < 5 ? 1 : 0; });
    auto const start = clone(state.carried[0]);
    double const before = total(grid, start);
    for (int i = 0; i < 5; ++i) method.advance(state, std::min(method.longest_step(state, size), 10.0));
    EXPECT_NEAR(total(grid, state.carried[0]), before, precise<T>(1e-5, 1e-13) * before) << name;
    auto const range = range_of(grid, state.carried[0]);
    EXPECT_GE(range.first, -precise<T>(1e-3, 1e-6)) << name;
    EXPECT_LE(range.second, 1 + precise<T>(1e-3, 1e-6)) << name;
    EXPECT_GT(greatest_difference(state.carried[0], start), 0.1) << name << " carries it";
  };
  auto domain = channel<Dim>(12, 8, BoundaryKind::wall);
  domain.fluid = domain.fluid - sparse::ball<Dim>(Point<Dim>::filled(4), 1.6);
  StaggeredGrid<Dim> const grid(domain);
  sparse::poisson::SolverOptions const solver{sparse::poisson::MultigridCg{}, {precise<T>(1e-5, 1e-10), 200}};
  for (auto const integrator : {Integrator::runge_kutta, Integrator::paper}) {
    SmacOptions<Dim> options;
    options.integrator = integrator;
    options.pressure = solver;
    check(Smac<T, Dim>(grid, options), 0.4, "smac");
  }
  StepOptions<Dim> steps;
  steps.pressure = solver;
  check(SemiLagrangian<T, Dim>(grid, steps), 2, "semi-Lagrangian");
  FlowMapOptions<Dim> maps;
  maps.pressure = solver;
  check(LeapfrogFlowMap<T, Dim>(grid, maps), 1, "flow map");
}

// Another object, with what the first one remembers, goes on bit by bit.
TYPED_TEST(IncompressibleInk, GoesOnBitByBit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(16, 8, BoundaryKind::no_slip);
  auto center = Point<Dim>::filled(4.2);
  domain.distance = outside_ball<Dim>(center, 1.7);
  domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance);
  open_ends<Dim>(domain, {1});
  StaggeredGrid<Dim> const grid(domain);
  SmacOptions<Dim> options;
  options.viscosity = 0.05;
  for (int first : {0, 1, 3}) {
    Smac<T, Dim> method(grid, options), other(grid, options);
    State<T, Dim> state(grid, {"ink"}), copy(grid, {"ink"});
    set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return std::cos(x[0]); });
    method.project(state);
    for (int i = 0; i < first; ++i) method.advance(state, 0.1);
    other.restore(method.memory());
    copy.velocity = clone(state.velocity);
    copy.pressure = clone(state.pressure);
    copy.carried[0] = clone(state.carried[0]);
    for (int i = 0; i < 3; ++i) {
      method.advance(state, 0.1);
      other.advance(copy, 0.1);
    }
    auto const ink = values_on(state.carried[0], 0, grid.fluid());
    EXPECT_EQ(ink, values_on(copy.carried[0], 0, grid.fluid())) << first;
    EXPECT_GT(ink.begin()->second, -1);
  }
}

TYPED_TEST(IncompressibleInk, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(unit_box<Dim>(4));
  State<T, Dim> state(grid, {"ink"});
  InkTransport<T, Dim> transport(grid);
  auto& ink = state.carried[0];
  auto next = clone(ink);
  auto const& u = state.velocity;
  EXPECT_TRUE(is_refused([&] { transport(u, u, u, 1, next); }, "ink"));
  EXPECT_TRUE(is_refused([&] { transport(ink, ink, u, 1, next); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { transport(ink, u, next, 1, next); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { transport(ink, u, u, 1, ink); }, "another field"));
  for (double const wrong : {-1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(is_refused([&] { transport(ink, u, u, wrong, next); }, "time step"));
  sparse::fill(state.velocity, 1e6);
  EXPECT_THROW(transport(ink, u, u, 1, next), std::runtime_error);
}
