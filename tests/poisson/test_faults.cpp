/// What solvers refuse, and how they say that they have not converged.

#include <sparse/poisson/solver.hpp>
#include <support/poisson.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

double const not_a_number = std::nan(""), infinity = std::numeric_limits<double>::infinity();

template <class TheCase>
class PoissonFaults : public testing::Test {};
TYPED_TEST_SUITE(PoissonFaults, RealCases);

template <int Dim>
Problem<Dim> open_box(Coord width) {
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(width));
  auto end = Cell<Dim>::filled(width);
  end[0] = 1;
  problem.dirichlet[0] = sparse::box<Dim>({}, end);
  return problem;
}

}  // namespace

TYPED_TEST(PoissonFaults, MoreCellsThanOffsetsCanCountAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto end = Cell<Dim>::filled(32);
  end[0] = Dim == 2 ? 1 << 26 : 1 << 21;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, end);
  EXPECT_TRUE(is_refused([&] { Solver<typename TypeParam::T, Dim> const solver(problem); }, "2^31 cells or more"));
}

TYPED_TEST(PoissonFaults, OptionsOutOfRangeAreRefused) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = open_box<Dim>(4);
  auto const refused = [&](Method const& method, char const* part, StopRule const& stop = {}) {
    return is_refused([&] { Solver<T, Dim> const solver(problem, method, stop); }, part);
  };
  for (double const wrong : {0.0, -1.0, not_a_number, infinity}) {
    SCOPED_TRACE(wrong);
    EXPECT_TRUE(refused(Jacobi{wrong}, "factor of Jacobi"));
    EXPECT_TRUE(refused(Sor{wrong}, "factor of SOR"));
    EXPECT_TRUE(refused(MultigridCg{{.relaxation = wrong}}, "relaxation of multigrid"));
    EXPECT_TRUE(refused(Chebyshev{.least_eigenvalue = wrong}, "least eigenvalue"));
    EXPECT_TRUE(refused(Chebyshev{.greatest_eigenvalue = wrong}, "greatest eigenvalue"));
    for (Method const& method : methods) EXPECT_TRUE(refused(method, "tolerance", {wrong})) << name_of(method);
  }
  for (Method const& method : methods) EXPECT_TRUE(refused(method, "iteration limit", {1e-6, -1})) << name_of(method);
  EXPECT_TRUE(refused(Jacobi{1.01}, "factor of Jacobi"));
  EXPECT_TRUE(refused(Sor{2.0}, "factor of SOR"));
  EXPECT_TRUE(refused(Multigrid{.relaxation = 2.0}, "relaxation of multigrid"));
  EXPECT_TRUE(refused(Chebyshev{.greatest_eigenvalue = 2.1}, "greatest eigenvalue"));
  EXPECT_TRUE(refused(Chebyshev{.least_eigenvalue = 0.5, .greatest_eigenvalue = 0.5}, "less than the greatest"));
  EXPECT_TRUE(refused(FullMultigrid{.cycles = 0}, "number of cycles"));
  for (int const count : {0, -1})
    for (Method const& method : methods) {
      if (!has_multigrid(method)) continue;
      SCOPED_TRACE(testing::Message() << name_of(method) << ", " << count);
      EXPECT_TRUE(refused(with_cycles(method, {.sweeps = count}), "sweeps"));
      EXPECT_TRUE(refused(with_cycles(method, {.coarsest = {.sweeps = count}}), "sweeps"));
      EXPECT_TRUE(refused(with_cycles(method, {.coarsest = {.cells = count}}), "coarsest level"));
      if (is<TiledMultigridCg>(method)) continue;
      EXPECT_TRUE(refused(with_cycles(method, {.interpolation = Interpolation::quadratic}), "linear interpolation"));
    }
}

TYPED_TEST(PoissonFaults, EstimatesTakeThePlaceOfWhatWasLeftOpen) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = open_box<Dim>(6);
  for (Method const& method : methods) {
    Solver<T, Dim> const solver(problem, method);
    bool const is_open = is<Sor>(method) || is<Chebyshev>(method);
    EXPECT_EQ(solver.method() == method, !is_open) << name_of(method);
    EXPECT_TRUE((Solver<T, Dim>(problem, solver.method()).method() == solver.method())) << name_of(method);
  }
}

TYPED_TEST(PoissonFaults, OddPeriodsHaveNoTwoColours) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto problem = open_box<Dim>(5);
  problem.period[Dim - 1] = 5;
  for (Method const& method : {Method(GaussSeidel{}), Method(Sor{})})
    EXPECT_TRUE(is_refused([&] { Solver<T, Dim> const solver(problem, method); }, "same colour"));
  problem.period[Dim - 1] = 6;
  for (Method const& method : {Method(GaussSeidel{}), Method(Sor{})})
    EXPECT_NO_THROW((Solver<T, Dim>(problem, method)));
}

TYPED_TEST(PoissonFaults, FieldsThatDoNotFitAreRefused) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = open_box<Dim>(4);
  auto const b = uniform_field<T>(problem.cells, 1);
  for (Method const& method : methods) {
    SCOPED_TRACE(name_of(method));
    Solver<T, Dim> solver(problem, method);
    auto x = zero_field<T>(problem.cells);
    auto other = zero_field<T>(open_box<Dim>(5).cells);
    sparse::Field<T, Dim> two("two", problem.cells, 2);
    EXPECT_TRUE(is_refused([&] { solver.solve(other, x); }, "right-hand side"));
    EXPECT_TRUE(is_refused([&] { solver.solve(b, other); }, "solution"));
    EXPECT_TRUE(is_refused([&] { solver.solve(two, x); }, "right-hand side"));
    EXPECT_TRUE(is_refused([&] { solver.solve(b, two); }, "solution"));
    EXPECT_TRUE(is_refused([&] { solver.solve(b, other, x); }, "part from the boundary"));
    EXPECT_TRUE(is_refused([&] { solver.solve(x, x); }, "another field"));
    for (double const wrong : {not_a_number, infinity, -infinity})
      for (Index const at : {Index{0}, problem.cells.cell_count() - 1}) {
        auto values = to_host(b);
        values[static_cast<std::size_t>(at)] = static_cast<T>(wrong);
        auto bad = zero_field<T>(problem.cells);
        set_values(bad, values);
        EXPECT_TRUE(is_refused([&] { solver.solve(bad, x); }, "right-hand side has a NaN")) << wrong;
        EXPECT_TRUE(is_refused([&] { solver.solve(b, bad); }, "guess has a NaN")) << wrong;
      }
    EXPECT_EQ(length(values_of(x)), 0);  // unchanged
  }
}

TYPED_TEST(PoissonFaults, TheLimitOfIterationsIsReported) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = open_box<Dim>(Dim == 2 ? 24 : 12);
  auto const b = uniform_field<T>(problem.cells, 1);
  for (Method const& method : methods)
    for (int const limit : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << name_of(method) << ", " << limit);
      Solver<T, Dim> solver(problem, method, {1e-5, limit});
      auto x = zero_field<T>(problem.cells), r = zero_field<T>(problem.cells);
      auto const report = solver.solve(b, x);
      EXPECT_EQ(report.reason, StopReason::iteration_limit);
      EXPECT_EQ(report.iterations, limit);
      EXPECT_EQ(static_cast<int>(report.residuals.size()), limit + 1);
      EXPECT_GT(report.true_residual, 1e-5);
      double const residual = solver.matrix().residual(r, b, x) / length(values_of(b));
      EXPECT_NEAR(report.true_residual, residual, 1e-5 * residual);
      EXPECT_NEAR(report.residuals.back(), residual, 1e-3 * residual);
    }
}

// Methods keep track of a residual, and must not take it for the true one.
TYPED_TEST(PoissonFaults, AToleranceBelowRoundingIsNeverSaidToBeMet) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = open_box<Dim>(Dim == 2 ? 6 : 5);
  auto const b = uniform_field<T>(problem.cells, 1);
  for (Method const& method : methods) {
    SCOPED_TRACE(name_of(method));
    Solver<T, Dim> solver(problem, method, {1e-25, 3000});
    auto x = zero_field<T>(problem.cells), r = zero_field<T>(problem.cells);
    auto const report = solver.solve(b, x);
    EXPECT_FALSE(report.has_converged());
    EXPECT_TRUE(report.reason == StopReason::stagnated || report.reason == StopReason::iteration_limit)
        << name_of(report.reason);
    if (has_multigrid(method)) {
      EXPECT_EQ(report.reason, StopReason::stagnated);
      EXPECT_LT(report.iterations, 100);
    }
    double const residual = solver.matrix().residual(r, b, x) / length(values_of(b));
    EXPECT_NEAR(report.true_residual, residual, 1e-5 * residual);
    EXPECT_LT(residual, 1000 * std::numeric_limits<T>::epsilon());
  }
}

// The solution is too large for a float, the right-hand side and the matrix are not.
TEST(PoissonOverflow, IsReported) {
  auto problem = open_box<2>(16);
  problem.grid.spacing = {1e9, 1e9};
  auto const b = field_of<float>(problem.cells, [](auto const&) { return 1e25; });
  for (Method const& method : methods) {
    Solver<float, 2> solver(problem, method, {1e-4, 2000});
    auto x = zero_field<float>(problem.cells);
    auto const report = solver.solve(b, x);
    EXPECT_EQ(report.reason, StopReason::not_finite) << name_of(method) << ": " << name_of(report.reason);
    EXPECT_FALSE(std::isfinite(report.true_residual)) << name_of(method);
  }
}
