#include <functional>

#include <sparse/amr/measure/control_volume.hpp>
#include <sparse/amr/measure/diagnostics.hpp>
#include <sparse/amr/measure/forces.hpp>
#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/frozen_flow.hpp"

using namespace sparse;
using namespace sparse::amr;
using reference::Cell;

namespace {

template <class TheCase>
class Diagnostics : public testing::Test {
public:
  static constexpr double rounding = std::is_same_v<typename TheCase::T, double> ? 1e-12 : 2e-5;
};
TYPED_TEST_SUITE(Diagnostics, reference::RealCases);

/// Where the tests keep their body: a ball in the middle of the box.
template <int Dim>
BallDistance<Dim> ball_in(DomainOptions<Dim> const& options) {
  BallDistance<Dim> ball{{}, 0};
  for (int axis = 0; axis < Dim; ++axis)
    ball.center[axis] = options.grid.origin[axis] + 0.52 * options.cells[axis] * options.grid.spacing[axis];
  ball.radius = (Dim == 2 ? 0.15 : 0.2) * options.cells[Dim - 1] * options.grid.spacing[Dim - 1];
  return ball;
}
template <int Dim>
constexpr Coord size = Dim == 2 ? 24 : 20;

/// A flow around one ball, with leaves of two levels and more in the box.
template <class T, int Dim>
FrozenFlow<T, Dim> flow_around_ball(bool is_curved, int level_count = 2, BoundaryKind side = BoundaryKind::wall) {
  auto options = frozen::options<Dim>(size<Dim>, level_count, {});
  auto const ball = ball_in(options);
  if (is_curved) {
    options.bodies = {body_from_distance<Dim>("ball", ball)};
  } else {
    Grid<Dim> const finest = options.grid.level(level_count - 1);
    Vec<double, Dim> radii;
    for (int axis = 0; axis < Dim; ++axis) radii[axis] = ball.radius / finest.spacing[axis];
    options.bodies = {body_from_cells<Dim>("ball", ellipsoid<Dim>(finest.to_cells(ball.center), radii))};
  }
  for (int axis = 0; axis < Dim; ++axis) options.sides[axis] = {side, side};
  std::vector<IntervalSet<Dim>> tagged(level_count);
  tagged[0] = box<Dim>(Cell<Dim>::filled(1), Cell<Dim>::filled(4));
  FrozenFlow<T, Dim> flow(Domain<Dim>(options), tagged);
  for (int l = 0; l < std::min(level_count, 2); ++l) EXPECT_FALSE(flow.sets(l).leaves.is_empty());
  return flow;
}

template <class T, int Dim>
frozen::Linear<T, Dim> linear_pressure() {
  frozen::Linear<T, Dim> state{1, 40, {}, {}, {}};
  for (int axis = 0; axis < Dim; ++axis) state.pressure_slope[axis] = 1 - 1.5 * axis;
  return state;
}

template <int Dim>
double volume_of(Domain<Dim> const& domain, int level, IntervalSet<Dim> const& cells) {
  return domain.cell_volume(level) * static_cast<double>(cells.cell_count());
}
/// The middle of the cells.
template <int Dim>
Vec<double, Dim> middle_of(Grid<Dim> const& grid, IntervalSet<Dim> const& cells) {
  Vec<double, Dim> sum{};
  for (auto const& cell : reference::cells_of(cells)) sum += grid.center(cell);
  return (1.0 / static_cast<double>(cells.cell_count())) * sum;
}

template <int Dim>
Vec<double, Dim == 2 ? 1 : 3> cross(Vec<double, Dim> const& r, Vec<double, Dim> const& f) {
  if constexpr (Dim == 2)
    return {r[0] * f[1] - r[1] * f[0]};
  else
    return {r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]};
}

/// Adds up faces the slow way: the leaf's pressure on each of its faces towards `solid` that counts.
template <class T, int Dim>
BodyForce<Dim> slow_force(FrozenFlow<T, Dim> const& flow, std::function<IntervalSet<Dim>(int)> const& solid,
                          std::function<double(Vec<double, Dim> const&)> const& pressure, Vec<double, Dim> const& about,
                          std::function<bool(Vec<double, Dim> const&)> const& where) {
  BodyForce<Dim> result;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const cells = reference::cells_of(solid(l));
    auto const spacing = flow.domain().spacing(l);
    for (auto const& leaf : reference::cells_of(flow.sets(l).leaves))
      for (int axis = 0; axis < Dim; ++axis)
        for (int step : {-1, 1}) {
          if (!cells.contains(leaf + Cell<Dim>::along(axis, step))) continue;
          auto x = flow.domain().grid(l).center(leaf);
          double const p = pressure(x);
          x[axis] += 0.5 * step * spacing[axis];
          if (!where(x)) continue;
          auto const force = Vec<double, Dim>::along(axis, step * p * flow.domain().cell_volume(l) / spacing[axis]);
          result.force += force;
          result.moment += cross(x - about, force);
        }
  }
  return result;
}

/// What a pressure does to the fluid in a box of cells of level 0, face by face of the leaves at its sides.
template <class T, int Dim>
BodyForce<Dim> slow_force_on_box(FrozenFlow<T, Dim> const& flow, Box<Dim> const& box,
                                 std::function<double(Vec<double, Dim> const&)> const& pressure,
                                 Vec<double, Dim> const& about) {
  BodyForce<Dim> result;
  for (int l = 0; l < flow.level_count(); ++l)
    for (auto const& leaf : reference::cells_of(flow.sets(l).leaves)) {
      bool is_inside = true;
      for (int axis = 0; axis < Dim; ++axis)
        is_inside = is_inside && leaf[axis] >= box.begin[axis] << l && leaf[axis] < box.end[axis] << l;
      if (!is_inside) continue;
      for (int axis = 0; axis < Dim; ++axis)
        for (int step : {-1, 1}) {
          if (leaf[axis] != (step < 0 ? box.begin[axis] << l : (box.end[axis] << l) - 1)) continue;
          auto const spacing = flow.domain().spacing(l);
          auto x = flow.domain().grid(l).center(leaf);
          x[axis] += 0.5 * step * spacing[axis];
          auto const force =
              Vec<double, Dim>::along(axis, -step * pressure(x) * flow.domain().cell_volume(l) / spacing[axis]);
          result.force += force;
          result.moment += cross(x - about, force);
        }
    }
  return result;
}

template <int Dim>
void expect_near(BodyForce<Dim> const& found, BodyForce<Dim> const& expected, double rounding) {
  for (int a = 0; a < Dim; ++a) EXPECT_NEAR(found.force[a], expected.force[a], rounding) << "force " << a;
  for (int a = 0; a < (Dim == 2 ? 1 : 3); ++a)
    EXPECT_NEAR(found.moment[a], expected.moment[a], rounding) << "moment " << a;
}

template <int Dim>
struct FrontHalf {
  double middle;
  KOKKOS_FUNCTION bool operator()(Vec<double, Dim> const& x) const { return x[0] < middle; }
};

}  // namespace

// ---- extrema

TYPED_TEST(Diagnostics, FindTheRangeOfLeavesAndWhatCannotBe) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value, component_count = Dim + 2;
  using State = Vec<T, component_count>;
  auto flow = flow_around_ball<T, Dim>(true);
  auto engine = reference::random_engine(3);
  std::uniform_real_distribution<double> number(1, 2);
  flow.fill([&](Vec<double, Dim> const&) {
    State w;
    for (T& value : w.data) value = static_cast<T>(number(engine));
    return w;
  });
  State least = State::filled(100), greatest = State::filled(-100);
  flow.for_each_leaf([&](int, Cell<Dim> const&, State const& u) {
    auto const w = flow.flux().law.primitive(u);
    for (int c = 0; c < component_count; ++c) {
      least[c] = std::min(least[c], w[c]);
      greatest[c] = std::max(greatest[c], w[c]);
    }
  });
  auto const found = extrema(flow);
  for (int c = 0; c < component_count; ++c) {
    EXPECT_NEAR(found.least[c], least[c], 1e-6);
    EXPECT_NEAR(found.greatest[c], greatest[c], 1e-6);
  }
  EXPECT_EQ(found.inadmissible_count, 0);

  auto const leaves = reference::cells_of(flow.sets(1).leaves);
  auto const broken = *std::next(leaves.begin(), static_cast<long>(leaves.size() / 3)), other = *leaves.rbegin();
  auto u = flow.flux().law.conserved(State::filled(T(1.5)));
  u[Dim + 1] = -30;
  flow.set(1, broken, u);
  flow.set(1, other, State::filled(std::numeric_limits<T>::quiet_NaN()));
  flow.set(1, *reference::cells_of(flow.sets(1).curved_ghosts).begin(), u);  // no leaf
  EXPECT_EQ(extrema(flow).inadmissible_count, 2);
  EXPECT_LT(extrema(flow).least[Dim + 1], -1);
  EXPECT_EQ(extrema(flow).greatest[0], found.greatest[0]);
}

// ---- forces on bodies

TYPED_TEST(Diagnostics, UniformPressurePushesNoBody) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (bool is_curved : {true, false}) {
    auto flow = flow_around_ball<T, Dim>(is_curved);
    flow.fill(frozen::Linear<T, Dim>{1, 40, {}, {}, {}});
    expect_near(force_on_body(flow, 0, Vec<double, Dim>::filled(0.3)), BodyForce<Dim>{}, 40 * this->rounding);
  }
}

TYPED_TEST(Diagnostics, LinearPressurePushesCurvedBodiesByTheirVolume) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int level_count = 1; level_count <= 3; ++level_count) {
    auto flow = flow_around_ball<T, Dim>(true, level_count);
    auto const state = linear_pressure<T, Dim>();
    flow.fill(state);
    int const finest = level_count - 1;
    auto const& body = flow.domain().body(finest, 0);
    ASSERT_GT(body.cell_count(), 10);
    BodyForce<Dim> expected;
    auto const about = Vec<double, Dim>::filled(0.3);
    expected.force = -volume_of(flow.domain(), finest, body) * state.pressure_slope;
    expected.moment = cross(middle_of(flow.domain().grid(finest), body) - about, expected.force);
    expect_near(force_on_body(flow, 0, about), expected, 40 * this->rounding);
  }
}

TYPED_TEST(Diagnostics, WallsOfFacesFeelThePressureOfTheCellsBeforeThem) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto flow = flow_around_ball<T, Dim>(false);
  auto const state = linear_pressure<T, Dim>();
  flow.fill(state);
  auto const pressure = [&](Vec<double, Dim> const& x) { return state.at(state.pressure, state.pressure_slope, x); };
  auto const about = Vec<double, Dim>::filled(0.3);
  auto const solid = [&](int l) { return flow.domain().body(l, 0); };
  expect_near(force_on_body(flow, 0, about),
              slow_force<T, Dim>(flow, solid, pressure, about, [](auto const&) { return true; }), 40 * this->rounding);
  double const middle = ball_in(flow.domain().options()).center[0];
  auto const front = force_on_body(flow, 0, about, FrontHalf<Dim>{middle});
  expect_near(front, slow_force<T, Dim>(flow, solid, pressure, about, [&](auto const& x) { return x[0] < middle; }),
              40 * this->rounding);
  EXPECT_GT(front.force[0], 1);  // from the front
}

TYPED_TEST(Diagnostics, BodiesThatOverlapShareTheirForce) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto options = frozen::options<Dim>(size<Dim>, 1, {});
  auto const ball = ball_in(options);
  auto shifted = ball;
  shifted.center[0] += 1.2 * ball.radius;
  options.bodies = {body_from_distance<Dim>("first", ball), body_from_distance<Dim>("second", shifted)};
  for (int axis = 0; axis < Dim; ++axis) options.sides[axis] = {BoundaryKind::outflow, BoundaryKind::outflow};
  FrozenFlow<T, Dim> flow{Domain<Dim>(options), {IntervalSet<Dim>()}};
  auto const state = linear_pressure<T, Dim>();
  flow.fill(state);
  auto const a = force_on_body(flow, 0), b = force_on_body(flow, 1);
  double const volume = volume_of(flow.domain(), 0, flow.domain().solid(0));
  for (int axis = 0; axis < Dim; ++axis)
    EXPECT_NEAR(a.force[axis] + b.force[axis], -volume * state.pressure_slope[axis], 40 * this->rounding);
  EXPECT_GT(std::abs(a.force[1]), 1e-3);
  EXPECT_GT(std::abs(b.force[1]), 1e-3);
  EXPECT_THROW(force_on_body(flow, 2), std::invalid_argument);
  EXPECT_THROW(force_on_body(flow, -1), std::invalid_argument);
}

TYPED_TEST(Diagnostics, BodiesAcrossPeriodicSidesAreWhole) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto options = frozen::options<Dim>(size<Dim>, 1, {});
  options.sides[0] = {BoundaryKind::periodic, BoundaryKind::periodic};
  // A block that is in the box's first column and its last two.
  auto lower = Cell<Dim>::filled(size<Dim> / 2), upper = Cell<Dim>::filled(size<Dim> / 2 + 3);
  auto const at = [&](Coord begin, Coord end) {
    lower[0] = begin;
    upper[0] = end;
    return box<Dim>(lower, upper);
  };
  options.bodies = {body_from_cells<Dim>("block", at(0, 1) | at(size<Dim> - 2, size<Dim>))};
  FrozenFlow<T, Dim> flow{Domain<Dim>(options), {IntervalSet<Dim>()}};
  flow.fill(frozen::Linear<T, Dim>{1, 40, {}, {}, {}});
  expect_near(BodyForce<Dim>{force_on_body(flow, 0).force, {}}, BodyForce<Dim>{}, 40 * this->rounding);
}

// ---- control volumes

TYPED_TEST(Diagnostics, UniformFlowLeavesNoMomentumInABox) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto options = frozen::options<Dim>(size<Dim>, 3, {});
  for (int axis = 0; axis < Dim; ++axis) options.sides[axis] = {BoundaryKind::outflow, BoundaryKind::outflow};
  // The sides of the box pass through three levels.
  FrozenFlow<T, Dim> flow(Domain<Dim>(options),
                          {box<Dim>(Cell<Dim>::filled(1), Cell<Dim>::filled(size<Dim> / 2)),
                           box<Dim>(Cell<Dim>::filled(6), Cell<Dim>::filled(10)), IntervalSet<Dim>()});
  ASSERT_EQ(flow.level_count(), 3);
  frozen::Linear<T, Dim> state{2, 3, {}, {}, {}};
  for (int axis = 0; axis < Dim; ++axis) state.velocity[axis] = 1.5 - axis;
  flow.fill(state);
  auto const grid = flow.domain().grid(0);
  ControlVolume<Dim> volume(flow.domain(), grid.to_physical(Vec<double, Dim>::filled(3.9)),
                            grid.to_physical(Vec<double, Dim>::filled(size<Dim> - 2.2)));
  EXPECT_EQ(volume.box().begin, Cell<Dim>::filled(4));
  EXPECT_EQ(volume.box().end, Cell<Dim>::filled(size<Dim> - 2));
  for (int call = 0; call < 3; ++call) {
    expect_near(volume.force(flow), BodyForce<Dim>{}, 1000 * this->rounding);
    flow.wait(0.25 * call);
  }
}

TYPED_TEST(Diagnostics, WhatABoxGainsIsNotForce) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto flow = flow_around_ball<T, Dim>(true);
  auto const state = linear_pressure<T, Dim>();
  flow.fill(state);
  auto const& domain = flow.domain();
  // The whole box, its sides included, and one that cuts through levels.
  for (double inset : {0.0, 2.0}) {
    auto const grid = domain.grid(0);
    auto const about = Vec<double, Dim>::filled(0.3);
    ControlVolume<Dim> volume(domain, grid.to_physical(Vec<double, Dim>::filled(inset)),
                              grid.to_physical(Vec<double, Dim>::filled(size<Dim> - inset)), about);
    double const cells = static_cast<double>(volume.box().cell_count()) * domain.cell_volume(0);
    double const body = volume_of(domain, 1, domain.body(1, 0));
    flow.fill(state);
    auto const pressure = [&](Vec<double, Dim> const& x) { return state.at(state.pressure, state.pressure_slope, x); };
    auto const on_all = slow_force_on_box<T, Dim>(flow, volume.box(), pressure, about);
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_NEAR(on_all.force[axis], -cells * state.pressure_slope[axis], 1e-10 * cells);
    expect_near(volume.force(flow), on_all, 2000 * this->rounding);

    // Pressure accelerates the fluid, not the body; all of that momentum is put into one cell beside the body.
    auto const on_body = force_on_body(flow, 0, about);
    double const elapsed = 0.5;
    flow.wait(elapsed);
    auto const beside = *reference::cells_of(domain.body(1, 0)).begin() - Cell<Dim>::along(Dim - 1, 1);
    auto u = flow.flux().law.conserved(state(domain.grid(1).center(beside)));
    Vec<double, Dim> const gained = -(cells - body) * elapsed * state.pressure_slope;
    for (int axis = 0; axis < Dim; ++axis) u[1 + axis] += static_cast<T>(gained[axis] / domain.cell_volume(1));
    flow.set(1, beside, u);
    auto expected = on_body;
    expected.moment = on_all.moment - cross(domain.grid(1).center(beside) - about, (1 / elapsed) * gained);
    expect_near(volume.force(flow), expected, 2000 * this->rounding);
  }
}

TYPED_TEST(Diagnostics, BoxesWithoutCellsAreRefused) {
  constexpr int Dim = TypeParam::value;
  Domain<Dim> const domain(frozen::options<Dim>(8, 1, {}));
  auto const at = [](double x) { return Vec<double, Dim>::filled(x); };
  EXPECT_THROW(ControlVolume<Dim>(domain, at(0), at(0)), std::invalid_argument);
  EXPECT_THROW(ControlVolume<Dim>(domain, at(0), at(-0.5)), std::invalid_argument);
  EXPECT_THROW(ControlVolume<Dim>(domain, at(0), at(std::nan(""))), std::invalid_argument);
}

// ---- both in a flow

namespace {
struct Wind {
  Vec<double, 4> w;
  KOKKOS_FUNCTION Vec<double, 4> operator()(Vec<double, 2> const&) const { return w; }
};
}  // namespace

TEST(Forces, OnTheSurfaceAreThoseOnABoxAround) {
  using Law = compressible::Euler<double, 2>;
  DomainOptions<2> options;
  options.cells = {24, 24};
  options.level_count = 2;
  options.grid.origin = {-1.5, -2};
  options.grid.spacing = {1.0 / 6, 1.0 / 6};
  options.bodies = {body_from_distance<2>("cylinder", BallDistance<2>{{0, 0}, 0.5})};
  options.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  options.sides[1] = {BoundaryKind::outflow, BoundaryKind::outflow};
  Vec<double, 4> const wind{1.4, 2, 0, 1};  // twice as fast as sound
  Simulation<compressible::AnyFlux<Law>> flow(Domain<2>(options), {}, Wind{wind}, {wind, {}});
  ControlVolume<2> box(flow.domain(), {-1, -1}, {1, 1});
  double sum_on_surface = 0, sum_on_box = 0;
  for (int part = 0; part < 6; ++part) {
    double const end = 2 + 0.25 * part;
    while (flow.time() < end) flow.advance(end - flow.time());
    auto const on_surface = force_on_body(flow, 0).force, on_box = box.force(flow).force;
    EXPECT_NEAR(on_surface[1], 0, 1e-9);
    EXPECT_NEAR(on_box[1], 0, 1e-9);
    if (part == 0) continue;  // has no past
    sum_on_surface += on_surface[0];
    sum_on_box += on_box[0];
  }
  // Curved walls are exact to truncation only: 0.025 apart with 6 cells per radius, 0.003 with 24.
  EXPECT_NEAR(sum_on_box / sum_on_surface, 1, 0.04);
  EXPECT_EQ(extrema(flow).inadmissible_count, 0);
}
