#include <sparse/poisson/solver.hpp>

#include <cmath>

#include <sparse/fields/algebra.hpp>

#include "krylov/completion.hpp"

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
    : matrix_(problem), method_(method), stop_(stop), solver_(make(matrix_.matrix_, method_, stop)) {}
template <class T, int Dim>
Solver<T, Dim>::~Solver() = default;
template <class T, int Dim>
Solver<T, Dim>::Solver(Solver&&) noexcept = default;
template <class T, int Dim>
Solver<T, Dim>& Solver<T, Dim>::operator=(Solver&&) noexcept = default;

template <class T, int Dim>
Report Solver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& x) {
  return solver_->solve(b, x);
}

template <class T, int Dim>
Report Solver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim> const& boundary, Field<T, Dim>& x) {
  matrix_.matrix_->expect_field(b, "right-hand side");
  matrix_.matrix_->expect_field(boundary, "part from the boundary");
  auto sum = clone(b);
  add(sum, boundary);
  return solver_->solve(b, boundary, sum, x);
}

template class Solver<float, 2>;
template class Solver<float, 3>;
template class Solver<double, 2>;
template class Solver<double, 3>;

}  // namespace sparse::poisson
