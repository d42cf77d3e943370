/// SMAC steps compared with exact solutions, of the equations or of their differences.

#include <numbers>

#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSmacExact : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmacExact, RealCases);

using std::numbers::pi;

template <class T, int Dim>
SmacOptions<Dim> options_of(double viscosity, double tolerance, Integrator integrator = Integrator::runge_kutta) {
  SmacOptions<Dim> options;
  options.integrator = integrator;
  if (integrator == Integrator::paper) options.donor_cell = 0;
  options.viscosity = viscosity;
  options.pressure.stop.tolerance = precise<T>(std::max(tolerance, 1e-5), tolerance);
  return options;
}

/// The greatest |u - exact| on the faces.
template <class T, int Dim, class Function>
double greatest_error(StaggeredGrid<Dim> const& grid, State<T, Dim> const& state, Function const& exact) {
  auto error = clone(state.velocity);
  set_velocity(grid, error, exact);
  add(error, -1, state.velocity);
  return norm_max(error);
}

/// The velocity error after a time, from an exact start.
template <int Dim, class Function>
double error_after(FlowDomain<Dim> const& domain, Integrator integrator, double viscosity, double end, int step_count,
                   Function const& exact) {
  StaggeredGrid<Dim> const grid(domain);
  auto const options = options_of<double, Dim>(viscosity, 1e-9, integrator);
  Smac<double, Dim> step(grid, options);
  State<double, Dim> state(grid);
  set_velocity(grid, state.velocity, [&](Point<Dim> const& x) { return exact(x, 0); });
  EXPECT_TRUE(step.project(state).has_converged());
  EXPECT_LT(end / step_count, step.longest_step(state, 0.9));
  for (int i = 0; i < step_count; ++i) EXPECT_TRUE(step.advance(state, end / step_count).has_converged());
  return greatest_error(grid, state, [&](Point<Dim> const& x) { return exact(x, end); });
}

/// Four vortices in the square of side pi with free slip: they keep their shape, and viscosity slows them down.
double vortices_error(Integrator integrator, int n, double viscosity, double end, int step_count) {
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({}, Cell<2>::filled(n));
  domain.grid.spacing = Point<2>::filled(pi / n);
  domain.others = BoundaryKind::wall;
  return error_after<2>(domain, integrator, viscosity, end, step_count, [&](Point<2> const& x, double t) {
    return std::exp(-2 * viscosity * t) * Point<2>{std::sin(x[0]) * std::cos(x[1]), -std::cos(x[0]) * std::sin(x[1])};
  });
}

/// The flow of Arnold, Beltrami and Childress in a periodic cube: parallel to its curl, so it keeps its shape.
double abc_error(Integrator integrator, int n, double viscosity, double end, int step_count) {
  FlowDomain<3> domain;
  domain.fluid = sparse::box<3>({}, Cell<3>::filled(n));
  domain.period = Cell<3>::filled(n);
  domain.grid.spacing = Point<3>::filled(2 * pi / n);
  return error_after<3>(domain, integrator, viscosity, end, step_count, [&](Point<3> const& x, double t) {
    double const a = 1, b = 0.7, c = 0.4;
    return std::exp(-viscosity * t) * Point<3>{a * std::sin(x[2]) + c * std::cos(x[1]),
                                               b * std::sin(x[0]) + a * std::cos(x[2]),
                                               c * std::sin(x[1]) + b * std::cos(x[0])};
  });
}

/// Plates normal to the last axis, `width` apart, and space that repeats itself along the others.
template <int Dim>
FlowDomain<Dim> plates(Coord n, double width) {
  FlowDomain<Dim> domain;
  auto end = Cell<Dim>::filled(4);
  end[Dim - 1] = n;
  domain.fluid = sparse::box<Dim>({}, end);
  domain.period = end;
  domain.period[Dim - 1] = 0;
  domain.grid.spacing = Point<Dim>::filled(width / n);
  domain.grid.spacing[0] *= 1.5;
  return domain;
}

}  // namespace

// With the paper's step, of first order in time, as long as steps are short.
TEST(IncompressibleSmacVortices, ErrorsOfVorticesAreOfSecondOrder) {
  double const re = 100;
  for (auto const integrator : {Integrator::runge_kutta, Integrator::paper}) {
    bool const is_paper = integrator == Integrator::paper;
    std::vector<double> errors;
    for (int const n : {16, 32, 64})
      errors.push_back(vortices_error(integrator, n, 1 / re, 1, is_paper ? n * n / 16 : 3 * n / 4));
    EXPECT_LT(errors[2], is_paper ? 3.5e-6 : 4e-4);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(std::log2(errors[i] / errors[i + 1]), 1.9) << errors[i];
  }
}

TEST(IncompressibleSmacVortices, ErrorsOfBeltramiFlowAreOfSecondOrder) {
  for (auto const integrator : {Integrator::runge_kutta, Integrator::paper}) {
    bool const is_paper = integrator == Integrator::paper;
    double const coarse = abc_error(integrator, 12, 0.05, 0.5, is_paper ? 16 : 6),
                 fine = abc_error(integrator, 24, 0.05, 0.5, is_paper ? 64 : 12);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << coarse << " " << fine;
    EXPECT_LT(fine, is_paper ? 2.5e-4 : 2.5e-3);
  }
}

// A parabola and a straight line. The paper's step has mirror images beyond the plates. With these, differences of
// second order give a parabola that is g h^2 / (8 viscosity) higher.
template <class T, int Dim>
void expect_exact_flow_between_plates(Integrator integrator) {
  constexpr int across = Dim - 1;
  auto domain = plates<Dim>(10, 1);
  Point<Dim> lower{}, upper{}, driven{};
  lower[0] = -0.25;
  upper[0] = 0.5;
  if (Dim == 3) upper[1] = -0.75;
  driven[0] = 0.8;
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, across, FaceSide::lower), lower});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, across, FaceSide::upper), upper});
  StaggeredGrid<Dim> const grid(domain);
  double const viscosity = 0.5, h = 0.1;
  auto options = options_of<T, Dim>(viscosity, 1e-9, integrator);
  bool const is_paper = integrator == Integrator::paper;
  if (is_paper) options.donor_cell = 0.5;  // of no matter where nothing changes along the flow
  options.acceleration = driven;
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid);
  set_random_velocity(grid, state.velocity, 1);
  step.project(state);
  while (state.time < 10) step.advance(state, step.longest_step(state, 0.4));
  auto const exact = [&](Point<Dim> const& x) {
    double const y = x[across];
    auto u = (1 - y) * lower + y * upper + ((y * (1 - y) + (is_paper ? h * h / 4 : 0)) / (2 * viscosity)) * driven;
    u[across] = 0;
    return u;
  };
  EXPECT_LT(greatest_error(grid, state, exact), precise<T>(2e-5, 1e-13));
  EXPECT_LT(step.greatest_change(state), precise<T>(1e-3, 1e-11));
}

TYPED_TEST(IncompressibleSmacExact, FlowBetweenMovingPlatesIsExact) {
  expect_exact_flow_between_plates<typename TypeParam::T, TypeParam::value>(Integrator::runge_kutta);
}
TYPED_TEST(IncompressibleSmacExact, FlowOfThePaperBetweenMovingPlatesIsExact) {
  expect_exact_flow_between_plates<typename TypeParam::T, TypeParam::value>(Integrator::paper);
}

// Between two temperatures the profile of a fluid that rests, or flows along the plates, is a straight line.
template <class T, int Dim>
void expect_exact_conduction(Integrator integrator) {
  constexpr int across = Dim - 1;
  bool const is_paper = integrator == Integrator::paper;
  for (double const speed : {0.0, 0.5}) {
    auto domain = plates<Dim>(9, 1);
    Point<Dim> wind{};
    wind[0] = speed;
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, across, FaceSide::lower), wind, {}, 1.5});
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, across, FaceSide::upper), wind, {}, -0.5});
    StaggeredGrid<Dim> const grid(domain);
    auto options = options_of<T, Dim>(0.4, 1e-9, integrator);
    options.transported = {{0, 0.5}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    set_velocity(grid, state.velocity, [&](auto const&) { return wind; });
    set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return std::sin(7 * x[0]); });
    while (state.time < 6) step.advance(state, step.longest_step(state, is_paper ? 0.9 : 0.5));
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
      EXPECT_NEAR(value, 1.5 - 2 * (cell[across] + 0.5) / 9, precise<T>(is_paper ? 2e-6 : 4e-6, 1e-12)) << cell;
  }
}
TYPED_TEST(IncompressibleSmacExact, ConductionIsExact) {
  expect_exact_conduction<typename TypeParam::T, TypeParam::value>(Integrator::runge_kutta);
}
TYPED_TEST(IncompressibleSmacExact, ConductionOfThePaperIsExact) {
  expect_exact_conduction<typename TypeParam::T, TypeParam::value>(Integrator::paper);
}

// What flows in has its temperature, and in the end all of the fluid; without overshoots on the way.
template <class T, int Dim>
void expect_temperature_of_inflow(Integrator integrator) {
  bool const is_paper = integrator == Integrator::paper;
  FlowDomain<Dim> domain;
  auto end = Cell<Dim>::filled(5);
  end[0] = 12;
  domain.fluid = sparse::box<Dim>({}, end);
  domain.others = BoundaryKind::wall;
  domain.parts.push_back(
      {BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), Point<Dim>::along(0, 1), {}, 2.0});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  StaggeredGrid<Dim> const grid(domain);
  auto options = options_of<T, Dim>(0, 1e-9, integrator);
  if (is_paper) options.donor_cell = 1;
  options.transported = {{0, 0}};
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"temperature"});
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>::along(0, 1); });
  for (int i = 0; i < (is_paper ? 80 : 100); ++i) {
    step.advance(state, step.longest_step(state, is_paper ? 0.9 : 0.5));
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid())) {
      ASSERT_GE(value, 0) << "step " << i << " at " << cell;
      ASSERT_LE(value, 2 + precise<T>(1e-6, 1e-14)) << "step " << i << " at " << cell;
    }
    // It comes in at speed 1.
    if (state.time < 6) {
      EXPECT_NEAR(total(grid, state.carried[0]), 2 * state.time * grid.face_area(0) * std::pow(5, Dim - 1),
                  0.2 + precise<T>(1e-4, 1e-10))
          << i;
    }
  }
  EXPECT_NEAR(total(grid, state.carried[0]), 2.0 * static_cast<double>(grid.fluid().cell_count()),
              precise<T>(1e-3, 1e-6));
}
TYPED_TEST(IncompressibleSmacExact, InflowBringsItsTemperature) {
  expect_temperature_of_inflow<typename TypeParam::T, TypeParam::value>(Integrator::runge_kutta);
}
TYPED_TEST(IncompressibleSmacExact, InflowBringsItsTemperatureInThePaper) {
  expect_temperature_of_inflow<typename TypeParam::T, TypeParam::value>(Integrator::paper);
}
