/// What convergence depends on: symmetric definite preconditioners, good estimates, residuals that sink.

#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/poisson.hpp>

#include "multigrid/hierarchy.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonMethods : public testing::Test {};
TYPED_TEST_SUITE(PoissonMethods, RealCases);

/// p = 0 on the lower x side of a box with a ball cut from it.
template <int Dim>
Problem<Dim> box_less_ball(Coord width) {
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(width)) -
                  sparse::ball<Dim>(Vec<double, Dim>::filled(0.5 * width), 0.2 * width);
  auto end = Cell<Dim>::filled(width);
  end[0] = 1;
  problem.dirichlet[0] = sparse::box<Dim>({}, end);
  return problem;
}

template <class T, int Dim>
Report solve(Problem<Dim> const& problem, Method const& method, StopRule const& stop = {}) {
  auto x = zero_field<T>(problem.cells);
  auto const report = Solver<T, Dim>(problem, method, stop).solve(uniform_field<T>(problem.cells, 1), x);
  EXPECT_TRUE(report.has_converged()) << name_of(method) << ": " << name_of(report.reason);
  return report;
}

std::vector<Method> const conjugate_gradients = {ConjugateGradients{}, ConjugateGradients{Preconditioner::diagonal},
                                                 MultigridCg{}, FlexibleCg{}};

/// The least eigenvalue of D^-1 A but for zeros, by inverse iteration.
double least_eigenvalue(Matrix const& a) {
  DenseSolver const exact(a);
  Values x(a.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 3.7 * static_cast<double>(i));
  double least = 0;
  for (int step = 0; step < 60; ++step) {
    for (auto const& component : exact.singular_components()) {
      double sum = 0, weight = 0;
      for (auto const i : component) sum += a[i][i] * x[i], weight += a[i][i];
      for (auto const i : component) x[i] -= weight > 0 ? sum / weight : x[i];
    }
    Values dx(x);
    for (std::size_t i = 0; i < x.size(); ++i) dx[i] *= a[i][i];
    double const size = product(x, dx);
    if (size == 0) return 1;
    least = product(x, product(a, x)) / size;
    for (auto& value : dx) value /= std::sqrt(size);
    x = exact.solve(dx);
  }
  return least;
}

}  // namespace

TYPED_TEST(PoissonMethods, CyclesAreSymmetricAndPositive) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 48; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    Multigrid options;
    options.interpolation = seed % 2 == 0 ? Interpolation::constant : Interpolation::linear;
    options.cycle = seed / 2 % 2 == 0 ? Cycle::v : Cycle::w;
    options.sweeps = 1 + static_cast<int>(seed / 4 % 2);
    options.coarsest.cells = 4;
    detail::Hierarchy<T, Dim> multigrid(detail::Couplings<T, Dim>(problem), options);
    Operator<T, Dim> const matrix(problem);
    auto u = uniform_field<T>(problem.cells, seed), v = uniform_field<T>(problem.cells, seed + 1000);
    matrix.remove_means(u);
    matrix.remove_means(v);
    auto mu = zero_field<T>(problem.cells), mv = zero_field<T>(problem.cells);
    multigrid.cycle(std::as_const(u).view().data, mu.view().data);
    multigrid.cycle(std::as_const(v).view().data, mv.view().data);
    matrix.remove_means(mu);
    matrix.remove_means(mv);
    double const umv = product(values_of(u), values_of(mv)), muv = product(values_of(mu), values_of(v));
    double const size = length(values_of(u)) * length(values_of(mv)) + length(values_of(mu)) * length(values_of(v));
    EXPECT_NEAR(umv, muv, 100 * std::numeric_limits<T>::epsilon() * size) << "seed " << seed;
    double const lengths = length(values_of(u)) * length(values_of(mu));
    if (length(values_of(u)) > 1e-6) {  // a single closed cell has nothing but its mean
      EXPECT_GT(product(values_of(u), values_of(mu)), 1e-3 * lengths) << "seed " << seed;
    }
  }
}

TYPED_TEST(PoissonMethods, CyclesMakeEachResidualSmaller) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = box_less_ball<Dim>(Dim == 2 ? 64 : 24);
  for (Method const& kind : {Method(Multigrid{}), Method(FullMultigrid{})})
    for (Cycle const cycle : {Cycle::v, Cycle::w})
      for (auto const interpolation : {Interpolation::constant, Interpolation::linear}) {
        auto const method = with_cycles(kind, {.cycle = cycle, .interpolation = interpolation});
        double const tolerance = std::is_same_v<T, float> ? 3e-5 : 1e-10;  // above the rounding of floats
        auto const report = solve<T>(problem, method, {tolerance});
        for (std::size_t k = 1; k < report.residuals.size(); ++k)
          EXPECT_LT(report.residuals[k], 0.5 * report.residuals[k - 1]) << name_of(method) << ", cycle " << k;
      }
}

// The error in the energy norm, which conjugate gradients minimise. The residual may grow.
TYPED_TEST(PoissonMethods, ConjugateGradientsMakeEachErrorSmaller) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 3; seed < 36; seed += 6) {
    auto const problem = random_problem<Dim>(seed);
    auto const a = dense_matrix(problem);
    auto const b = uniform_field<T>(problem.cells, seed);
    auto const wanted = DenseSolver(a).solve(values_of(b));
    for (Method const& method : conjugate_gradients) {
      double last = product(wanted, product(a, wanted));
      double const first = last;
      for (int limit = 1; limit <= 12 && last > 1e-8 * first; ++limit) {
        auto x = zero_field<T>(problem.cells);
        Solver<T, Dim>(problem, method, {1e-30, limit}).solve(b, x);
        auto const error = difference(values_of(x), wanted);
        double const energy = product(error, product(a, error));
        EXPECT_LT(energy, last) << name_of(method) << ", seed " << seed << ", iteration " << limit;
        last = energy;
      }
    }
  }
}

TYPED_TEST(PoissonMethods, TheLeastEigenvalueIsEstimatedFromBelow) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 2; seed < 36; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    double const exact = least_eigenvalue(dense_matrix(problem));
    Solver<T, Dim> const solver(problem, Chebyshev{});
    double const estimate = std::get<Chebyshev>(solver.method()).least_eigenvalue.value();
    EXPECT_LE(estimate, 1.01 * exact) << "seed " << seed;
    EXPECT_GE(estimate, 0.85 * std::min(exact, 0.99)) << "seed " << seed;
  }
}

TYPED_TEST(PoissonMethods, TheEstimatedFactorOfOverRelaxationIsNearTheBest) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = box_less_ball<Dim>(Dim == 2 ? 32 : 12);
  StopRule const stop{1e-4, 10000};
  Solver<T, Dim> const solver(problem, Sor{}, stop);
  double const estimated = std::get<Sor>(solver.method()).factor.value();
  int const iterations = solve<T>(problem, Sor{}, stop).iterations;
  int best = iterations;
  for (double factor = 1.5; factor < 2; factor += 0.02)
    best = std::min(best, solve<T>(problem, Sor{factor}, stop).iterations);
  EXPECT_LE(iterations, 1.3 * best) << "with " << estimated;
  auto const sor_without = solve<T>(problem, Sor{1.0}, stop).residuals;
  EXPECT_EQ(solve<T>(problem, GaussSeidel{}, stop).residuals, sor_without);
  EXPECT_LT(4 * iterations, static_cast<int>(sor_without.size()));
}

// Twice the cells along an axis take four times the iterations, twice as many, or as many, by the method.
TEST(PoissonIterations, GrowAsTheoryHasIt) {
  auto const growth = [](Method const& method) {
    StopRule const stop{1e-6, 100000};
    double const few = solve<double>(box_less_ball<2>(16), method, stop).iterations;
    double const many = solve<double>(box_less_ball<2>(32), method, stop).iterations;
    std::printf("  %s: %.0f, %.0f\n", name_of(method), few, many);
    return many / few;
  };
  for (Method const& method : methods) {
    if (is<TiledMultigridCg>(method)) continue;
    if (is<Jacobi>(method) || is<GaussSeidel>(method))
      EXPECT_NEAR(growth(method), 4, 0.5);
    else if (has_multigrid(method))
      EXPECT_LE(growth(method), 1.25);
    else
      EXPECT_NEAR(growth(method), 2, 0.3);
  }
}
