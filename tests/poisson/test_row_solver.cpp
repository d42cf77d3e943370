/// Methods for matrices of one's own: beside the same methods of the library, and against dense solutions.

#include <sparse/poisson/row_solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/random.hpp>
#include <support/poisson.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;
using sparse::FieldView;
using sparse::StencilPoint;

template <class TheCase>
class PoissonRowSolver : public testing::Test {};
TYPED_TEST_SUITE(PoissonRowSolver, RealCases);

/// The matrix of a Poisson problem. p = 0 on the lower x side if `is_given`; nothing flows through other faces.
template <class T, int Dim>
struct PoissonRows {
  T weight[Dim], zeroth;
  Coord first;
  bool is_given;

  explicit PoissonRows(Problem<Dim> const& problem)
      : zeroth(static_cast<T>(problem.zeroth_order)), first(problem.cells.bounds().begin[0]),
        is_given(!problem.dirichlet[0].is_empty()) {
    for (int axis = 0; axis < Dim; ++axis)
      weight[axis] = static_cast<T>(problem.coefficient / (problem.grid.spacing[axis] * problem.grid.spacing[axis]));
  }
  KOKKOS_FUNCTION T extra(StencilPoint<Dim> const& p) const {
    return zeroth + (is_given && p.coordinates()[0] == first ? 2 * weight[0] : T(0));
  }
  KOKKOS_FUNCTION T diagonal(StencilPoint<Dim> const& p) const {
    T sum = extra(p);
    for (int arm = 0; arm < 2 * Dim; ++arm) sum += p.has_neighbour(arm) ? weight[arm / 2] : T(0);
    return sum;
  }
  KOKKOS_FUNCTION T applied(StencilPoint<Dim> const& p, FieldView<T const> const& x) const {
    T sum = extra(p) * x(p.cell);
    for (int arm = 0; arm < 2 * Dim; ++arm) sum += weight[arm / 2] * (x(p.cell) - x(p.neighbour(arm)));
    return sum;
  }
};

/// A box with unequal widths and a ball cut from it; closed, or p = 0 on the lower x side.
template <int Dim>
Problem<Dim> box_less_ball(bool is_closed) {
  Problem<Dim> problem;
  auto end = Cell<Dim>::filled(Dim == 2 ? 30 : 13);
  problem.cells = sparse::box<Dim>({}, end) - sparse::ball<Dim>(Vec<double, Dim>::filled(0.6 * end[0]), 0.2 * end[0]);
  problem.grid.spacing[0] = 0.5;
  problem.coefficient = 0.75;
  if (is_closed) return problem;
  problem.zeroth_order = 0.01;
  end[0] = 1;
  problem.dirichlet[0] = sparse::box<Dim>({}, end);
  return problem;
}

/// Advection and diffusion that differs along the axes, with x = 0 around the set. The share of advection is the skew
/// part of the matrix, that of the diagonals couples both axes.
template <class T, int Dim, int Count = 2 * Dim>
struct SlantedRows {
  T wind = 0, diagonals = 0;

  KOKKOS_FUNCTION static T along(int axis) { return axis == 0 ? T(3) : axis == 1 ? T(1) : T(0.5); }
  KOKKOS_FUNCTION T diagonal(StencilPoint<Dim, Count> const& p) const {
    T sum = T(0.1) * static_cast<T>(1 + (p.coordinates()[0] & 3));  // not the same everywhere
    for (int axis = 0; axis < Dim; ++axis) sum += 2 * along(axis);
    return sum;
  }
  /// The entry of a neighbour, or 0 where there is none.
  KOKKOS_FUNCTION T entry(StencilPoint<Dim, Count> const& p, int arm) const {
    if (!p.has_neighbour(arm)) return 0;
    if (arm < 2 * Dim) return -along(arm / 2) + (arm % 2 == 0 ? -wind : wind);
    // corner arms in 2D: (-1, -1), (1, -1), (-1, 1), (1, 1)
    return arm == 2 * Dim || arm == 2 * Dim + 3 ? -diagonals : diagonals;
  }
  KOKKOS_FUNCTION T applied(StencilPoint<Dim, Count> const& p, FieldView<T const> const& x) const {
    T sum = diagonal(p) * x(p.cell);
    for (int arm = 0; arm < Count; ++arm) sum += entry(p, arm) * x(p.neighbour(arm));
    return sum;
  }
};

/// The dense matrix of such rows, the slow way.
template <int Dim, int Count>
Matrix dense_slanted(IntervalSet<Dim> const& cells, double wind, double diagonals,
                     sparse::Arms<Dim, Count> const& arms) {
  auto const position = positions(cells_of(cells));
  Matrix a(position.size(), Values(position.size(), 0));
  double const along[] = {3, 1, 0.5};
  for (auto const& [cell, index] : position) {
    auto const i = static_cast<std::size_t>(index);
    a[i][i] = 0.1 * (1 + (cell[0] & 3));
    for (int axis = 0; axis < Dim; ++axis) a[i][i] += 2 * along[axis];
    for (int arm = 0; arm < Count; ++arm) {
      auto const found = position.find(cell + arms.offset[arm]);
      if (found == position.end()) continue;
      auto const& offset = arms.offset[arm];
      double entry = 0;
      if (arm < 2 * Dim)
        entry = -along[arm / 2] + offset[arm / 2] * wind;
      else
        entry = -diagonals * offset[0] * offset[1];
      a[i][static_cast<std::size_t>(found->second)] = entry;
    }
  }
  return a;
}

/// A multiple of the unit matrix.
struct Constant {
  double value;
  KOKKOS_FUNCTION double diagonal(StencilPoint<2> const&) const { return value; }
  KOKKOS_FUNCTION double applied(StencilPoint<2> const& p, FieldView<double const> x) const {
    return value * x(p.cell);
  }
};

/// 4.1 on the diagonal and -1 for each neighbour, on plans of cells and their neighbours.
struct FourNeighbours {
  using Point = sparse::RunPoint<2, 5>;
  KOKKOS_FUNCTION double diagonal(Point const&) const { return 4.1; }
  KOKKOS_FUNCTION double applied(Point const& p, FieldView<double const> x) const {
    double sum = 4.1 * x(p.operand(0));
    for (int k = 1; k < 5; ++k) sum -= p.has(k) ? x(p.operand(k)) : 0;
    return sum;
  }
};

/// Gauss's elimination with pivots.
Values eliminated(Matrix a, Values b) {
  std::size_t const n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      double const factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

template <int Dim>
IntervalSet<Dim> scattered(unsigned seed) {
  auto const box = sparse::box<Dim>(Cell<Dim>::filled(-3), Cell<Dim>::filled(Dim == 2 ? 12 : 4));
  return box - sparse::random_cells<Dim>(box.bounds(), 0.2, seed);
}

template <class T>
constexpr double tight = std::is_same_v<T, float> ? 1e-5 : 1e-11;
template <class T>
constexpr double close = std::is_same_v<T, float> ? 1e-4 : 1e-9;

template <class T, int Dim>
void expect_solution(IntervalSet<Dim> const& cells, RowSolver<T, Dim>& solver, Matrix const& a,
                     std::string const& name) {
  auto const b = uniform_field<T>(cells, 1);
  auto x = uniform_field<T>(cells, 2);
  auto const report = solver.solve(b, x);
  EXPECT_TRUE(report.has_converged()) << name << ": " << name_of(report.reason) << " at " << report.true_residual;
  auto const wanted = eliminated(a, values_of(b));
  EXPECT_LE(length(difference(values_of(x), wanted)), close<T> * length(wanted)) << name;
  EXPECT_LE(length(difference(product(a, values_of(x)), values_of(b))), 3 * tight<T> * length(values_of(b))) << name;
}

}  // namespace

// The iterates are those of the library's own method, sweep by sweep. They come from the same lines; sums over cells
// are added up in another order.
TYPED_TEST(PoissonRowSolver, MakesTheIteratesOfTheLibrary) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  constexpr double rounding = std::is_same_v<T, float> ? 2e-6 : 1e-14;
  auto const guessing = [] {
    Jacobi jacobi;
    jacobi.guess = std::make_shared<SweepGuess>();
    return jacobi;
  };
  for (bool const is_closed : {false, true}) {
    auto const problem = box_less_ball<Dim>(is_closed);
    PoissonRows<T, Dim> const rows(problem);
    auto const uniqueness = is_closed ? Uniqueness::up_to_constants : Uniqueness::unique;
    auto const b = uniform_field<T>(problem.cells, 1), guess = uniform_field<T>(problem.cells, 2);
    auto ax = zero_field<T>(problem.cells), wanted_ax = zero_field<T>(problem.cells);
    RowSolver<T, Dim>(problem.cells, rows, Jacobi{}, {}, uniqueness).apply(ax, guess);
    Operator<T, Dim>(problem).apply(wanted_ax, guess);
    EXPECT_LE(length(difference(values_of(ax), values_of(wanted_ax))), rounding * length(values_of(wanted_ax)));
    auto const compare = [&](auto const& method, auto const& method_of_rows, int limit) {
      SCOPED_TRACE(testing::Message() << method.name << ", " << limit << " iterations, closed " << is_closed);
      StopRule const stop{tight<T>, limit};
      auto wanted = clone(guess), x = clone(guess);
      Solver<T, Dim> reference_solver(problem, method, stop);
      RowSolver<T, Dim> solver(problem.cells, rows, method_of_rows, stop, uniqueness);
      auto const expected = reference_solver.solve(b, wanted), report = solver.solve(b, x);
      EXPECT_EQ(report.iterations, expected.iterations);
      EXPECT_EQ(report.reason, expected.reason);
      EXPECT_NEAR(report.incompatibility, expected.incompatibility, 1e-6);
      ASSERT_EQ(report.residuals.size(), expected.residuals.size());
      // What conjugate gradients make of rounding errors grows from step to step.
      double const tolerance = rounding * (std::is_same_v<std::decay_t<decltype(method)>, Jacobi> ? 10 : 50 * limit);
      for (std::size_t k = 0; k < report.residuals.size(); ++k)
        EXPECT_NEAR(report.residuals[k], expected.residuals[k], tolerance) << k;
      EXPECT_LE(length(difference(values_of(x), values_of(wanted))), tolerance * length(values_of(wanted)));
    };
    for (int const limit : {1, 2, 7, 40}) {
      for (double const factor : {0.9, 1.0, 2.0 / 3})
        compare(Jacobi{.factor = factor}, Jacobi{.factor = factor}, limit);
      compare(guessing(), guessing(), limit);
      Chebyshev const chebyshev{.least_eigenvalue = 0.01};
      compare(chebyshev, chebyshev, limit);
    }
    for (int const limit : {1, 2, 7}) {
      compare(ConjugateGradients{}, ConjugateGradients{}, limit);
      compare(ConjugateGradients{Preconditioner::diagonal}, ConjugateGradients{Preconditioner::diagonal}, limit);
    }
    Solver<T, Dim> const estimated(problem, Chebyshev{});
    RowSolver<T, Dim> const own(problem.cells, rows, Chebyshev{}, {}, uniqueness);
    double const least = std::get<Chebyshev>(estimated.method()).least_eigenvalue.value();
    EXPECT_NEAR(std::get<Chebyshev>(own.method()).least_eigenvalue.value(), least, 0.01 * least);
  }
}

TYPED_TEST(PoissonRowSolver, SolvesMatricesWithASkewPart) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    auto const cells = scattered<Dim>(seed);
    for (double const wind : {0.0, 0.4}) {
      SlantedRows<T, Dim> const rows{static_cast<T>(wind)};
      auto const a = dense_slanted(cells, wind, 0, sparse::face_arms<Dim>());
      if (wind > 0) {
        double skew = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) skew = std::max(skew, std::abs(a[i][j] - a[j][i]));
        EXPECT_NEAR(skew, 2 * wind, 1e-12);
      }
      for (double const factor : {1.0, 0.8}) {
        RowSolver<T, Dim> solver(cells, rows, Jacobi{.factor = factor}, {tight<T>, 5000});
        expect_solution(cells, solver, a, "Jacobi, wind " + std::to_string(wind));
      }
      if (wind > 0) continue;
      for (RowMethod const& method : {RowMethod(Chebyshev{}), RowMethod(ConjugateGradients{}),
                                      RowMethod(ConjugateGradients{Preconditioner::diagonal})}) {
        RowSolver<T, Dim> solver(cells, rows, method, {tight<T>, 5000});
        expect_solution(cells, solver, a, "symmetric, method " + std::to_string(method.index()));
      }
    }
  }
}

TEST(PoissonRowSolverPlans, MayHaveMoreNeighbours) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    auto const cells = scattered<2>(seed);
    auto const arms = sparse::corner_arms<2>();
    auto const a = dense_slanted(cells, 0, 0.4, arms);
    for (RowMethod const& method : {RowMethod(Jacobi{.factor = 0.8}), RowMethod(ConjugateGradients{})}) {
      RowSolver<double, 2> solver(cells, sparse::Stencil<2, 8>(cells, cells, arms), SlantedRows<double, 2, 8>{0, 0.4},
                                  method, {tight<double>, 5000});
      expect_solution(cells, solver, a, "nine points, method " + std::to_string(method.index()));
    }
  }
}

// As periodic plans, which are joined from parts.
TEST(PoissonRowSolverPlans, MayVisitCellsInAnyOrder) {
  using Plan = sparse::Plan<2, 5>;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    auto const cells = scattered<2>(seed), upper = cells & sparse::box<2>({-3, 4}, {12, 12});
    sparse::Operand operands[5] = {sparse::operand<2>(cells.view())};
    for (int arm = 0; arm < 4; ++arm)
      operands[1 + arm] = sparse::operand<2>(cells.view(), sparse::face_arms<2>().offset[arm]);
    Plan const in_order(cells, operands), joined({Plan(upper, operands), Plan(cells - upper, operands)});
    for (RowMethod const& method : {RowMethod(Jacobi{.factor = 0.8}), RowMethod(ConjugateGradients{})}) {
      auto const b = uniform_field<double>(cells, seed);
      auto wanted = zero_field<double>(cells), x = zero_field<double>(cells);
      EXPECT_TRUE((RowSolver<double, 2>(cells, in_order, FourNeighbours(), method, {tight<double>, 5000})
                       .solve(b, wanted)
                       .has_converged()));
      EXPECT_TRUE((RowSolver<double, 2>(cells, joined, FourNeighbours(), method, {tight<double>, 5000})
                       .solve(b, x)
                       .has_converged()));
      EXPECT_LE(length(difference(values_of(x), values_of(wanted))), 1e-12 * length(values_of(wanted)));
    }
  }
}

TEST(PoissonRowSolverPlans, MustVisitEveryCell) {
  auto const cells = sparse::box<2>({0, 0}, {6, 4}), half = sparse::box<2>({0, 0}, {6, 2});
  auto const self = sparse::operand<2>(cells.view());
  sparse::Operand const operands[5] = {self, self, self, self, self};
  sparse::Plan<2, 5> const of_half(half, operands), twice({of_half, of_half});
  EXPECT_TRUE(is_refused([&] { RowSolver<double, 2> const s(cells, twice, FourNeighbours()); }, "in 12 cells"));
}

TEST(PoissonRowSolver, StopsAsItIsTold) {
  auto const cells = scattered<2>(1);
  auto const b = uniform_field<double>(cells, 1);
  auto const solve = [&](SlantedRows<double, 2> const& rows, StopRule const& stop) {
    auto x = zero_field<double>(cells);
    return RowSolver<double, 2>(cells, rows, Jacobi{.factor = 1}, stop).solve(b, x);
  };
  auto const limited = solve({0.4}, {1e-11, 5});
  EXPECT_EQ(limited.reason, StopReason::iteration_limit);
  EXPECT_EQ(limited.iterations, 5);
  EXPECT_EQ(limited.residuals.size(), 6u);
  EXPECT_EQ(solve({0.4}, {.tolerance = 0.5, .iteration_limit = 100, .least_iterations = 9}).iterations, 9);
  // Not diagonally dominant: the method diverges, and says so.
  auto const lost = solve({9}, {1e-11, 100000});
  EXPECT_FALSE(lost.has_converged());
  EXPECT_EQ(lost.reason, StopReason::not_finite);
}

TEST(PoissonRowSolver, RefusesWhatMakesNoSense) {
  using Solver = RowSolver<double, 2>;
  auto const cells = sparse::box<2>({0, 0}, {5, 4}), fewer = sparse::box<2>({0, 0}, {5, 3});
  EXPECT_TRUE(is_refused([&] { Solver const solver(sparse::IntervalSet<2>{}, Constant{1}); }, "no cells"));
  for (double const wrong : {0.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(is_refused([&] { Solver const solver(cells, Constant{wrong}); }, "in 20 cells"));
  EXPECT_TRUE(is_refused([&] { Solver const s(cells, Constant{1}, Jacobi{}, {}, Uniqueness::up_to_constants); },
                         "add up to 0"));
  EXPECT_TRUE(is_refused([&] { Solver const s(cells, sparse::Stencil<2>(fewer, cells), Constant{1}); }, "each cell"));
  // As many cells, but numbered as in a larger set.
  auto const more = sparse::box<2>({-1, 0}, {5, 4});
  EXPECT_TRUE(is_refused([&] { Solver const s(cells, sparse::Stencil<2>(cells, more), Constant{1}); }, "each cell"));
  EXPECT_TRUE(is_refused([&] { Solver const s(cells, Constant{1}, Jacobi{.factor = 1.5}); }, "factor"));
  EXPECT_TRUE(is_refused([&] { Solver const s(cells, Constant{1}, Jacobi{}, {.tolerance = 0}); }, "tolerance"));
  Solver solver(cells, Constant{1});
  auto x = zero_field<double>(cells);
  EXPECT_TRUE(is_refused([&] { solver.solve(uniform_field<double>(fewer, 1), x); }, "right-hand side"));
  EXPECT_TRUE(is_refused([&] { solver.apply(x, x); }, "another field"));
  EXPECT_TRUE(is_refused([&] { solver.solve(field_of<double>(cells, [](auto) { return NAN; }), x); }, "NaN"));
}
