#pragma once
/// What all iterative solvers have in common: how they begin, and when they stop.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <sparse/field_algebra.hpp>
#include <sparse/solvers/poisson/operator.hpp>
#include <sparse/solvers/poisson/report.hpp>
#include <sparse/solvers/poisson/stages.hpp>

namespace sparse::poisson::detail {

/// The `patience` (see below) of methods with multigrid in them.
inline constexpr int multigrid_patience = 20;

/// The course of a solution of A x = b. A residual that a solver keeps track of never ends it: the true one does.
template <class T, int Dim>
class Iteration {
public:
  /// Makes r = b - A x.
  /// @param patience  iterations without a smaller residual than ever before, after which a solver that should gain a
  ///                  digit in a few has met rounding errors
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Iteration(Operator<T, Dim> const& matrix, StopRule const& stop, Field<T, Dim> const& b, Field<T, Dim>& x,
            Field<T, Dim>& r, int patience = std::numeric_limits<int>::max())
      : matrix_(matrix), stop_(stop), b_(b), x_(x), r_(r), patience_(patience) {
    matrix.expect_field(b, "right-hand side");
    matrix.expect_field(x, "solution");
    expects(b.view().data != x.view().data, "poisson: the solution must be another field than the right-hand side");
    double const size = norm(matrix.couplings(), b.view().data);
    expects(std::isfinite(size), "poisson: the right-hand side has a NaN or an infinity, or its square overflows");
    expects(std::isfinite(norm(matrix.couplings(), std::as_const(x).view().data)),
            "poisson: the guess has a NaN or an infinity, or its square overflows");
    b_norm_ = size;
    if (matrix.singular_count() > 0) {
      copy(b, r);
      double const mean = matrix.remove_means(r);
      b_norm_ = norm(matrix.couplings(), std::as_const(r).view().data);
      if (size > 0) report_.incompatibility = mean / (size / std::sqrt(static_cast<double>(b.cell_count())));
      // A right-hand side that is a constant and rounding errors is a constant.
      if (b_norm_ <= 4 * std::numeric_limits<T>::epsilon() * size) b_norm_ = 0;
    }
    if (b_norm_ == 0) fill(x, 0);
    double const first = matrix.residual(b, x, r);
    report_.residuals.push_back(relative(first));
    last_check_ = report_.true_residual = report_.residuals[0];
    is_over_ = b_norm_ == 0 || is_within(report_.residuals[0]);
    report_.reason = is_over_ ? StopReason::converged : StopReason::iteration_limit;
    if (stop_.iteration_limit == 0) is_over_ = true;
  }

  bool is_over() const { return is_over_; }
  Report const& report() const { return report_; }
  double b_norm() const { return b_norm_; }

  /// After each iteration. @param residual  Euclidean norm of the residual as far as it is known
  /// @return  whether x is to be completed and `check` called
  bool must_check(double residual) {
    ++report_.iterations;
    report_.residuals.push_back(relative(residual));
    if (report_.residuals.back() < least_) {
      least_ = report_.residuals.back();
      since_least_ = 0;
    } else {
      ++since_least_;
    }
    return !std::isfinite(residual) || is_within(report_.residuals.back()) || since_least_ >= patience_ ||
           report_.iterations == stop_.iteration_limit;
  }
  /// Makes r = b - A x and sees whether that is enough. Otherwise the solver goes on from there.
  void check() {
    double const last = report_.true_residual = relative(matrix_.residual(b_, x_, r_));
    if (is_within(last))
      end(StopReason::converged);
    else if (!std::isfinite(last) || !std::isfinite(report_.residuals.back()))
      end(StopReason::not_finite);
    else if (report_.iterations == stop_.iteration_limit)
      end(StopReason::iteration_limit);
    else if (last > 0.5 * last_check_ || since_least_ >= patience_)
      end(StopReason::stagnated);
    last_check_ = last;
  }
  /// Takes the free constants from x. @return  what happened
  Report finish() {
    matrix_.remove_means(x_);
    return std::move(report_);
  }

private:
  double relative(double residual) const { return b_norm_ > 0 ? residual / b_norm_ : 0; }
  bool is_within(double residual) const { return residual <= stop_.tolerance; }
  void end(StopReason reason) {
    report_.reason = reason;
    is_over_ = true;
  }

  Operator<T, Dim> const& matrix_;
  StopRule stop_;
  Field<T, Dim> const& b_;
  Field<T, Dim>& x_;
  Field<T, Dim>& r_;
  Report report_;
  int patience_, since_least_ = 0;
  double b_norm_ = 0, last_check_ = 0, least_ = std::numeric_limits<double>::infinity();
  bool is_over_ = false;
};

}  // namespace sparse::poisson::detail
