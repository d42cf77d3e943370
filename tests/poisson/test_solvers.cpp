/// Every solver on random problems, against the exact solution.

#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/poisson.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonSolvers : public testing::Test {};
TYPED_TEST_SUITE(PoissonSolvers, RealCases);

/// Options that differ from seed to seed, for small problems.
template <class T>
SolverOptions options_for(Method const& method, unsigned seed) {
  Multigrid cycles;
  cycles.interpolation = seed % 4 < 2 ? Interpolation::constant : Interpolation::linear;
  cycles.cycle = seed % 3 == 0 ? Cycle::w : Cycle::v;
  cycles.coarsest.cells = 4;
  cycles.precision = seed % 2 == 0 ? Precision::single : Precision::same;
  return {with_cycles(method, cycles), {std::is_same_v<T, float> ? 2e-5 : 1e-9, 100000}};
}

/// A problem with its exact solution.
template <int Dim>
struct Solved {
  Problem<Dim> problem;
  Matrix a;
  DenseSolver exact;
  double inverse_norm;

  Solved(unsigned seed, bool may_have_odd_periods)
      : problem(random_problem<Dim>(seed, may_have_odd_periods)), a(dense_matrix(problem)), exact(a),
        inverse_norm(exact.inverse_norm()) {}
};

/// Solves for a random right-hand side from a random guess and compares.
template <class T, int Dim>
void expect_solution(Solved<Dim> const& solved, SolverOptions const& options, unsigned seed) {
  auto const& cells = solved.problem.cells;
  Solver<T, Dim> solver(solved.problem, options.method, options.stop);
  auto const b = uniform_field<T>(cells, seed);
  auto x = uniform_field<T>(cells, seed + 1000);
  auto const report = solver.solve(b, x);
  ASSERT_TRUE(report.has_converged()) << name_of(report.reason) << " at " << report.true_residual << " after "
                                      << report.iterations;
  EXPECT_EQ(static_cast<int>(report.residuals.size()), report.iterations + 1);
  EXPECT_LE(report.true_residual, options.stop.tolerance);
  auto wanted = values_of(b);
  double const size = length(wanted);
  double const greatest = remove_means(solved.exact.singular_components(), wanted);
  EXPECT_NEAR(report.incompatibility, greatest * std::sqrt(static_cast<double>(wanted.size())) / size, 1e-5);
  double const rounding = std::is_same_v<T, float> ? 2e-6 : 1e-14;
  double const residual = length(difference(wanted, product(solved.a, values_of(x))));
  double const limit = options.stop.tolerance * length(wanted) + rounding * (size + length(values_of(x)) / 100);
  EXPECT_LE(residual, 1.5 * limit);
  auto const error = length(difference(values_of(x), solved.exact.solve(wanted)));
  EXPECT_LE(error, 1.1 * residual * solved.inverse_norm + 20 * rounding * length(values_of(x)));
}

}  // namespace

TYPED_TEST(PoissonSolvers, SolveRandomProblems) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 36; ++seed) {
    Solved<Dim> const solved(seed, seed % 2 != 0);
    for (Method const& method : methods) {
      if (!can_do(method, solved.problem)) continue;
      SCOPED_TRACE(testing::Message() << name_of(method) << ", seed " << seed);
      expect_solution<T>(solved, options_for<T>(method, seed), seed);
    }
  }
}

// Each component has a constant of its own; the means of all are taken off one by one.
TYPED_TEST(PoissonSolvers, SolveSeveralClosedComponents) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  auto const one = sparse::box<Dim>({}, Cell<Dim>::filled(4));
  auto far = Cell<Dim>::filled(5);
  far[0] = 1000;
  problem.cells = one | sparse::box<Dim>(Cell<Dim>::filled(5), Cell<Dim>::filled(7)) |
                  sparse::box<Dim>(far, far + Cell<Dim>::filled(3));
  DenseSolver const exact(dense_matrix(problem));
  ASSERT_EQ(exact.singular_components().size(), 3u);
  auto const b = field_of<T>(problem.cells, [](Cell<Dim> const& c) { return c[0] < 4 ? c[1] : c[0] < 7 ? 10 : -c[0]; });
  auto const wanted = exact.solve(values_of(b));
  for (Method const& method : methods) {
    SCOPED_TRACE(name_of(method));
    auto const options = options_for<T>(method, 1);
    Solver<T, Dim> solver(problem, options.method, options.stop);
    auto x = uniform_field<T>(problem.cells, 1);
    auto const report = solver.solve(b, x);
    EXPECT_TRUE(report.has_converged()) << name_of(report.reason);
    EXPECT_GT(report.incompatibility, 1);
    EXPECT_LE(length(difference(values_of(x), wanted)), 1e-3 * length(wanted));
    auto left = values_of(x);
    EXPECT_LE(remove_means(exact.singular_components(), left), 1e-6);
  }
}

// In float, all sizes that float can hold; in double with cycles in float, also sizes that float cannot. Powers of two
// change nothing but exponents.
TYPED_TEST(PoissonSolvers, DoTheSameForSmallAndLargeRightHandSides) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  std::vector<double> factors = {std::ldexp(1, -100), std::ldexp(1, 60)};
  if (std::is_same_v<T, double>)
    factors.insert(factors.end(), {std::ldexp(1, -140), std::ldexp(1, 140), std::ldexp(1, -400), 1e-30, 1e-38, 1e40});
  for (unsigned seed = 0; seed < 8; seed += 2) {
    auto const problem = random_problem<Dim>(seed, true);
    for (Method const& method : methods) {
      if (!has_multigrid(method) || is<TiledMultigridCg>(method)) continue;
      auto const options = options_for<T>(method, seed);
      Solver<T, Dim> solver(problem, options.method, options.stop);
      auto const b = uniform_field<T>(problem.cells, seed), boundary = uniform_field<T>(problem.cells, seed + 1);
      auto x = uniform_field<T>(problem.cells, seed + 1000);
      auto const report = solver.solve(b, boundary, x);
      EXPECT_TRUE(report.has_converged()) << name_of(report.reason);
      for (double const factor : factors) {
        SCOPED_TRACE(testing::Message() << name_of(method) << ", seed " << seed << ", times " << factor);
        auto scaled = clone(b), scaled_boundary = clone(boundary), y = uniform_field<T>(problem.cells, seed + 1000);
        for (auto* const field : {&scaled, &scaled_boundary, &y}) scale(*field, static_cast<T>(factor));
        auto const same = solver.solve(scaled, scaled_boundary, y);
        EXPECT_TRUE(same.has_converged()) << name_of(same.reason);
        EXPECT_NEAR(same.right_side / factor, report.right_side, 1e-6 * report.right_side);
        scale(y, static_cast<T>(1 / factor));
        int exponent = 0;
        bool const is_power_of_two = std::frexp(factor, &exponent) == 0.5;
        EXPECT_NEAR(same.iterations, report.iterations, is_power_of_two ? 0 : 1);  // else roundings differ
        double const allowed = is_power_of_two ? 0 : 1e-8;
        EXPECT_LE(length(difference(values_of(y), values_of(x))), allowed * length(values_of(x)));
      }
    }
  }
}

TYPED_TEST(PoissonSolvers, KeepAGuessThatIsGoodEnough) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = random_problem<Dim>(2);
  for (Method const& method : methods) {
    auto options = options_for<T>(method, 0);
    if (!can_do(method, problem)) continue;
    Solver<T, Dim> solver(problem, options.method, options.stop);
    auto const b = uniform_field<T>(problem.cells, 1);
    auto x = zero_field<T>(problem.cells);
    solver.solve(b, x);
    auto const before = values_of(x);
    options.stop.tolerance *= 2;
    auto const report = Solver<T, Dim>(problem, options.method, options.stop).solve(b, x);
    EXPECT_TRUE(report.has_converged());
    EXPECT_EQ(report.iterations, 0) << name_of(method);
    EXPECT_LE(length(difference(values_of(x), before)), 1e-6 * length(before)) << name_of(method);
  }
}

// The solution is 0 if b = 0, or if b is a constant where constants have no solution.
TYPED_TEST(PoissonSolvers, GiveZeroForNothing) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> closed;
  closed.cells = sparse::box<Dim>({}, Cell<Dim>::filled(6));
  auto open = closed;
  open.zeroth_order = 1;
  for (Method const& method : methods) {
    auto const options = options_for<T>(method, 0);
    for (double const value : {0.0, 0.1}) {
      auto x = uniform_field<T>(closed.cells, 1);
      auto const report = Solver<T, Dim>(closed, options.method, options.stop)
                              .solve(field_of<T>(closed.cells, [&](auto const&) { return value; }), x);
      EXPECT_TRUE(report.has_converged()) << name_of(method);
      EXPECT_EQ(report.iterations, 0) << name_of(method);
      EXPECT_NEAR(report.incompatibility, value > 0 ? 1 : 0, 1e-6) << name_of(method);
      EXPECT_EQ(length(values_of(x)), 0) << name_of(method);
    }
    auto x = uniform_field<T>(closed.cells, 1);
    Solver<T, Dim> solver(open, options.method, options.stop);
    EXPECT_TRUE(solver.solve(zero_field<T>(closed.cells), x).has_converged()) << name_of(method);
    EXPECT_EQ(length(values_of(x)), 0) << name_of(method);
  }
}
