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

#define SPARSE_DECLARE_SOLVERS(Method, Ptr)                                                                            \
  template <class T, int Dim>                                                                                          \
  SolverPtr<T, Dim> make_solver(Ptr<T, Dim> const& matrix, Method const& method, StopRule const& stop);
// for any matrix
SPARSE_DECLARE_SOLVERS(Jacobi, AnyMatrixPtr)
SPARSE_DECLARE_SOLVERS(Chebyshev, AnyMatrixPtr)  // with its least eigenvalue
SPARSE_DECLARE_SOLVERS(ConjugateGradients, AnyMatrixPtr)
// for those of problems
SPARSE_DECLARE_SOLVERS(GaussSeidel, MatrixPtr)
SPARSE_DECLARE_SOLVERS(Sor, MatrixPtr)  // with its factor
SPARSE_DECLARE_SOLVERS(Multigrid, MatrixPtr)
SPARSE_DECLARE_SOLVERS(FullMultigrid, MatrixPtr)
SPARSE_DECLARE_SOLVERS(MultigridCg, MatrixPtr)
SPARSE_DECLARE_SOLVERS(FlexibleCg, MatrixPtr)
SPARSE_DECLARE_SOLVERS(TiledMultigridCg, MatrixPtr)
SPARSE_DECLARE_SOLVERS(Assembled, MatrixPtr)
#undef SPARSE_DECLARE_SOLVERS

/// Estimates the least eigenvalue of D^-1 A from below, without the 0 of singular components, by Lanczos' method.
///
/// Ritz values come from the coefficients of conjugate gradients with the preconditioner D. The residual falls to 1e-5;
/// only then the least one is found. Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 6.7.3.
template <class T, int Dim>
double estimate_least_eigenvalue(AnyMatrix<T, Dim> const& matrix);

}  // namespace sparse::poisson::detail

/// Defines the solvers of a method for all types of values and dimensions.
#define SPARSE_DEFINE_SOLVERS(Method, Ptr)                                                                             \
  template SolverPtr<float, 2> make_solver(Ptr<float, 2> const&, Method const&, StopRule const&);                      \
  template SolverPtr<float, 3> make_solver(Ptr<float, 3> const&, Method const&, StopRule const&);                      \
  template SolverPtr<double, 2> make_solver(Ptr<double, 2> const&, Method const&, StopRule const&);                    \
  template SolverPtr<double, 3> make_solver(Ptr<double, 3> const&, Method const&, StopRule const&);
