/// Ranks that share a fluid step it, bit by bit, as one process does.

#include <cmath>
#include <cstring>
#include <string>

#include <sparse/fields/transfer.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/refused.hpp>

#include "team_of_test.hpp"

namespace {

using namespace reference;
using namespace sparse::incompressible;
using sparse::BoundaryKind;
using sparse::FaceSide;
using sparse::Field;
using sparse::IntervalSet;
using sparse::distributed::Curve;

template <class TheCase>
class SmacOnRanks : public testing::Test {};
TYPED_TEST_SUITE(SmacOnRanks, RealCases);

constexpr double pi = 3.14159265358979;

/// A flow with ink (carried field 0) and warmth (1).
template <int Dim>
struct Flow {
  std::string name;
  FlowDomain<Dim> domain;
  IntervalSet<Dim> solid;
  SmacOptions<Dim> options = {};
};

template <int Dim>
Cell<Dim> size_of_box(bool is_large) {
  Cell<Dim> size;
  for (int axis = 0; axis < Dim; ++axis)
    size[axis] = Dim == 2 ? (is_large ? 240 - 64 * axis : 64 - 12 * axis) : (is_large ? 40 - 4 * axis : 24 - 3 * axis);
  return size;
}

template <int Dim>
Flow<Dim> flow_in(std::string const& name, Cell<Dim> const& size, IntervalSet<Dim> const& solid) {
  Flow<Dim> flow{name, {}, solid};
  flow.domain.fluid = sparse::box<Dim>({}, size) - solid;
  flow.domain.grid.spacing = Vec<double, Dim>::filled(1.0 / size[1]);
  flow.domain.grid.origin[0] = -0.25;
  flow.options.viscosity = 2e-3;
  flow.options.transported = {{1, 3e-3, {}}};
  flow.options.buoyancy = {{1, Vec<double, Dim>::along(1, 0.7)}};
  return flow;
}

template <int Dim>
IntervalSet<Dim> block_in(Cell<Dim> const& size) {
  Cell<Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = 2 * size[axis] / 5;
    end[axis] = begin[axis] + size[1] / 6;
  }
  return sparse::box<Dim>(begin, end);
}

/// In on the left, out on the right, past a block that is warm.
template <int Dim>
Flow<Dim> channel(bool is_large) {
  auto const size = size_of_box<Dim>(is_large);
  auto flow = flow_in<Dim>("a channel with a block", size, block_in(size));
  auto& domain = flow.domain;
  domain.parts.push_back(
      {BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), Vec<double, Dim>::along(0, 1)});
  domain.parts.back().temperature = 0.2;
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  domain.parts.push_back({BoundaryKind::no_slip, faces_between(domain.fluid, flow.solid)});
  domain.parts.back().temperature = 1;
  return flow;
}

/// Periodic along all axes, but for a block. The lowest cell is not 0.
template <int Dim>
Flow<Dim> periodic() {
  auto const size = size_of_box<Dim>(false);
  auto flow = flow_in<Dim>("a periodic box", size, block_in(size));
  auto const away = Vec<Coord, Dim>::filled(-7);
  flow.domain.fluid = shift(flow.domain.fluid, away);
  flow.solid = shift(flow.solid, away);
  flow.domain.period = size;
  flow.options.transported[0].sources = {{flow.domain.fluid & sparse::box<Dim>(away, {}), 0.5}};
  return flow;
}

/// Without walls, and so small that the windows of some ranks are all of it, where others have no cells of their own.
template <int Dim>
Flow<Dim> small_and_periodic() {
  auto const size = Cell<Dim>::filled(Dim == 2 ? 20 : 12);
  auto flow = flow_in<Dim>("a small periodic box", size, {});
  flow.domain.period = size;
  return flow;
}

/// A box with a lid that moves and a floor that heats.
template <int Dim>
Flow<Dim> cavity() {
  auto flow = flow_in<Dim>("a cavity", size_of_box<Dim>(false), {});
  auto& domain = flow.domain;
  domain.parts.push_back(
      {BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), Vec<double, Dim>::along(0, 1)});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::lower)});
  domain.parts.back().heat_flux = 0.05;
  domain.others = BoundaryKind::wall;
  return flow;
}

/// The channel, with a warm ball that cuts cells.
template <int Dim>
Flow<Dim> around_a_ball() {
  auto flow = channel<Dim>(false);
  auto& domain = flow.domain;
  auto const size = size_of_box<Dim>(false);
  domain.parts.pop_back();
  domain.distance = [size](Vec<double, Dim> const& x) {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis)
      square += std::pow(x[axis] + (axis == 0 ? 0.25 : 0) - 0.47 * size[axis] / size[1], 2);
    return std::sqrt(square) - 0.13;
  };
  domain.wall_heat = [](Vec<double, Dim> const&) { return WallHeat{1, {}}; };
  auto const all = sparse::box<Dim>({}, size);
  domain.fluid = open_cells(all, domain.grid, domain.distance);
  domain.parts.clear();
  domain.parts.push_back(
      {BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), Vec<double, Dim>::along(0, 1)});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  flow.solid = all - domain.fluid;
  flow.name = "a channel with a ball";
  return flow;
}

/// The whole of a flow, or a rank's part.
template <class T, int Dim>
struct Part {
  StaggeredGrid<Dim> grid;
  Smac<T, Dim> method;
  State<T, Dim> state;
  BodyForces<Dim> forces;

  Part(Flow<Dim> const& flow, FlowDomain<Dim> const& domain)
      : grid(domain), method(grid, flow.options), state(grid, {"ink", "warmth"}), forces(grid, flow.solid) {
    auto const wave = [](double x, double phase) { return std::sin(2 * pi * x + phase); };
    set_velocity(grid, state, [&](Vec<double, Dim> const& x) {
      Vec<double, Dim> u;
      for (int axis = 0; axis < Dim; ++axis)
        u[axis] = (axis == 0 ? 0.6 : 0) + 0.4 * wave(x[(axis + 1) % Dim], 1 + axis) * wave(2 * x[axis], axis);
      return u;
    });
    set_cells(grid, state.carried[0], [&](Vec<double, Dim> const& x) { return wave(x[0], 0) * wave(x[1], 2) > 0; });
    set_cells(grid, state.carried[1], [&](Vec<double, Dim> const& x) { return 0.5 + 0.4 * wave(3 * x[1], x[0]); });
  }
  double step() {
    double const dt = method.longest_step(state, 0.4);
    method.advance(state, dt);
    return dt;
  }
  std::vector<double> measures() const {
    auto const divergence = divergence_of(grid, state.velocity);
    std::vector<double> all = {kinetic_energy(grid, state.velocity),
                               total(grid, state.carried[0]),
                               total(grid, state.carried[1]),
                               outward_flux(grid, state.velocity, BoundaryKind::inflow),
                               outward_flux(grid, state.velocity, BoundaryKind::outflow),
                               divergence.greatest,
                               divergence.root_mean_square};
    auto const force = forces(state.velocity, state.pressure, method.options().viscosity);
    for (auto const* part : {&force.pressure, &force.viscous, &force.carried})
      for (int axis = 0; axis < Dim; ++axis) all.push_back((*part)[axis]);
    return all;
  }
};

template <class T, int Dim>
bool are_same(Field<T, Dim> const& a, Field<T, Dim> const& b) {
  if (!(a.domain() == b.domain())) return false;
  for (int c = 0; c < a.component_count(); ++c) {
    auto const x = to_host(a, c), y = to_host(b, c);
    if (!x.empty() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) != 0) return false;
  }
  return true;
}

/// All values that a rank has are those of the whole, beside its own cells, too.
template <class T, int Dim>
void expect_part(Part<T, Dim> const& part, Part<T, Dim> const& all, std::string const& where) {
  auto const& grid = part.grid;
  ASSERT_TRUE(are_same(part.state.velocity, remap(all.state.velocity, grid.storage()))) << where << ": velocity";
  ASSERT_TRUE(are_same(part.state.pressure, remap(all.state.pressure, grid.fluid()))) << where << ": pressure";
  for (std::size_t i = 0; i < all.state.carried.size(); ++i)
    ASSERT_TRUE(are_same(remap(part.state.carried[i], grid.fluid()), remap(all.state.carried[i], grid.fluid())))
        << where << ": " << all.state.carried[i].name();
}

template <int Dim>
FlowDomain<Dim> shared(FlowDomain<Dim> domain, sparse::distributed::Team* team, Curve curve = Curve::hilbert) {
  domain.team = team;
  domain.has_exact_sums = true;
  domain.partition.curve = curve;
  return domain;
}

/// A few steps of the ranks beside those of one process.
template <class T, int Dim>
void check(Flow<Dim> const& flow, int steps, std::vector<Curve> const& curves) {
  auto const alone = sparse::distributed::alone();
  for (Curve const curve : curves) {
    Part<T, Dim> one(flow, shared(flow.domain, alone.get())), part(flow, shared(flow.domain, &team_of_test(), curve));
    ASSERT_EQ(one.method.project(one.state).iterations, part.method.project(part.state).iterations) << flow.name;
    expect_part(part, one, flow.name + ", start");
    for (int step = 0; step < steps; ++step) {
      double const dt = one.step();
      ASSERT_EQ(part.step(), dt) << flow.name << ", step " << step;
      expect_part(part, one, flow.name + ", step " + std::to_string(step));
      ASSERT_EQ(part.method.greatest_change(part.state), one.method.greatest_change(one.state)) << flow.name;
    }
    auto const found = part.measures(), expected = one.measures();
    double const rounding = std::is_same_v<T, float> ? 1e-6 : 1e-12;  // sums of divergence are those of its type
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], rounding * (1 + std::abs(expected[i]))) << flow.name << ", measure " << i;
    auto const velocity = part.grid.gather(part.state.velocity);
    auto const pressure = part.grid.gather(part.state.pressure);
    ASSERT_EQ(velocity.cell_count(), team_of_test().rank() == 0 ? one.grid.storage().cell_count() : 0);
    if (team_of_test().rank() > 0) continue;
    ASSERT_TRUE(are_same(velocity, one.state.velocity)) << flow.name;
    ASSERT_TRUE(are_same(pressure, one.state.pressure)) << flow.name;
  }
}

}  // namespace

TYPED_TEST(SmacOnRanks, HasTheStepsOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  for (auto const& flow : {channel<Dim>(false), periodic<Dim>(), cavity<Dim>(), around_a_ball<Dim>()}) {
    check<T, Dim>(flow, Dim == 2 ? 4 : 2, {Curve::hilbert});
    if (Dim == 2) check<T, Dim>(flow, 2, {Curve::scattered});  // windows are nearly all of the box
  }
  check<T, Dim>(small_and_periodic<Dim>(), 2, {Curve::hilbert});
}

// So large that ranks share levels of the pressure, too.
TYPED_TEST(SmacOnRanks, SharesThePressure) {
  constexpr int Dim = TypeParam::value;
  check<typename TypeParam::T, Dim>(channel<Dim>(true), 2, {Curve::hilbert});
}

TYPED_TEST(SmacOnRanks, HasThoseOfThePaper) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  for (auto flow : {channel<Dim>(false), periodic<Dim>(), around_a_ball<Dim>()}) {
    flow.options.integrator = Integrator::paper;
    flow.options.ink = InkMethod::traced;
    flow.name += ", the paper's step";
    check<T, Dim>(flow, 2, {Curve::hilbert});
  }
}

// Far from what one process does without ranks, but for rounding, it cannot be.
TYPED_TEST(SmacOnRanks, IsNearThatWithoutRanks) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto flow = channel<Dim>(false);
  flow.options.pressure.stop.tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-9;
  Part<T, Dim> one(flow, flow.domain);
  auto domain = flow.domain;
  domain.team = &team_of_test();
  Part<T, Dim> part(flow, domain);
  one.method.project(one.state);
  part.method.project(part.state);
  for (int step = 0; step < 3; ++step) {
    one.step();
    part.step();
  }
  auto difference = remap(one.state.velocity, part.grid.storage());
  sparse::add(difference, T(-1), part.state.velocity);
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    for (T const value : to_host(difference, axis)) greatest = std::max(greatest, std::abs(static_cast<double>(value)));
  double const rounding = std::is_same_v<T, float> ? 1e-4 : 1e-7;
  EXPECT_LE(greatest, rounding);
}

// What one process has left goes on with any number of ranks.
TYPED_TEST(SmacOnRanks, GoesOnWithWhatAnotherNumberOfRanksHasLeft) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto const flow = channel<Dim>(false);
  auto const alone = sparse::distributed::alone();
  Part<T, Dim> one(flow, shared(flow.domain, alone.get())), part(flow, shared(flow.domain, &team_of_test()));
  one.method.project(one.state);
  for (int step = 0; step < 4; ++step) one.step();
  auto const& grid = part.grid;
  part.state.velocity = remap(one.state.velocity, grid.storage());
  part.state.pressure = remap(one.state.pressure, grid.fluid());
  for (std::size_t i = 0; i < 2; ++i) part.state.carried[i] = remap(one.state.carried[i], grid.storage());
  part.state.time = one.state.time;
  part.state.step_count = one.state.step_count;
  auto memory = one.method.memory();
  for (auto& [name, field] : memory.fields)
    field = remap(field, field.domain() == one.grid.storage() ? grid.storage() : grid.fluid());
  part.method.restore(memory);
  for (int step = 0; step < 2; ++step) {
    one.step();
    part.step();
    expect_part(part, one, "step " + std::to_string(step));
  }
}

// The cell is in one rank's part, but all ranks say which it is.
TYPED_TEST(SmacOnRanks, TellsOnAllRanksWhereAValueIsNotFinite) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto const flow = cavity<Dim>();
  Part<T, Dim> part(flow, shared(flow.domain, &team_of_test()));
  part.method.project(part.state);
  set_cells(part.grid, part.state.carried[0], [&](Vec<double, Dim> const& x) {
    bool const is_it = flow.domain.grid.cell_of(x) == Cell<Dim>::filled(9);
    return is_it ? std::nan("") : 1;
  });
  std::string text = "nothing";
  try {
    part.step();
  } catch (std::runtime_error const& error) {
    text = error.what();
  }
  EXPECT_NE(text.find("'ink' is nan at cell (9, 9"), std::string::npos) << text;
}

TEST(SmacOnRanksRefuses, WhatNeedsTheCellsOfAllRanks) {
  auto const flow = channel<2>(false);
  StaggeredGrid<2> const grid(shared(flow.domain, &team_of_test()));
  State<double, 2> const state(grid, {"ink", "warmth"});
  EXPECT_TRUE(is_refused([&] { SemiLagrangian<double, 2>{grid}; }, "Smac alone runs on ranks"));
  EXPECT_TRUE(is_refused([&] { LeapfrogFlowMap<double, 2>{grid}; }, "Smac alone runs on ranks"));
  EXPECT_TRUE(is_refused([&] { mean_nusselt(grid, state.carried[1], 2, 1, 1); }, "gather the fields first"));
  EXPECT_TRUE(is_refused([&] { sample_cells(grid, state.carried[1], {{0.1, 0.1}}); }, "gather the fields first"));
  auto options = flow.options;
  options.pressure.method = sparse::poisson::Jacobi{};
  EXPECT_TRUE(is_refused([&] { Smac<double, 2>(grid, options); }, "ranks cannot share a problem"));
  auto const alone = sparse::distributed::alone();
  options = flow.options;
  options.ink = InkMethod::traced;
  StaggeredGrid<2> const of_one(shared(flow.domain, alone.get()));
  Smac<double, 2> method(of_one, options);
  State<double, 2> fast(of_one, {"ink", "warmth"});
  EXPECT_TRUE(is_refused([&] { method.advance(fast, 1); }, "cannot come from so far away"));
}
