/// SMAC steps to the steady state of flows that others have computed: driven cavities and natural convection.

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/profiles.hpp>
#include <sparse/incompressible/measure/stream_function.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/physical.hpp>
#include <support/csv.hpp>
#include <support/incompressible.hpp>
#include <support/small_rayleigh.hpp>

namespace {

using namespace reference;

bool const is_nightly = seed_count > 1000;

FlowDomain<2> unit_square(int n) {
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({}, Cell<2>::filled(n));
  domain.grid.spacing = Point<2>::filled(1.0 / n);
  return domain;
}

/// A flow that has come to rest, or no closer to it than `change` [velocity / time].
template <int Dim>
struct Steady {
  StaggeredGrid<Dim> grid;
  Smac<double, Dim> step;
  State<double, Dim> state;

  Steady(FlowDomain<Dim> const& domain, SmacOptions<Dim> const& options, double safety, double change,
         std::vector<std::string> const& names = {})
      : grid(domain), step(grid, options), state(grid, names) {
    while (state.step_count % 50 != 0 || step.greatest_change(state) > change) {
      EXPECT_TRUE(step.advance(state, step.longest_step(state, safety)).has_converged());
      if (testing::Test::HasFailure() || state.step_count > 200000) {
        ADD_FAILURE() << "not steady after " << state.step_count << " steps";
        return;
      }
    }
  }
};

/// A square in which the upper wall moves at speed 1.
Steady<2> cavity(int n, double re, double safety, SmacOptions<2> options = {}) {
  auto domain = unit_square(n);
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), {1, 0}});
  options.viscosity = 1 / re;
  return Steady<2>(domain, options, safety, 1e-4);
}
Steady<2> cavity_of_paper(int n, double re, double safety, std::optional<double> donor_cell) {
  SmacOptions<2> options;
  options.integrator = Integrator::paper;
  options.donor_cell = donor_cell;
  return cavity(n, re, safety, options);
}

double least_u(Steady<2> const& flow) {
  return extrema_of(centre_line(flow.grid, flow.state.velocity, 1), 1, 0).least.value;
}
double greatest_of(Steady<2> const& flow, int component) {
  int const along = 1 - component;
  return extrema_of(centre_line(flow.grid, flow.state.velocity, along), along, component).greatest.value;
}

/// The greatest difference to a table with positions in one column and a component of velocity in another.
double distance_to(std::vector<std::vector<double>> const& table, std::size_t position, std::size_t value,
                   Steady<2> const& flow, int component) {
  double greatest = 0;
  for (auto const& row : table) {
    if (row[position] <= 0 || row[position] >= 1) continue;  // what the walls say
    Point<2> x{0.5, 0.5};
    x[1 - component] = row[position];
    auto const u = sample_velocity(flow.grid, flow.state.velocity, {x});
    greatest = std::max(greatest, std::abs(u[0][component] - row[value]));
  }
  return greatest;
}

}  // namespace

TEST(IncompressibleSmacCases, CavityAtReynoldsNumber100) {
  auto const flow = cavity(64, 100, 0.5);
  // Converged values; those of Ghia, Ghia and Shin (1982) are -0.103423 and -0.21090.
  auto const vortex = stream_extrema(flow.grid, stream_function(flow.grid, flow.state.velocity)).least;
  EXPECT_NEAR(vortex.value, -0.10352, 0.005 * 0.10352);
  EXPECT_NEAR(vortex.at[0], 0.6172, 0.005);
  EXPECT_NEAR(vortex.at[1], 0.7344, 0.005);
  EXPECT_NEAR(least_u(flow), -0.21404, 0.01 * 0.21404);
  // Off by as much as the tables are.
  EXPECT_LT(distance_to(read_table("cavity_ghia1982_u_vertical.csv"), 0, 1, flow, 0), 0.005);
  EXPECT_LT(distance_to(read_table("cavity_ghia1982_v_horizontal.csv"), 0, 1, flow, 1), 0.009);
}

// Ghia, Ghia and Shin (1982).
TEST(IncompressibleSmacCases, CavityAtReynoldsNumber400) {
  int const n = is_nightly ? 128 : 64;
  double const error = is_nightly ? 0.005 : 0.01;
  auto const flow = cavity(n, 400, 0.5);
  auto const vortex = stream_extrema(flow.grid, stream_function(flow.grid, flow.state.velocity)).least;
  EXPECT_NEAR(vortex.value, -0.113909, error * 0.113909);
  EXPECT_NEAR(least_u(flow), -0.32726, error * 0.32726);
}

TEST(IncompressibleSmacCases, CavityAtReynoldsNumber1000) {
  int const n = is_nightly ? 128 : 64;
  double const error = 0.01 * std::pow(128.0 / n, 2);
  auto const flow = cavity(n, 1000, 0.5);
  auto const spectral = read_table("botella_peyret1998_Re1000.csv");
  EXPECT_LT(distance_to(spectral, 0, 1, flow, 0), error);
  EXPECT_LT(distance_to(spectral, 2, 3, flow, 1), error);
  double const share = is_nightly ? 0.01 : 0.026;
  auto const vortex = stream_extrema(flow.grid, stream_function(flow.grid, flow.state.velocity)).least;
  EXPECT_NEAR(vortex.value, -0.1189366, share * 0.1189366);
  EXPECT_NEAR(least_u(flow), -0.3885698, share * 0.3885698);
  if (!is_nightly) return;
  // These tables differ from the spectral solution themselves: the least u by 0.006.
  EXPECT_LT(distance_to(read_table("cavity_ghia1982_u_vertical.csv"), 0, 2, flow, 0), 0.008);
  EXPECT_LT(distance_to(read_table("cavity_ghia1982_v_horizontal.csv"), 0, 2, flow, 1), 0.018);
}

// What upstream differences cost: without any error it would be -0.3886.
TEST(IncompressibleSmacCases, TheDonorCellSlowsTheCavityDown) {
  EXPECT_NEAR(least_u(cavity_of_paper(64, 1000, 0.3, 0.9)), -0.268, 0.0015);
  if (is_nightly) {
    EXPECT_NEAR(least_u(cavity_of_paper(64, 1000, 0.2, {})), -0.337, 0.0015);
  }
  EXPECT_NEAR(least_u(cavity_of_paper(64, 1000, 0.5, 0.0)), -0.366, 0.0015);
}

// A square between a warm and a cold wall. Source: de Vahl Davis, Int. J. Numer. Methods Fluids 3 (1983); the mean
// Nusselt numbers that he extrapolated to, 2.243 and 4.519, are 2.2448 and 4.5216 since.
TEST(IncompressibleSmacCases, NaturalConvection) {
  struct Table {
    double rayleigh, nusselt, u, v;
  };
  for (auto const& right : {Table{1e4, 2.2448, 16.18, 19.63}, Table{1e5, 4.5216, 34.74, 68.64}}) {
    double const prandtl = 0.71;
    auto domain = unit_square(64);
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::lower), {}, {}, 0.5});
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::upper), {}, {}, -0.5});
    SmacOptions<2> options;
    options.viscosity = prandtl;
    options.transported = {{0, 1}};
    options.buoyancy = {{0, {0, right.rayleigh * prandtl}}};
    Steady<2> const flow(domain, options, 0.5, 1e-5 * right.rayleigh, {"temperature"});
    double const warm = mean_nusselt(flow.grid, flow.state.carried[0], 0, 1, 1);
    double const cold = mean_nusselt(flow.grid, flow.state.carried[0], 1, 1, 1);
    EXPECT_NEAR(warm, right.nusselt, 0.005 * right.nusselt);
    EXPECT_NEAR(warm, -cold, 1e-5 * right.nusselt);
    EXPECT_NEAR(greatest_of(flow, 0), right.u, 0.005 * right.u);
    EXPECT_NEAR(greatest_of(flow, 1), right.v, 0.005 * right.v);
  }
}

// At a Rayleigh number of 138.6 heat is conducted, and next to nothing flows. The set-up is that of Scheidegger, Comba
// and da Cunha (2005), who print no Nusselt number. It is compared with the series for small Rayleigh numbers.
TEST(IncompressibleSmacCases, WhatIsHardlyWarmIsConducted) {
  double const prandtl = 7, reynolds = 985.7, expansion = 2.1e-4, gravity = -9.706e-2;
  auto domain = unit_square(32);
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::lower), {}, {}, 1});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::upper), {}, {}, 0});
  SmacOptions<2> options;
  options.viscosity = 1 / reynolds;
  options.transported = {{0, 1 / (reynolds * prandtl)}};
  options.buoyancy = {{0, {0, -expansion * gravity}}};
  Steady<2> const flow(domain, options, 0.5, 1e-11, {"temperature"});
  double const warm = mean_nusselt(flow.grid, flow.state.carried[0], 0, 1, 1);
  double const cold = mean_nusselt(flow.grid, flow.state.carried[0], 1, 1, 1);
  double const rayleigh = -gravity * expansion * reynolds * reynolds * prandtl;
  EXPECT_NEAR(rayleigh, 138.6, 0.05);
  // Of second order in the width of cells, in the test as in the flow.
  double const coarse = small_rayleigh_coefficient(16), fine = small_rayleigh_coefficient(24);
  double const exact = fine + (fine - coarse) / (24.0 * 24 / (16 * 16) - 1);
  EXPECT_NEAR(exact, 1.460e-7, 0.001e-7);
  // The temperature is not quite steady yet: a little more heat comes in than goes out.
  EXPECT_NEAR((0.5 * (warm - cold) - 1) / (exact * rayleigh * rayleigh), 1, 0.01);
  EXPECT_NEAR(warm, -cold, 1e-3);
}

// A lid drives fluid around a block. Once it is steady, all that the lid gives to the fluid comes to the other walls
// and to the block.
template <int Dim>
void expect_balance(WallFriction friction, double least, double most) {
  FlowDomain<Dim> domain;
  auto const all = sparse::box<Dim>({}, Cell<Dim>::filled(12));
  auto const block = sparse::box<Dim>(Cell<Dim>::filled(3), Cell<Dim>::filled(7));
  domain.fluid = all - block;
  domain.grid.spacing = Point<Dim>::filled(1. / 12);
  domain.grid.spacing[1] = 1. / 16;
  auto lid = Point<Dim>{};
  lid[0] = 1;
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), lid});
  SmacOptions<Dim> options;
  options.viscosity = 0.02;
  options.pressure.stop.tolerance = 1e-11;
  Steady<Dim> const flow(domain, options, 0.5, 1e-9);
  Point<Dim> sum = {}, scale = {};
  auto const beyond = expand(all, 1) - all, above = beyond & shift(all, 1, 1);
  for (auto const& body : {block, above, beyond - above}) {
    auto const force = BodyForces<Dim>(flow.grid, body, friction)(flow.state.velocity, flow.state.pressure, 0.02);
    sum = sum + force.total();
    for (int axis = 0; axis < Dim; ++axis) scale[axis] += std::abs(force.total()[axis]);
    EXPECT_GT(std::abs(force.carried[1]), 1e-5);
  }
  EXPECT_GE(std::abs(sum[0]), least * scale[0]);
  for (int axis = 0; axis < Dim; ++axis) EXPECT_LE(std::abs(sum[axis]), most * scale[axis]);
}

TEST(IncompressibleSmacCases, WhatALidGivesComesToTheOtherWalls) {
  expect_balance<2>(WallFriction::parabola, 0, 1e-7);
  expect_balance<3>(WallFriction::parabola, 0, 1e-7);
  expect_balance<2>(WallFriction::images, 0.01, 0.2);  // of first order
}

// The friction of a parabola on the wall of a channel is that of theory, across a seam, too.
TEST(IncompressibleSmacCases, FrictionInAPeriodicChannelBalancesItsForce) {
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({}, {6, 8});
  domain.grid.spacing = {0.25, 0.125};
  domain.period[0] = 6;
  SmacOptions<2> options;
  options.viscosity = 0.05;
  options.acceleration[0] = 0.4;
  Steady<2> const flow(domain, options, 0.5, 1e-10);
  for (int const row : {-1, 8}) {
    auto const wall = sparse::box<2>({0, row}, {6, row + 1});
    auto const force = BodyForces<2>(flow.grid, wall)(flow.state.velocity, flow.state.pressure, 0.05);
    EXPECT_NEAR(force.total()[0], 0.5 * 0.4 * 1.5, 1e-8);
  }
}

// A cylinder a little below the middle of a channel, at Re = 20: number 2D-1 of Schaefer and Turek, Benchmark
// computations of laminar flow around a cylinder (1996). On the staircase that cells make of it.
TEST(IncompressibleSmacCases, CylinderInAChannel) {
  double const height = 0.41, spacing = 0.005, viscosity = 1e-3, middle = 0.2, radius = 0.05;
  auto const inflow = [=](Point<2> const& x) { return 1.2 * x[1] * (height - x[1]) / (height * height); };
  FlowDomain<2> domain;
  domain.grid.spacing = Point<2>::filled(spacing);
  auto const solid = sparse::ball<2>(domain.grid, {middle, middle}, radius);
  domain.fluid = sparse::box<2>({}, {440, 82}) - solid;
  domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), {}, inflow});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  SmacOptions<2> options;
  options.viscosity = viscosity;
  Steady<2> const flow(domain, options, 0.5, 1e-4);

  auto const table = read_table("dfg_cylinder_2d1.csv", 2);
  double const drag = table[0][2], pressure_difference = table[2][2], length = table[3][0];
  double const scale = 2 / (0.2 * 0.2 * 2 * radius);
  auto const force = BodyForces<2>(flow.grid, solid)(flow.state.velocity, flow.state.pressure, viscosity).total();
  EXPECT_NEAR(scale * force[0], drag, 0.02 * drag);

  // On the surface, from one and two cells before it.
  sparse::Field<double, 2> pressure("pressure", flow.grid.storage());
  auto const values = value_map(flow.state.pressure);
  set_where(pressure, 0, flow.grid.fluid(), [&](Cell<2> const& cell) { return values.at(cell); });
  auto const on_surface = [&](int side) {
    double const x = middle + side * radius;
    auto const p = sample_cells(flow.grid, pressure, {{x + side * spacing, middle}, {x + 2 * side * spacing, middle}});
    return 2 * p[0] - p[1];
  };
  EXPECT_NEAR(on_surface(-1) - on_surface(1), pressure_difference, 0.025 * pressure_difference);

  // Where the flow on the axis turns.
  double x = middle + radius + spacing, last = -1;
  auto const speed = [&] { return sample_velocity(flow.grid, flow.state.velocity, {{x, middle}})[0][0]; };
  double now = speed();
  EXPECT_LT(now, 0);
  for (; now < 0; now = speed()) {
    last = now;
    x += 0.05 * spacing;
  }
  EXPECT_NEAR(x - 0.05 * spacing * now / (now - last) - middle - radius, length, 0.025 * length);
}
