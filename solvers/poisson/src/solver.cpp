#include <sparse/poisson/solver.hpp>

#include <cmath>
#include <string>

#include <sparse/fields/algebra.hpp>

#include "krylov/completion.hpp"
#include "multigrid/hierarchy.hpp"

namespace sparse::poisson {
namespace {

template <class T, int Dim>
void expect_two_colours(detail::Matrix<T, Dim> const& matrix) {
  expects(matrix.couplings().has_two_colours(),
          "poisson: red-black relaxation needs even periods: across an odd one neighbours have the same colour");
}

// ---- puts estimates in place of what was left open, and refuses what the method cannot do

template <class T, int Dim, class Any>
void complete(detail::Matrix<T, Dim> const& matrix, Any& method) {
  detail::estimate(matrix, method);
}
template <class T, int Dim>
void complete(detail::Matrix<T, Dim> const& matrix, GaussSeidel&) {
  expect_two_colours(matrix);
}
template <class T, int Dim>
void complete(detail::Matrix<T, Dim> const& matrix, Sor& method) {
  expect_two_colours(matrix);
  if (method.factor) return;
  // Eigenvalues of Jacobi's method come in pairs +-mu, with the greatest mu = 1 - least.
  double const least = detail::estimate_least_eigenvalue(matrix);
  method.factor = 2 / (1 + std::sqrt(least * (2 - least)));
}

/// How far the window of a rank must reach for a method.
/// @throws std::invalid_argument  if ranks share the problem and the method cannot
template <int Dim>
int reach_of(Problem<Dim> const& problem, Method const& method) {
  if (problem.team == nullptr) return 1;
  if (std::holds_alternative<Assembled>(method)) {
    expects(!problem.has_exact_sums, "poisson: solvers for assembled rows have no exact sums");
    return 1;
  }
  auto const* const cg = std::get_if<MultigridCg>(&method);
  if (cg == nullptr)
    fail(std::string("poisson: ranks cannot share a problem that ") + name_of(method) + " solves; take " +
         MultigridCg::name);
  cg->expect_valid();
  return detail::reach_of<Dim>(cg->preconditioner);
}

template <class T, int Dim>
detail::SolverPtr<T, Dim> make(detail::MatrixPtr<T, Dim> const& matrix, Method& method, StopRule const& stop) {
  stop.expect_valid("poisson");
  return std::visit(
      [&](auto& one) {
        one.expect_valid();
        complete(*matrix, one);
        return detail::make_solver<T, Dim>(matrix, one, stop);
      },
      method);
}

}  // namespace

template <class T, int Dim>
Solver<T, Dim>::Solver(Problem<Dim> const& problem, Method const& method, StopRule const& stop)
    : matrix_(problem, reach_of(problem, method)), method_(method), stop_(stop),
      solver_(make(matrix_.matrix_, method_, stop)) {}
template <class T, int Dim>
Solver<T, Dim>::~Solver() = default;
template <class T, int Dim>
Solver<T, Dim>::Solver(Solver&&) noexcept = default;
template <class T, int Dim>
Solver<T, Dim>& Solver<T, Dim>::operator=(Solver&&) noexcept = default;

template <class T, int Dim>
Report Solver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& x) {
  auto const& matrix = *matrix_.matrix_;
  if (!matrix.ranks()) return solver_->solve(b, x);
  matrix.expect_own_field(b, "right-hand side");
  matrix.expect_own_field(x, "solution");
  expects(&b != &x, "poisson: the solution must be another field than the right-hand side");
  auto const right = matrix.spread(b);
  auto solution = matrix.spread(x);
  auto report = solver_->solve(right, solution);
  matrix.take(x, solution);
  return report;
}

template <class T, int Dim>
Report Solver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim> const& boundary, Field<T, Dim>& x) {
  matrix_.matrix_->expect_own_field(b, "right-hand side");
  matrix_.matrix_->expect_own_field(boundary, "part from the boundary");
  auto sum = clone(b);
  add(sum, boundary);
  if (matrix_.matrix_->ranks()) return solve(sum, x);
  return solver_->solve(b, boundary, sum, x);
}

template class Solver<float, 2>;
template class Solver<float, 3>;
template class Solver<double, 2>;
template class Solver<double, 3>;

}  // namespace sparse::poisson
