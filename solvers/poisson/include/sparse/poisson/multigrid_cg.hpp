#pragma once
/// Conjugate gradients preconditioned by multigrid cycles.

#include <sparse/poisson/multigrid.hpp>
#include <sparse/poisson/operator.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::poisson {

struct MultigridCgOptions {
  StopRule stop;
  MultigridOptions multigrid;
};

/// Solves A x = b by conjugate gradients with a multigrid cycle as the preconditioner.
///
/// `P` is the type of the values inside the cycle: float in double halves their traffic and costs no iterations.
/// Memory beside b and x: 2 values of T and one of P per cell, and the coarser levels. Per iteration the finest level
/// passes the memory bus three times (40 bytes per cell in float, 84 with T = double and P = float), since all passes
/// that follow one another take place while cells are in the cache.
/// Source: Tatebe, The multigrid preconditioned conjugate gradient method (1993).
template <class T, class P, int Dim>
class MultigridCg {
public:
  /// @throws std::invalid_argument  if the problem or an option does not make sense
  explicit MultigridCg(Problem<Dim> const& problem, MultigridCgOptions const& options = {});

  /// @param b  the right-hand side
  /// @param x  the guess, then the solution; of mean 0 on singular components
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x);

  Operator<T, Dim> const& matrix() const { return matrix_; }
  Multigrid<P, Dim> const& multigrid() const { return multigrid_; }

private:
  MultigridCgOptions options_;
  Operator<T, Dim> matrix_;
  Multigrid<P, Dim> multigrid_;
  Buffer<T> p_;
  Buffer<P> z_;
  Field<T, Dim> r_;
};

}  // namespace sparse::poisson
