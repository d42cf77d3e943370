#pragma once
/// Solvers that make the solution better step by step.

#include <limits>
#include <utility>

#include "any_solver.hpp"
#include "iteration.hpp"
#include "operator/kernels.hpp"

namespace sparse::poisson::detail {

/// A method that makes x better step by step.
template <class T, int Dim>
class SteppingSolver : public AnySolver<T, Dim> {
public:
  /// @param patience  see `Iteration`
  SteppingSolver(AnyMatrixPtr<T, Dim> const& matrix, StopRule const& stop,
                 int patience = std::numeric_limits<int>::max())
      : matrix_(matrix), stop_(stop), patience_(patience), r_("residual", matrix->cells()) {}

  using AnySolver<T, Dim>::solve;
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) override {
    Iteration<T, Dim> iteration(*matrix_, stop_, b, x, r_, patience_);
    if (double const factor = has_single_cycles() ? iteration.template scale_for_cycles<float>() : 1; factor != 1)
      return iteration.solve_scaled(factor,
                                    [&](auto const& of_b, auto& of_x) { return solve_again(factor, of_b, of_x); });
    Field<T, Dim> compatible;
    if (matrix_->singular_count() > 0 && !iteration.is_over()) {
      compatible = clone(b);
      matrix_->remove_means(compatible);
    }
    T const* const right = matrix_->singular_count() > 0 ? std::as_const(compatible).view().data : b.view().data;
    iterate(iteration, right, x.view().data);
    return iteration.finish();
  }

protected:
  /// Makes steps until the iteration is over.
  virtual void iterate(Iteration<T, Dim>& iteration, T const* b, T* x) {
    for (bool must_start = true; !iteration.is_over();) {
      if (must_start) start();
      must_start = iteration.must_check(step(b, x, r_.view().data));
      if (must_start) iteration.check();
    }
  }
  /// Whether steps are made of cycles in single precision.
  virtual bool has_single_cycles() const { return false; }
  /// Solves the problem with b and x already multiplied by a factor.
  virtual Report solve_again(double, Field<T, Dim> const& b, Field<T, Dim>& x) { return SteppingSolver::solve(b, x); }
  /// Called before the first step and whenever r has been made anew.
  virtual void start() {}
  /// Makes x better. @param b  of mean 0 on singular components
  /// @param r  b - A x at the start. A method that needs it later keeps it up to date.
  /// @return   the Euclidean norm of the residual afterwards
  virtual double step(T const* b, T* x, T* r) = 0;

  AnyMatrix<T, Dim> const& matrix() const { return *matrix_; }
  StopRule const& stop() const { return stop_; }
  void run(Pipeline const& pipeline) const { matrix_->run(pipeline); }
  Buffer<T> cell_values() const { return Buffer<T>(matrix_->context(), matrix_->cells().cell_count()); }

private:
  AnyMatrixPtr<T, Dim> matrix_;
  StopRule stop_;
  int patience_;
  Field<T, Dim> r_;
};

/// One whose steps need the couplings of a problem.
template <class T, int Dim>
class CouplingSolver : public SteppingSolver<T, Dim> {
public:
  CouplingSolver(MatrixPtr<T, Dim> const& matrix, StopRule const& stop, int patience = std::numeric_limits<int>::max())
      : SteppingSolver<T, Dim>(matrix, stop, patience), level_(matrix->couplings()) {}

protected:
  Couplings<T, Dim> const& level() const { return level_; }

private:
  Couplings<T, Dim> const& level_;  // of the matrix, which the base keeps
};

}  // namespace sparse::poisson::detail
