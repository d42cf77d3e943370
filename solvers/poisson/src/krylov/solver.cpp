#include <sparse/poisson/solver.hpp>

#include "any_solver.hpp"

namespace sparse::poisson {
namespace {

using detail::SolverPtr;

void expect_in(double value, double greatest, bool may_be_greatest, char const* what) {
  if (!(value > 0 && (value < greatest || (may_be_greatest && value == greatest))))
    fail(std::string("poisson: ") + what + ", not " + std::to_string(value));
}

template <class T, int Dim>
SolverPtr<T, Dim> make(Problem<Dim> const& problem, SolverOptions const& options) {
  options.expect_valid();
  switch (options.method) {
  case Method::jacobi:
  case Method::gauss_seidel:
  case Method::sor:
    return detail::make_stationary<T, Dim>(problem, options);
  case Method::chebyshev:
    return detail::make_chebyshev<T, Dim>(problem, options);
  case Method::cg:
  case Method::jacobi_cg:
    return detail::make_conjugate_gradients<T, Dim>(problem, options);
  default:
    return detail::make_multigrid_solver<T, Dim>(problem, options);
  }
}

}  // namespace

char const* name_of(Method method) {
  switch (method) {
  case Method::jacobi:
    return "Jacobi";
  case Method::gauss_seidel:
    return "Gauss-Seidel";
  case Method::sor:
    return "SOR";
  case Method::chebyshev:
    return "Chebyshev";
  case Method::cg:
    return "CG";
  case Method::jacobi_cg:
    return "Jacobi-CG";
  case Method::multigrid:
    return "multigrid";
  case Method::full_multigrid:
    return "full multigrid";
  case Method::multigrid_cg:
    return "multigrid-CG";
  case Method::flexible_cg:
    return "flexible multigrid-CG";
  case Method::tiled_multigrid_cg:
    return "tiled multigrid-CG";
  }
  return "";
}

void SolverOptions::expect_valid() const {
  stop.expect_valid("poisson");
  expects(full_multigrid_cycles > 0, "poisson: full multigrid needs a positive number of cycles");
  expect_in(jacobi_factor, 1, true, "the factor of Jacobi's method must be positive and at most 1");
  if (sor_factor) expect_in(*sor_factor, 2, false, "the factor of SOR must lie between 0 and 2");
  expect_in(greatest_eigenvalue, 2, true, "the greatest eigenvalue must be positive and at most 2");
  if (least_eigenvalue)
    expect_in(*least_eigenvalue, greatest_eigenvalue, false,
              "the least eigenvalue must be positive and less than the greatest");
}

template <class T, int Dim>
Solver<T, Dim>::Solver(Problem<Dim> const& problem, SolverOptions const& options)
    : options_(options), solver_(make<T>(problem, options)) {}
template <class T, int Dim>
Solver<T, Dim>::~Solver() = default;
template <class T, int Dim>
Solver<T, Dim>::Solver(Solver&&) noexcept = default;
template <class T, int Dim>
Solver<T, Dim>& Solver<T, Dim>::operator=(Solver&&) noexcept = default;

template <class T, int Dim>
Operator<T, Dim> const& Solver<T, Dim>::matrix() const {
  return solver_->matrix();
}

template <class T, int Dim>
Report Solver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& x) {
  return solver_->solve(b, x);
}

template <class T, int Dim>
Report Solver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim> const& boundary, Field<T, Dim>& x) {
  matrix().expect_field(b, "right-hand side");
  matrix().expect_field(boundary, "part from the boundary");
  auto sum = clone(b);
  add(sum, boundary);
  return solver_->solve(b, boundary, sum, x);
}

template <class T, int Dim>
double Solver<T, Dim>::sor_factor() const {
  expects(options_.method == Method::sor, "poisson: only SOR has a factor of SOR");
  return solver_->parameter();
}

template <class T, int Dim>
double Solver<T, Dim>::least_eigenvalue() const {
  expects(options_.method == Method::chebyshev, "poisson: only Chebyshev's iteration knows the least eigenvalue");
  return solver_->parameter();
}

template class Solver<float, 2>;
template class Solver<float, 3>;
template class Solver<double, 2>;
template class Solver<double, 3>;

}  // namespace sparse::poisson
