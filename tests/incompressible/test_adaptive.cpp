/// Flow on levels that follow it.

#include <numbers>

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <support/adaptive.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleAdaptive : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptive, RealCases);

using std::numbers::pi;

// ---- one level

/// A box with a side of each kind, or with periods.
template <int Dim>
DomainOptions<Dim> box_of(bool is_periodic) {
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(Dim == 2 ? 24 : 12);
  options.cells[1] += 4;
  options.grid.spacing = Point<Dim>::filled(1.0 / 16);
  options.grid.spacing[0] *= 1.25;
  if (is_periodic) {
    options.sides = {{{BoundaryKind::periodic, BoundaryKind::periodic}, {BoundaryKind::no_slip, BoundaryKind::wall}}};
    if (Dim == 3) options.sides[Dim - 1] = {BoundaryKind::periodic, BoundaryKind::periodic};
  } else {
    options.sides = {{{BoundaryKind::inflow, BoundaryKind::outflow}, {BoundaryKind::no_slip, BoundaryKind::wall}}};
  }
  return options;
}

TYPED_TEST(IncompressibleAdaptive, OneLevelIsTheUniformMethod) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (bool const is_periodic : {false, true}) {
    auto box = box_of<Dim>(is_periodic);
    box.bodies = {
        sparse::body_from_cells<Dim>("ball", sparse::ball<Dim>(Point<Dim>::filled(6.3), 2.4), BoundaryKind::no_slip)};
    AdaptiveOptions<Dim> options;
    options.viscosity = 0.01;
    options.acceleration[0] = 0.1;
    options.inflow[0] = 1;
    options.inflow[1] = 0.1;
    options.walls[1][0][0] = 0.5;
    options.inks = {{"ink"}, {"weight"}};
    if (is_periodic) options.buoyancy = {{1, {0.2, -0.3}}};
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    Smac<T, Dim> smac(
        flow.grid(0),
        {.viscosity = options.viscosity, .acceleration = options.acceleration, .buoyancy = options.buoyancy});
    State<T, Dim> state(flow.grid(0), {"ink", "weight"});
    auto const start = [](Point<Dim> const& x) {
      auto u = Point<Dim>::filled(0.2 * std::sin(5 * x[1]));
      u[0] = 1 + 0.3 * std::cos(7 * x[1]);
      return u;
    };
    set_velocity(flow.grid(0), state, start);
    std::vector<ScalarFunction<Dim>> const inks = {[](Point<Dim> const& x) { return std::sin(20 * x[0]) > 0 ? 1 : 0; },
                                                   [](Point<Dim> const& x) { return x[1]; }};
    for (std::size_t k = 0; k < inks.size(); ++k) set_cells(flow.grid(0), state.carried[k], inks[k]);
    smac.project(state);
    flow.start(start, inks);
    for (int step = 0; step < 12; ++step) {
      double const time_step = smac.longest_step(state, 0.5);
      ASSERT_EQ(flow.longest_step(), time_step);
      auto const wanted = smac.advance(state, time_step), got = flow.advance(time_step);
      ASSERT_EQ(got.iterations, wanted.iterations);
    }
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_EQ(to_host(flow.state(0).velocity, axis), to_host(state.velocity, axis)) << is_periodic;
    ASSERT_EQ(to_host(flow.state(0).pressure), to_host(state.pressure)) << is_periodic;
    for (std::size_t k = 0; k < inks.size(); ++k)
      ASSERT_EQ(values_on(flow.state(0).carried[k], 0, flow.grid(0).fluid()),
                values_on(state.carried[k], 0, flow.grid(0).fluid()))
          << k << is_periodic;
  }
}

// ---- free streams

/// Velocity and ink of a free stream stay while patches move through it.
template <class T, int Dim>
void expect_free_stream(Vec<Vec<BoundaryKind, 2>, Dim> const& sides, int changes) {
  DomainOptions<Dim> box;
  box.cells = Cell<Dim>::filled(Dim == 2 ? 20 : 12);
  box.cells[0] += 4;
  box.level_count = 3;
  box.grid.spacing = Point<Dim>::filled(1.0 / 16);
  box.sides = sides;
  AdaptiveOptions<Dim> options;
  options.viscosity = 1e-3;
  for (int axis = 0; axis < Dim; ++axis) options.inflow[axis] = 1 - 0.3 * axis;
  options.criteria = {moving_ball<Dim>(0.3, Point<Dim>::filled(0.3), Point<Dim>{3.1, 2.3}),
                      moving_ball<Dim>(0.2, Point<Dim>::filled(0.7), Point<Dim>{-2.1, 1.7})};
  options.regrid_stride = 1;
  options.inks = {{"ink"}};
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  flow.start([&](Point<Dim> const&) { return options.inflow; }, {[](Point<Dim> const&) { return 1; }});
  int changed = 0;
  double const time_step = flow.longest_step();
  for (int step = 0; step < 3 * changes && changed < changes; ++step) {
    flow.advance(time_step);
    changed += flow.adapt() ? 1 : 0;
    ASSERT_LE(flow.greatest_divergence(), precise<T>(1e-5, 1e-13)) << step;
  }
  EXPECT_EQ(changed, changes);
  EXPECT_GT(flow.level_count(), 1);
  for (int l = 0; l < flow.level_count(); ++l) {
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [face, value] : values_on(flow.state(l).velocity, axis, flow.grid(l).faces(axis)))
        ASSERT_NEAR(value, options.inflow[axis], precise<T>(1e-5, 1e-12)) << l << " " << axis << face;
    for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l)))
      ASSERT_NEAR(value, 1, precise<T>(1e-5, 1e-12)) << l << " " << cell;
  }
}

TYPED_TEST(IncompressibleAdaptive, FreeStreamsAndInkPassMovingPatchesUnchanged) {
  constexpr int Dim = TypeParam::value;
  Vec<Vec<BoundaryKind, 2>, Dim> periodic, open;
  for (int axis = 0; axis < Dim; ++axis) {
    periodic[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
    open[axis] = {BoundaryKind::inflow, BoundaryKind::outflow};
  }
  int const changes = Dim == 3 ? 6 : sizeof(typename TypeParam::T) == 8 ? 100 : 20;
  expect_free_stream<typename TypeParam::T, Dim>(periodic, changes);
  expect_free_stream<typename TypeParam::T, Dim>(open, changes);
}

// ---- divergence

TYPED_TEST(IncompressibleAdaptive, LeavesHaveNoDivergenceAlsoAfterChangesOfLevels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  DomainOptions<Dim> box;
  box.cells = Cell<Dim>::filled(Dim == 2 ? 24 : 12);
  box.level_count = 3;
  box.grid.spacing = Point<Dim>::filled(1.0 / box.cells[0]);
  for (int axis = 0; axis < Dim; ++axis)
    box.sides[axis] = {axis == 1 ? BoundaryKind::no_slip : BoundaryKind::periodic,
                       axis == 1 ? BoundaryKind::wall : BoundaryKind::periodic};
  AdaptiveOptions<Dim> options;
  options.viscosity = 1e-3;
  options.criteria = {moving_ball<Dim>(0.22, Point<Dim>::filled(0.4), Point<Dim>::filled(1.5)),
                      sparse::incompressible::vorticity(0.5)};
  options.stop.tolerance = precise<T>(1e-4, 1e-6);
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  EXPECT_TRUE(flow.start([](Point<Dim> const& x) {
                    auto u = Point<Dim>::filled(0.3 * std::cos(2 * pi * x[0]));
                    u[0] = std::sin(pi * x[1]) + 0.2 * std::sin(2 * pi * x[0]);
                    return u;
                  })
                  .has_converged());
  double const most = precise<T>(1e-4, 1e-6);
  EXPECT_LE(flow.greatest_divergence(), most);
  int changed = 0;
  for (int step = 0; step < (Dim == 2 ? 60 : 16); ++step) {
    EXPECT_TRUE(flow.advance().has_converged());
    ASSERT_LE(flow.greatest_divergence(), most) << step;
    changed += flow.adapt() ? 1 : 0;
    ASSERT_LE(flow.greatest_divergence(), most) << "after the levels changed, step " << step;
  }
  EXPECT_GT(changed, 2);
  EXPECT_EQ(flow.level_count(), 3);
}

// ---- accuracy

/// Four vortices between walls with free slip, which keep their shape.
struct Vortices {
  double viscosity;
  Point<2> operator()(Point<2> const& x, double time) const {
    double const size = std::exp(-2 * pi * pi * viscosity * time);
    return {size * std::sin(pi * x[0]) * std::cos(pi * x[1]), -size * std::cos(pi * x[0]) * std::sin(pi * x[1])};
  }
};

/// The greatest error of velocity at time 1.
double vortices_error(Coord base, int finer, double speed) {
  Vortices const vortices{0.01};
  DomainOptions<2> box;
  box.cells = {base, base};
  box.level_count = finer + 1;
  box.grid.spacing = Point<2>::filled(1.0 / base);
  for (int axis = 0; axis < 2; ++axis) box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
  AdaptiveOptions<2> options;
  options.viscosity = vortices.viscosity;
  options.criteria = {RegionCriterion<2>{[&](RegionPlace<2> const& place) {
    double const angle = 2 * pi * place.time;
    Point<2> const center{0.37 + speed * std::sin(angle), 0.42 + speed * (1 - std::cos(angle))};
    return sparse::ball<2>(place.grid.to_cells(center), 0.3 * std::pow(0.6, place.level) / place.grid.spacing[0]);
  }}};
  AdaptiveFlow<double, 2> flow(Domain<2>(box), options);
  flow.start([&](Point<2> const& x) { return vortices(x, 0); });
  int const step_count = static_cast<int>(std::ceil(1 / flow.longest_step()));
  for (int step = 0; step < step_count; ++step) EXPECT_TRUE(flow.advance(1.0 / step_count).has_converged());
  return greatest_error(flow, [&](Point<2> const& x) { return vortices(x, 1); });
}

TEST(IncompressibleAdaptiveAccuracy, VorticesAreOfSecondOrder) {
  for (int finer : {1, 2})
    for (double speed : {0.0, 0.2}) {
      double const coarse = vortices_error(16, finer, speed), fine = vortices_error(32, finer, speed);
      EXPECT_GE(coarse / fine, 3.6) << finer << " levels, speed " << speed;
      // Of a plain program in two dimensions, with the same regions and central differences of second order.
      double const plain = speed > 0 ? (finer == 1 ? 5.28e-4 : 5.93e-4) : (finer == 1 ? 3.89e-4 : 4.48e-4);
      EXPECT_LE(fine, 1.1 * plain) << finer << " levels, speed " << speed;
    }
}

/// What is left at t = 10 of the energy of a vortex without viscosity, in a box, with a disk of finer cells on a second
/// level.
double energy_of_vortex(Coord base, int level_count, double upstream) {
  auto box = unit_box<2>(base, level_count, BoundaryKind::wall);
  AdaptiveOptions<2> options;
  options.upstream = upstream;
  options.criteria = {moving_ball<2>(0.3, {0.37, 0.42}, {})};
  AdaptiveFlow<double, 2> flow(Domain<2>(box), options);
  Vortices const vortices{0};
  flow.start([&](Point<2> const& x) { return vortices(x, 0); });
  double const start = flow.kinetic_energy(), step = 0.25 / base;  // the vortex crosses half a fine cell
  for (double end = 10; flow.time() < end - 0.5 * step;) flow.advance(step);
  return flow.kinetic_energy() / start;
}

TEST(IncompressibleAdaptiveAccuracy, AVortexKeepsItsEnergy) {
  double const uniform = energy_of_vortex(32, 1, 0), central = energy_of_vortex(32, 2, 0),
               upstream = energy_of_vortex(32, 2, 1);
  SCOPED_TRACE(testing::Message() << uniform << ", on levels " << central << ", with parabolas from upstream "
                                  << upstream);
  EXPECT_NEAR(uniform, 1, 1e-5);  // the first step, too, has the pressure of the vortex
  EXPECT_GT(central, 0.999);
  EXPECT_LT(central, 1.0005);
  EXPECT_GT(upstream, 0.998);
  EXPECT_LT(upstream, central);
}

/// The flow of Arnold, Beltrami and Childress with a ball that moves through it: the greatest error of velocity.
double abc_error(Coord base) {
  double const viscosity = 0.05, end = 0.3;
  auto const exact = [&](Point<3> const& x, double time) {
    double const a = 1, b = 0.7, c = 0.4;
    return std::exp(-viscosity * time) * Point<3>{a * std::sin(x[2]) + c * std::cos(x[1]),
                                                  b * std::sin(x[0]) + a * std::cos(x[2]),
                                                  c * std::sin(x[1]) + b * std::cos(x[0])};
  };
  DomainOptions<3> box;
  box.cells = Cell<3>::filled(base);
  box.level_count = 2;
  box.grid.spacing = Point<3>::filled(2 * pi / base);
  for (int axis = 0; axis < 3; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
  AdaptiveOptions<3> options;
  options.viscosity = viscosity;
  options.criteria = {RegionCriterion<3>{[](RegionPlace<3> const& place) {
    return sparse::ball<3>(place.grid.to_cells({3 + place.time, 3, 2.5}), 1 / place.grid.spacing[0]);
  }}};
  AdaptiveFlow<double, 3> flow(Domain<3>(box), options);
  flow.start([&](Point<3> const& x) { return exact(x, 0); });
  int const step_count = static_cast<int>(std::ceil(end / flow.longest_step()));
  for (int step = 0; step < step_count; ++step) flow.advance(end / step_count);
  EXPECT_LT(flow.leaf_count(), 5 * box.cells[0] * box.cells[0] * box.cells[0]);
  return greatest_error(flow, [&](Point<3> const& x) { return exact(x, end); });
}

TEST(IncompressibleAdaptiveAccuracy, FlowInSpaceIsOfSecondOrder) {
  double const coarse = abc_error(12), fine = abc_error(24);
  EXPECT_GE(coarse / fine, 3.6) << coarse << " " << fine;
}

// ---- conservation

/// Two vortices that carry each other through a fixed patch. @return  the greatest change of momentum over its size
double momentum_drift(Coord base) {
  DomainOptions<2> box;
  box.cells = {base, base};
  box.level_count = 2;
  box.grid.spacing = Point<2>::filled(1.0 / base);
  for (int axis = 0; axis < 2; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
  AdaptiveOptions<2> options;
  options.criteria = {RegionCriterion<2>{[](RegionPlace<2> const& place) {
    return sparse::ball<2>(place.grid.to_cells({0.5, 0.5}), 0.2 / place.grid.spacing[0]);
  }}};
  AdaptiveFlow<double, 2> flow(Domain<2>(box), options);
  // The curl of exp(-|x - c|^2 / r^2) at two centres of opposite sign, which drives the pair along x.
  flow.start([](Point<2> const& x) {
    Point<2> u{1, 0.5};
    for (int sign : {-1, 1}) {
      double const r = 0.08, dx = x[0] - 0.25, dy = x[1] - 0.5 - 0.1 * sign;
      double const size = sign * 0.1 * std::exp(-(dx * dx + dy * dy) / (r * r)) / (r * r);
      u += Point<2>{2 * size * dy, -2 * size * dx};
    }
    return u;
  });
  auto const start = flow.momentum();
  double drift = 0;
  while (flow.time() < 0.4) {
    flow.advance();
    auto const now = flow.momentum();
    for (int axis = 0; axis < 2; ++axis) drift = std::max(drift, std::abs(now[axis] - start[axis]));
  }
  return drift / start[0];
}

TEST(IncompressibleAdaptiveAccuracy, MomentumOfAVortexPairDriftsLittleAcrossInterfaces) {
  double const coarse = momentum_drift(32), fine = momentum_drift(64);
  EXPECT_LE(fine, 1e-3);
  EXPECT_GE(coarse / fine, 3);
}

// ---- what is refused

TEST(IncompressibleAdaptiveFaults, NonsenseIsRefused) {
  DomainOptions<2> box;
  box.cells = {16, 16};
  box.level_count = 2;
  auto const make = [&](AdaptiveOptions<2> const& options) { AdaptiveFlow<double, 2>(Domain<2>(box), options); };
  EXPECT_NO_THROW(make({}));
  EXPECT_TRUE(is_refused([&] { make({.viscosity = -1}); }, "viscosity"));
  EXPECT_TRUE(is_refused([&] { make({.upstream = 1.1}); }, "share from upstream"));
  EXPECT_TRUE(is_refused([&] { make({.acceleration = {std::nan(""), 0}}); }, "acceleration"));
  EXPECT_TRUE(is_refused([&] { make({.regrid_stride = 0}); }, "steps between"));
  EXPECT_TRUE(is_refused([&] { make({.spare_cells = -1}); }, "spare_cells"));
  EXPECT_TRUE(is_refused([&] { make({.safety = 0}); }, "safety"));
  EXPECT_TRUE(is_refused([&] { make({.stop = {.tolerance = 0}}); }, "tolerance"));
  EXPECT_TRUE(is_refused([&] { make({.criteria = {sparse::incompressible::vorticity(0)}}); }, "vorticity"));
  EXPECT_TRUE(is_refused([&] { make({.criteria = {sparse::incompressible::near_surface(-1)}}); }, "surface"));
  EXPECT_TRUE(is_refused([&] { make({.criteria = {RegionCriterion<2>{}}}); }, "region"));
  box.sides[0][0] = BoundaryKind::inflow;
  EXPECT_TRUE(is_refused([&] { make({.inflow = {1, 0}}); }, "has no outflow"));
  box.sides[0][0] = BoundaryKind::given;
  EXPECT_TRUE(is_refused([&] { make({}); }, "not given"));
  box.sides[0][0] = BoundaryKind::wall;
  box.bodies = {sparse::body_from_cells<2>("ball", sparse::ball<2>({8, 8}, 2))};
  box.body_level = 0;
  EXPECT_TRUE(is_refused([&] { make({}); }, "finest level"));
  box.body_level = -1;
  AdaptiveFlow<double, 2> flow(Domain<2>(box), {});
  EXPECT_TRUE(is_refused([&] { flow.advance(0); }, "time step"));
  EXPECT_TRUE(is_refused([&] { flow.advance_towards(0); }, "later than the flow"));
  EXPECT_TRUE(is_refused([&] { flow.advance_towards(HUGE_VAL); }, "finite"));
  EXPECT_TRUE(is_refused([&] { flow.state(7); }, "no level 7"));
  EXPECT_TRUE(is_refused([&] { flow.force(1); }, "no body 1"));
}

TEST(IncompressibleAdaptiveFaults, ABadStepLeavesTheFlowAsItWas) {
  DomainOptions<2> box;
  box.cells = {16, 16};
  box.level_count = 2;
  box.sides = {{{BoundaryKind::periodic, BoundaryKind::periodic}, {BoundaryKind::periodic, BoundaryKind::periodic}}};
  AdaptiveFlow<double, 2> flow(Domain<2>(box), {});
  flow.start([](Point<2> const& x) { return Point<2>{1, std::sin(x[0])}; });
  auto const before = to_host(flow.state(0).velocity);
  EXPECT_THROW(flow.advance(1e200), std::runtime_error);
  EXPECT_EQ(to_host(flow.state(0).velocity), before);
  EXPECT_EQ(flow.step_count(), 0);
}

}  // namespace
