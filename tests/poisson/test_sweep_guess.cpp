/// Jacobi's method when it looks at the residual now and then only.

#include <sparse/poisson/solver.hpp>
#include <support/poisson.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonSweepGuess : public testing::Test {};
TYPED_TEST_SUITE(PoissonSweepGuess, RealCases);

struct GuessingJacobi {
  std::shared_ptr<SweepGuess> guess = std::make_shared<SweepGuess>();
  Method method = Jacobi{.guess = guess};
};

bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace

// The same sweeps as with a look after each: the same bits after as many. Looks come after 1, 2, 4, ... of them.
TYPED_TEST(PoissonSweepGuess, LooksAfterPowersOfTwo) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-7;
  int longest = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    auto const b = uniform_field<T>(problem.cells, seed);
    GuessingJacobi const jacobi;
    Solver<T, Dim> solver(problem, jacobi.method, {tolerance, 100000});
    auto x = uniform_field<T>(problem.cells, seed + 1000);
    auto const report = solver.solve(b, x);
    ASSERT_TRUE(report.has_converged()) << "seed " << seed << ": " << name_of(report.reason);
    EXPECT_LE(report.true_residual, tolerance);
    if (report.iterations == 0) continue;
    EXPECT_TRUE(is_power_of_two(report.iterations)) << report.iterations;
    EXPECT_EQ(1 << (report.residuals.size() - 2), report.iterations);
    EXPECT_EQ(report.residuals.back(), report.true_residual);
    // The look before was one too early.
    EXPECT_GT(report.residuals[report.residuals.size() - 2], tolerance);
    EXPECT_GE(2 * jacobi.guess->sweeps, report.iterations) << "seed " << seed;
    EXPECT_LE(jacobi.guess->sweeps, report.iterations) << "seed " << seed;

    auto same = uniform_field<T>(problem.cells, seed + 1000);
    Solver<T, Dim>(problem, Jacobi{}, {1e-300, report.iterations}).solve(b, same);
    EXPECT_EQ(values_of(x), values_of(same)) << "seed " << seed;
    longest = std::max(longest, report.iterations);
  }
  EXPECT_GE(longest, 128);
}

// The next solution begins to look where the last one ended, and then after 1, 2, 4, ... more sweeps. When problems get
// easier, it looks sooner.
TYPED_TEST(PoissonSweepGuess, GoesOnFromTheLastSolution) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(12));
  double const tolerance = 1e-4;
  auto const b = uniform_field<T>(problem.cells, 1);
  auto const needed = [&](sparse::Field<T, Dim> const& from) {
    auto x = clone(from);
    return Solver<T, Dim>(problem, Jacobi{}, {tolerance, 100000}).solve(b, x).iterations;
  };
  GuessingJacobi const jacobi;
  Solver<T, Dim> solver(problem, jacobi.method, {tolerance, 100000});
  auto const nothing = zero_field<T>(problem.cells);
  auto x = clone(nothing);
  int const enough = needed(nothing);
  solver.solve(b, x);
  int last = jacobi.guess->sweeps;
  for (int k = 0; k < 4; ++k) {
    assign(x, nothing);
    auto const report = solver.solve(b, x);
    EXPECT_LE(report.true_residual, tolerance);
    EXPECT_GE(report.iterations, enough);
    EXPECT_TRUE(report.iterations == last || is_power_of_two(report.iterations - last)) << report.iterations;
    last = jacobi.guess->sweeps;
  }
  // After some solutions it knows, except for a few sweeps.
  EXPECT_NEAR(last, enough, 0.05 * enough);
  // From a guess that is nearly good enough there is less to do.
  assign(x, nothing);
  Solver<T, Dim>(problem, Jacobi{}, {1.5 * tolerance, 100000}).solve(b, x);
  auto const near = clone(x);
  int const few = needed(near);
  ASSERT_LT(few, enough / 4);
  assign(x, near);
  EXPECT_EQ(solver.solve(b, x).iterations, last);  // it did not know yet
  assign(x, near);
  EXPECT_LT(solver.solve(b, x).iterations, 2 * few);
  // The number is all that it remembers.
  GuessingJacobi const other;
  other.guess->sweeps = jacobi.guess->sweeps;
  auto y = clone(near);
  Solver<T, Dim> second(problem, other.method, {tolerance, 100000});
  assign(x, near);
  EXPECT_EQ(solver.solve(b, x).iterations, second.solve(b, y).iterations);
  EXPECT_EQ(values_of(x), values_of(y));
}

TYPED_TEST(PoissonSweepGuess, KeepsTheStopRule) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(10));
  auto const b = uniform_field<T>(problem.cells, 1);
  GuessingJacobi const jacobi;
  auto const solve = [&](StopRule const& stop, sparse::Field<T, Dim>& x, int guess = 0) {
    jacobi.guess->sweeps = guess;
    return Solver<T, Dim>(problem, jacobi.method, stop).solve(b, x);
  };
  for (int const limit : {0, 1, 3, 100}) {
    auto x = zero_field<T>(problem.cells);
    for (int const guess : {0, 7}) {
      auto const report = solve({1e-30, limit}, x, guess);
      EXPECT_EQ(report.iterations, limit);
      EXPECT_EQ(report.reason, StopReason::iteration_limit);
    }
  }
  auto x = zero_field<T>(problem.cells);
  ASSERT_TRUE(solve({1e-4, 10000}, x).has_converged());
  EXPECT_EQ(solve({1e-4, 10000, 3}, x).iterations, 3);
  EXPECT_EQ(solve({1e-4, 10000}, x, 9).iterations, 0);
  // A tolerance below rounding is never said to be met.
  auto const report = solve({1e-30, 1000000}, x);
  EXPECT_EQ(report.reason, StopReason::stagnated);
  EXPECT_LT(report.true_residual, 1000 * std::numeric_limits<T>::epsilon());
}

TYPED_TEST(PoissonSweepGuess, AllocatesNothingOnceWarm) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(20));
  auto const b = uniform_field<T>(problem.cells, 1);
  GuessingJacobi const jacobi;
  Solver<T, Dim> solver(problem, jacobi.method, {1e-3, 1000});
  auto x = zero_field<T>(problem.cells);
  solver.solve(b, x);
  fill(x, 0);
  KokkosWatch const watch;
  solver.solve(b, x);
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
