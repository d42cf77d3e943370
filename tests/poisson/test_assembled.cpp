/// Solvers of other libraries: they get the right rows, and what they do is checked.

#include <sparse/poisson/solver.hpp>
#include <support/poisson.hpp>
#ifdef SPARSE_HAS_HYPRE
#include <sparse/distributed/hypre.hpp>
#endif

namespace {

using namespace reference;
using namespace sparse::poisson;
using sparse::distributed::AssembledSolver;
using sparse::distributed::MatrixRows;
using sparse::distributed::Team;

template <class TheCase>
class PoissonAssembled : public testing::Test {};
TYPED_TEST_SUITE(PoissonAssembled, RealCases);

Matrix dense(MatrixRows const& rows) {
  auto const count = static_cast<std::size_t>(rows.count());
  Matrix a(count, Values(count, 0));
  for (std::size_t i = 0; i < count; ++i)
    for (auto k = static_cast<std::size_t>(rows.starts[i]); k < static_cast<std::size_t>(rows.starts[i + 1]); ++k) {
      double& entry = a[i][static_cast<std::size_t>(rows.columns[k])];
      EXPECT_EQ(entry, 0) << "a column twice in row " << i;
      entry = rows.values[k];
    }
  return a;
}

/// The last matrix that a solver was made for, and what solvers were asked for.
MatrixRows last_rows;
std::vector<std::pair<double, int>> calls;

/// A Cholesky factor, which leaves a twentieth of the error.
class Direct : public AssembledSolver {
public:
  explicit Direct(MatrixRows const& rows) : factor_(dense(rows)) {}
  int solve(Values const& b, Values& x, double tolerance, int iteration_limit) override {
    calls.emplace_back(tolerance, iteration_limit);
    auto const exact = factor_.solve(b);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = exact[i] + 0.05 * (x[i] - exact[i]);
    return 1;
  }

private:
  DenseSolver factor_;
};
std::unique_ptr<AssembledSolver> direct(Team*, MatrixRows const& rows) {
  last_rows = rows;
  calls.clear();
  return std::make_unique<Direct>(rows);
}

/// Says that it has done something, and has not.
class Idle : public AssembledSolver {
  int solve(Values const&, Values&, double, int) override { return 1; }
};
std::unique_ptr<AssembledSolver> idle(Team*, MatrixRows const&) { return std::make_unique<Idle>(); }

template <class T, int Dim>
Report solve(Problem<Dim> const& problem, Method const& method, StopRule const& stop, sparse::Field<T, Dim>& x) {
  return Solver<T, Dim>(problem, method, stop).solve(uniform_field<T>(problem.cells, 3), x);
}

constexpr int iteration_limit = 60;
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-10;

/// Solves a random problem. The solution is as near to the exact one as the tolerance of the residual says.
template <class T, int Dim>
Report solve_random_problem(unsigned seed, Assembled const& method) {
  auto const problem = random_problem<Dim>(seed);
  auto const b = uniform_field<T>(problem.cells, seed);
  auto x = uniform_field<T>(problem.cells, seed + 1);
  auto const report = Solver<T, Dim>(problem, method, {tolerance<T>, iteration_limit}).solve(b, x);
  EXPECT_TRUE(report.has_converged()) << report.true_residual;
  EXPECT_LE(report.true_residual, tolerance<T>);
  DenseSolver const exact(dense_matrix(problem));
  double const error = length(difference(values_of(x), exact.solve(values_of(b))));
  EXPECT_LE(error, 2 * tolerance<T> * exact.inverse_norm() * length(values_of(b)) + 1e-5 * tolerance<T>);
  return report;
}

}  // namespace

TYPED_TEST(PoissonAssembled, SolversGetTheRowsOfTheMatrix) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const rounding = std::is_same_v<T, float> ? 1e-6 : 1e-14;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    auto const problem = random_problem<Dim>(seed);
    auto const expected = dense_matrix(problem);
    Solver<T, Dim> solver(problem, Assembled{direct});
    auto const found = dense(last_rows);
    ASSERT_EQ(last_rows.first, 0);
    ASSERT_EQ(found.size(), expected.size());
    // One row of each singular component has a greater diagonal.
    auto const components = singular_components(expected);
    std::vector<std::size_t> count(components.size(), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      double const size = expected[i][i];
      for (std::size_t j = 0; j < found.size(); ++j)
        ASSERT_NEAR(i == j ? 0 : found[i][j], i == j ? 0 : expected[i][j], rounding * size) << i << ' ' << j;
      if (std::abs(found[i][i] - size) <= rounding * size) continue;
      ASSERT_NEAR(found[i][i], size > 0 ? 2 * size : 1, 2 * rounding * size) << i;
      for (std::size_t k = 0; k < components.size(); ++k)
        for (auto const j : components[k]) count[k] += i == j;
    }
    for (std::size_t k = 0; k < components.size(); ++k) ASSERT_EQ(count[k], 1u) << "component " << k;
  }
}

TYPED_TEST(PoissonAssembled, AreCalledUntilTheResidualIsSmall) {
  using T = typename TypeParam::T;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    auto const report = solve_random_problem<T, TypeParam::value>(seed, {direct});
    ASSERT_EQ(static_cast<std::size_t>(report.iterations), calls.size());
    for (std::size_t k = 0; k < calls.size(); ++k) {
      ASSERT_DOUBLE_EQ(calls[k].first, tolerance<T> * std::pow(10.0, -static_cast<double>(k)));
      ASSERT_EQ(calls[k].second, iteration_limit - static_cast<int>(k));
    }
  }
}

TEST(AssembledRules, KeepTheRulesForStopping) {
  Problem<2> const problem{.cells = sparse::box({0, 0}, {8, 6}), .zeroth_order = 0.5};
  auto x = zero_field<double>(problem.cells);
  auto report = solve(problem, Assembled{direct}, {1e-12, 3}, x);
  EXPECT_EQ(report.reason, StopReason::iteration_limit);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_NEAR(report.true_residual, 0.05 * 0.05 * 0.05, 1e-9);
  report = solve(problem, Assembled{direct}, {.tolerance = 1, .least_iterations = 2}, x);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_EQ(calls, (std::vector<std::pair<double, int>>{{0, 2}, {0, 1}}));
  report = solve(problem, Assembled{idle}, {1e-14, 100}, x);
  EXPECT_EQ(report.reason, StopReason::stagnated);
  EXPECT_LT(report.iterations, 10);
}

TEST(AssembledRules, NeedSomethingThatMakesThem) {
  Problem<2> const problem{.cells = sparse::box({0, 0}, {4, 4})};
  EXPECT_TRUE(is_refused([&] { Solver<double, 2>(problem, Assembled{}); }, "need a function"));
  auto const alone = sparse::distributed::alone();
  auto exact = problem;
  exact.team = alone.get();
  exact.has_exact_sums = true;
  EXPECT_TRUE(is_refused([&] { Solver<double, 2>(exact, Assembled{direct}); }, "no exact sums"));
}

#ifdef SPARSE_HAS_HYPRE
TYPED_TEST(PoissonAssembled, HypreFindsTheSolution) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    solve_random_problem<typename TypeParam::T, TypeParam::value>(seed, {sparse::distributed::hypre});
  }
}
#endif
