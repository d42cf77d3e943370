#pragma once
/// The interface of solvers, and what makes one for each method.

#include <memory>

#include <sparse/poisson/method.hpp>
#include <sparse/poisson/report.hpp>

#include "operator/matrix.hpp"

namespace sparse::poisson::detail {

template <class T, int Dim>
class AnySolver {
public:
  virtual ~AnySolver() = default;
  virtual Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) = 0;
  /// @param sum  b + boundary
  virtual Report solve(Field<T, Dim> const&, Field<T, Dim> const&, Field<T, Dim> const& sum, Field<T, Dim>& x) {
    return solve(sum, x);
  }
};
template <class T, int Dim>
using SolverPtr = std::unique_ptr<AnySolver<T, Dim>>;

// ---- one for each method; options have been checked

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Jacobi const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, GaussSeidel const& method, StopRule const& stop);
/// @param method  with its factor
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Sor const& method, StopRule const& stop);
/// @param method  with its least eigenvalue
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Chebyshev const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, ConjugateGradients const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Multigrid const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, FullMultigrid const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, MultigridCg const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, FlexibleCg const& method, StopRule const& stop);
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, TiledMultigridCg const& method, StopRule const& stop);

/// Estimates the least eigenvalue of D^-1 A from below, without the 0 of singular components, by Lanczos' method.
///
/// Ritz values come from the coefficients of conjugate gradients with the preconditioner D. The residual falls to 1e-5;
/// only then the least one is found. Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 6.7.3.
template <class T, int Dim>
double estimate_least_eigenvalue(Matrix<T, Dim> const& matrix);

}  // namespace sparse::poisson::detail

/// Defines the solvers of a method for all types of values and dimensions.
#define SPARSE_DEFINE_SOLVERS(Method)                                                                                  \
  template SolverPtr<float, 2> make_solver(MatrixPtr<float, 2> const&, Method const&, StopRule const&);                \
  template SolverPtr<float, 3> make_solver(MatrixPtr<float, 3> const&, Method const&, StopRule const&);                \
  template SolverPtr<double, 2> make_solver(MatrixPtr<double, 2> const&, Method const&, StopRule const&);              \
  template SolverPtr<double, 3> make_solver(MatrixPtr<double, 3> const&, Method const&, StopRule const&);
