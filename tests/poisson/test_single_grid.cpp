/// The single-grid method converges as published, to the right solutions.

#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/single_grid.hpp>
#include <support/node_fields.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

/// Zero on the unit square's sides; the paper's first problem.
double polynomial(Vec<double, 2> const& x) {
  double const p = x[0] * x[0], q = x[1] * x[1];
  return -p * q * (1 - p) * (1 - q);
}
double polynomial_source(Vec<double, 2> const& x) {
  double const p = x[0] * x[0], q = x[1] * x[1];
  return -2 * (q * (1 - 6 * p) * (1 - q) + p * (1 - 6 * q) * (1 - p));
}

/// Product of cosines: no flux through the unit cube's sides.
template <int Dim>
double cosines(Vec<double, Dim> const& x) {
  double product = 1;
  for (int axis = 0; axis < Dim; ++axis) product *= std::cos((axis + 1) * pi * x[axis]);
  return product;
}
template <int Dim>
double laplacian_of_cosines(Vec<double, Dim> const& x) {
  return -(Dim == 2 ? 5 : 14) * pi * pi * cosines(x);
}

template <int Dim>
std::array<NodeSide, 2 * Dim> neumann_sides() {
  std::array<NodeSide, 2 * Dim> sides;
  sides.fill(NodeSide::neumann);
  return sides;
}

template <class Dimension>
class SingleGridOf : public testing::Test {};
TYPED_TEST_SUITE(SingleGridOf, Dimensions);
template <class Case>
class SingleGridIn : public testing::Test {};
TYPED_TEST_SUITE(SingleGridIn, RealCases);

}  // namespace

/// Errors by cycle and the ratio of residuals, with figures of an independent program.
TEST(SingleGridSolver, ReproducesThePublishedConvergence) {
  struct Expected {
    int n;
    std::vector<double> errors;
    double floor;
  };
  for (auto const& [n, errors, floor] :
       {Expected{8, {2.04e-2, 4.49e-4}, 2.233e-5}, Expected{10, {2.04e-2, 4.60e-4, 1.075e-5}, 1.396e-6}}) {
    auto const nodes = cube_of_nodes<2>(n);
    double const h = unit_spacing(n);
    auto const f = node_field<double>(nodes, h, polynomial_source);
    auto u = constant_field<double>(nodes, 0);
    SingleGridOptions<2> options;
    options.stop = {1e-12, 1};
    SingleGrid<double, 2> solver(nodes, h, options);
    for (int cycle = 1; cycle <= 6; ++cycle) {
      auto const report = solver.solve(f, u);
      ASSERT_EQ(report.residuals.size(), 2U);
      EXPECT_GT(report.residuals[1] / report.residuals[0], 0.02) << "n " << n << ", cycle " << cycle;
      EXPECT_LT(report.residuals[1] / report.residuals[0], 0.037) << "n " << n << ", cycle " << cycle;
      double const error = relative_error(u, h, polynomial);
      auto const index = static_cast<std::size_t>(cycle - 1);
      if (index < errors.size()) {
        EXPECT_NEAR(error, errors[index], 0.01 * errors[index]) << "cycle " << cycle;
      }
      if (cycle == 6) {
        EXPECT_NEAR(error, floor, 0.005 * floor);
      }
    }
  }
}

/// The potential between two plates, with a sphere of other conductivity between them. Residuals are maxima over those
/// of the guess. (With steps of h^2 / 3 s they are 2.0e-14 and 1.5e-13; but such steps are not stable where s varies
/// more.)
TEST(SingleGridSolver, ReproducesThePublishedSphere) {
  auto const nodes = cube_of_nodes<3>(6);
  double const h = unit_spacing(6);
  auto const zero = constant_field<double>(nodes, 0);
  SingleGridOptions<3> options;
  options.sides = {NodeSide::neumann, NodeSide::neumann, NodeSide::neumann, NodeSide::neumann};
  options.stop = {1e-16, 10};
  for (double const sign : {1.0, -1.0}) {
    auto const s = node_field<double>(nodes, h, [&](Vec<double, 3> const& x) {
      double const r =
          std::sqrt((x[0] - 0.5) * (x[0] - 0.5) + (x[1] - 0.5) * (x[1] - 0.5) + (x[2] - 0.5) * (x[2] - 0.5));
      return 0.55 + sign * 0.45 * std::tanh((r - 0.2) / 0.1);
    });
    auto u = node_field<double>(nodes, h, [](Vec<double, 3> const& x) {
      return x[2] == 0 ? -1.0 : x[2] == 1 ? 1.0 : 0.0;
    });
    SingleGrid<double, 3> solver(nodes, h, options, s);
    double const first = greatest_magnitude(solver.apply(u));
    auto const report = solver.solve(zero, u);
    EXPECT_LT(greatest_magnitude(solver.apply(u)) / first, sign > 0 ? 2.6e-14 : 1.8e-13);
    EXPECT_EQ(report.iterations, 10);
    EXPECT_LT(std::abs(sum(u)), 1e-6);  // the plates' potentials are opposite
  }
}

/// Accumulated residuals fall as computed ones do until these stop at the rounding errors of u; then they fall further,
/// at the same rate, while the solution no longer changes by more.
TEST(SingleGridSolver, AccumulatedResidualsFallBelowRounding) {
  auto const nodes = cube_of_nodes<2>(8);
  double const h = unit_spacing(8);
  auto const f = node_field<double>(nodes, h, polynomial_source);
  std::vector<Report> reports;
  std::vector<double> errors;
  for (bool const accumulates : {false, true}) {
    auto u = constant_field<double>(nodes, 0);
    SingleGridOptions<2> options;
    options.stop = {1e-16, 40};
    options.accumulates_residual = accumulates;
    SingleGrid<double, 2> solver(nodes, h, options);
    reports.push_back(solver.solve(f, u));
    errors.push_back(relative_error(u, h, polynomial));
  }
  EXPECT_EQ(reports[0].reason, StopReason::stagnated);
  EXPECT_EQ(reports[1].reason, StopReason::converged);
  EXPECT_LE(reports[1].residuals.back(), 1e-16);
  EXPECT_GT(reports[1].true_residual, 1e-15);
  EXPECT_LT(reports[1].true_residual, 10 * reports[0].true_residual);
  for (std::size_t i = 1; i < reports[1].residuals.size(); ++i)
    EXPECT_LT(reports[1].residuals[i], 0.037 * reports[1].residuals[i - 1]);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(reports[1].residuals[i], reports[0].residuals[i], 1e-5 * reports[0].residuals[i]);
  EXPECT_NEAR(errors[1], errors[0], 1e-9 * errors[0]);
}

/// With all sides Neumann and a > 0 the constant is solved for by itself; the accumulated residual knows of it.
TEST(SingleGridSolver, AccumulatedResidualsKnowOfTheConstant) {
  auto const nodes = cube_of_nodes<2>(6);
  double const h = unit_spacing(6);
  auto const f = node_field<double>(nodes, h, [](Vec<double, 2> const& x) { return 0.1 + cosines<2>(x); });
  SingleGridOptions<2> options;
  options.sides = neumann_sides<2>();
  options.stop = {1e-14, 40};
  options.accumulates_residual = true;
  auto u = constant_field<double>(nodes, 0);
  SingleGrid<double, 2> solver(nodes, h, options, 1, 0.1);
  auto const report = solver.solve(f, u);
  EXPECT_TRUE(report.has_converged());
  EXPECT_LT(report.true_residual, 1e-11);
  auto const exact = [](Vec<double, 2> const& x) { return 1 + cosines<2>(x) / (0.1 - 5 * pi * pi); };
  EXPECT_LT(relative_error(u, h, exact), 1e-3);
}

/// An observer sees each relaxation: levels in the order of the saw, the paper's count of work, and residuals. On the
/// coarsest level, which has one unknown, that is the mean of the residual of all nodes, weighted by a hat function.
TEST(SingleGridSolver, AnObserverSeesTheSaw) {
  auto const nodes = cube_of_nodes<2>(4);
  double const h = unit_spacing(4);
  auto const f = node_field<double>(nodes, h, polynomial_source);
  std::vector<SingleGridVisit> visits;
  SingleGridOptions<2> options;
  options.stop = {1e-12, 2};
  options.observe = [&](SingleGridVisit const& visit) { visits.push_back(visit); };
  auto u = constant_field<double>(nodes, 0);
  SingleGrid<double, 2>(nodes, h, options).solve(f, u);
  std::vector<int> const levels = {3, 3, 2, 2, 3, 3, 2, 2, 1, 1, 2, 2, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(visits.size(), 2 * levels.size());
  Index work = 0;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    int const level = levels[i % levels.size()];
    EXPECT_EQ(visits[i].level, level) << i;
    EXPECT_EQ(visits[i].cycle, i < levels.size() ? 0 : 1);
    if (i % 2 == 0) work += level;  // two relaxations per visit
    EXPECT_EQ(visits[i].work, work++);
  }

  options.stop.iteration_limit = 1;
  options.observe = {};
  SingleGrid<double, 2> solver(nodes, h, options);
  u = constant_field<double>(nodes, 0);
  for (std::size_t const first : {std::size_t{0}, levels.size()}) {
    auto const source = to_host(f), taken = to_host(solver.apply(u));
    double mean = 0;
    for (int y = 1; y < 16; ++y)
      for (int x = 1; x < 16; ++x) {
        auto const i = static_cast<std::size_t>(x + 17 * y);
        mean += (8 - std::abs(x - 8)) * (8 - std::abs(y - 8)) / 4096.0 * (source[i] - taken[i]);
      }
    EXPECT_NEAR(visits[first].residual, std::abs(mean), 1e-12);
    solver.solve(f, u);
  }
}

/// All sides Neumann: the mean of the source is taken off, that of the solution is 0.
TYPED_TEST(SingleGridOf, NeumannErrorsAreOfSecondOrder) {
  constexpr int Dim = TypeParam::value;
  for (auto const stencil : {NodeStencil::radial, NodeStencil::axes}) {
    double last_error = 0;
    for (int n = 4; n <= (Dim == 2 ? 7 : 6); ++n) {
      auto const nodes = cube_of_nodes<Dim>(n);
      double const h = unit_spacing(n);
      SingleGridOptions<Dim> options;
      options.stencil = stencil;
      options.sides = neumann_sides<Dim>();
      options.stop.tolerance = 1e-9;
      SingleGrid<double, Dim> solver(nodes, h, options);
      auto const f =
          node_field<double>(nodes, h, [](Vec<double, Dim> const& x) { return laplacian_of_cosines<Dim>(x) + 5; });
      auto u = constant_field<double>(nodes, 17);
      auto const report = solver.solve(f, u);
      ASSERT_TRUE(report.has_converged()) << name_of(report.reason);
      EXPECT_NEAR(report.incompatibility, 5 / std::sqrt(25 + std::pow((Dim == 2 ? 5 : 14) * pi * pi, 2) / (1 << Dim)),
                  1e-12);
      double const error = relative_error(u, h, cosines<Dim>);
      if (n > 4) {
        EXPECT_NEAR(last_error / error, 4, 0.2) << "n " << n;
      }
      last_error = error;
    }
    EXPECT_LT(last_error, 0.01);
  }
}

/// A varying coefficient, values given on two sides that are not 0, no flux through the others; also a term a u.
TYPED_TEST(SingleGridOf, VaryingCoefficientsGiveErrorsOfSecondOrder) {
  constexpr int Dim = TypeParam::value;
  double last_error = 0;
  for (int n = 4; n <= (Dim == 2 ? 7 : 5); ++n) {
    auto const nodes = cube_of_nodes<Dim>(n);
    double const h = unit_spacing(n);
    // u = exp(x) cos(pi y), s = 2 + sin(3 x + y), a = -1 - x.
    auto const exact = [](Vec<double, Dim> const& x) { return std::exp(x[0]) * std::cos(pi * x[1]); };
    auto const f = node_field<double>(nodes, h, [&](Vec<double, Dim> const& x) {
      double const s = 2 + std::sin(3 * x[0] + x[1]), slope = std::cos(3 * x[0] + x[1]);
      return s * (1 - pi * pi) * exact(x) + 3 * slope * exact(x) - slope * pi * std::exp(x[0]) * std::sin(pi * x[1]) -
             (1 + x[0]) * exact(x);
    });
    auto const s =
        node_field<double>(nodes, h, [](Vec<double, Dim> const& x) { return 2 + std::sin(3 * x[0] + x[1]); });
    auto const a = node_field<double>(nodes, h, [](Vec<double, Dim> const& x) { return -1 - x[0]; });
    SingleGridOptions<Dim> options;
    options.sides = neumann_sides<Dim>();
    options.sides[0] = options.sides[1] = NodeSide::dirichlet;
    options.sides[2] = NodeSide::dirichlet;
    auto u = node_field<double>(
        nodes, h, [&](Vec<double, Dim> const& x) { return x[0] == 0 || x[0] == 1 || x[1] == 0 ? exact(x) : 0; });
    SingleGrid<double, Dim> solver(nodes, h, options, s, a);
    auto const report = solver.solve(f, u);
    ASSERT_TRUE(report.has_converged()) << name_of(report.reason);
    EXPECT_LE(report.iterations, 13);
    double const error = relative_error(u, h, exact);
    if (n > 4) {
      EXPECT_NEAR(last_error / error, 4, 0.5) << "n " << n;
    }
    last_error = error;
  }
}

/// With Neumann sides the constant grows in pseudo-time if a > 0, and hardly decays if a < 0 is small.
TYPED_TEST(SingleGridOf, HelmholtzProblemsWithNeumannSidesConverge) {
  constexpr int Dim = TypeParam::value;
  int const n = Dim == 2 ? 6 : 4;
  auto const nodes = cube_of_nodes<Dim>(n);
  double const h = unit_spacing(n);
  auto const exact = [](Vec<double, Dim> const& x) { return 3 + cosines<Dim>(x); };
  for (double const a : {0.1, 1.0, -1e-3, -1.0, -500.0}) {
    auto const f = node_field<double>(
        nodes, h, [&](Vec<double, Dim> const& x) { return laplacian_of_cosines<Dim>(x) + a * exact(x); });
    SingleGridOptions<Dim> options;
    options.sides = neumann_sides<Dim>();
    SingleGrid<double, Dim> solver(nodes, h, options, 1, a);
    auto u = constant_field<double>(nodes, 0);
    auto const report = solver.solve(f, u);
    EXPECT_TRUE(report.has_converged()) << "a " << a << ": " << name_of(report.reason);
    EXPECT_LE(report.iterations, 10) << "a " << a;
    EXPECT_EQ(report.incompatibility, 0);
    EXPECT_LT(relative_error(u, h, exact), 0.03) << "a " << a;
  }
}

/// A coefficient that jumps between nodes: slower, but the steps stay stable.
TYPED_TEST(SingleGridOf, RandomCoefficientsConverge) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(Dim == 2 ? 6 : 4);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937 engine(seed);
    auto s = random_field<double>(nodes, engine);
    auto values = to_host(s);
    for (double& value : values) value = std::pow(10, value / 18);
    set_values(s, values);
    SingleGrid<double, Dim> solver(nodes, 1, {}, s);
    auto const f = random_field<double>(nodes, engine);
    auto u = random_field<double>(nodes, engine);
    auto const report = solver.solve(f, u);
    EXPECT_TRUE(report.has_converged()) << "seed " << seed << ": " << name_of(report.reason);
    EXPECT_LE(report.iterations, 15) << "seed " << seed;
  }
}

TYPED_TEST(SingleGridIn, SolvesToTheRoundingOfItsType) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  int const n = Dim == 2 ? 6 : 4;
  auto const nodes = cube_of_nodes<Dim>(n);
  double const h = unit_spacing(n);
  auto const sines = [](Vec<double, Dim> const& x) {
    double product = 1;
    for (int axis = 0; axis < Dim; ++axis) product *= std::sin(pi * x[axis]);
    return product;
  };
  auto const f = node_field<T>(nodes, h, [&](Vec<double, Dim> const& x) { return -Dim * pi * pi * sines(x); });
  SingleGridOptions<Dim> options;
  options.stop.tolerance = std::is_same_v<T, double> ? 1e-12 : 1e-4;
  SingleGrid<T, Dim> solver(nodes, h, options);
  auto u = constant_field<T>(nodes, 0);
  auto const report = solver.solve(f, u);
  EXPECT_TRUE(report.has_converged()) << name_of(report.reason);
  EXPECT_LT(relative_error(u, h, sines), Dim == 2 ? 1e-3 : 1.4e-2);

  auto again = sparse::clone(u);  // a solution takes no cycles
  EXPECT_EQ(solver.solve(f, again).iterations, 0);
  EXPECT_EQ(to_host(again), to_host(u));
}

TYPED_TEST(SingleGridIn, AllocatesNothingWhileItSolvesAndNamesItsKernels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(4);
  SingleGridOptions<Dim> options;
  options.sides = neumann_sides<Dim>();
  options.stop = {1e-3, 5};
  std::mt19937 engine(1);
  auto const f = random_field<T>(nodes, engine);
  auto u = constant_field<T>(nodes, 0);
  auto const in_use = nodes.context().arena()->bytes_in_use();
  SingleGrid<T, Dim> solver(nodes, 1, options);
  auto const with_solver = nodes.context().arena()->bytes_in_use();
  EXPECT_LT(with_solver - in_use, static_cast<std::size_t>(4 * nodes.cell_count()) * sizeof(T) + 2048);
  nodes.context().arena()->forget_peak();
  KokkosWatch const watch;
  EXPECT_TRUE(solver.solve(f, u).has_converged());
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_EQ(nodes.context().arena()->peak_bytes(), with_solver);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
