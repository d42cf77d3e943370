#pragma once
/// What all iterative solvers have in common: how they begin, and when they stop.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/report.hpp>

#include "passes/any_matrix.hpp"
#include "passes/null_space.hpp"

namespace sparse::poisson::detail {

/// The `patience` (see `Iteration`) of methods with multigrid.
inline constexpr int multigrid_patience = 20;

/// @throws std::invalid_argument  if they share values
template <class Matrix>
void expect_other_fields(Matrix const& matrix, typename Matrix::Fields const& b, typename Matrix::Fields const& x) {
  expects(&b != &x && !matrix.share_values(b, x),
          "poisson: the solution must be another field than the right-hand side");
}

/// Follows the solution of A x = b and decides when it ends: by the true residual, never by one that the solver only
/// keeps track of.
/// @tparam Matrix  `AnyMatrix`, or what has the same functions for its kinds of fields
template <class Matrix>
class IterationOn {
  using T = typename Matrix::Value;
  using Fields = typename Matrix::Fields;
  using Solution = typename Matrix::Solution;
  using Residual = typename Matrix::ResidualFields;

public:
  /// Makes r = b - A x.
  /// @param patience  The solver has stagnated after so many iterations without a new smallest residual.
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  IterationOn(Matrix const& matrix, StopRule const& stop, Fields const& b, Solution& x, Residual& r,
              int patience = std::numeric_limits<int>::max())
      : matrix_(matrix), stop_(stop), b_(b), x_(x), r_(r), patience_(patience) {
    matrix.expect_field(b, "right-hand side");
    if constexpr (std::is_same_v<Fields, Solution>) {
      matrix.expect_field(x, "solution");
      expect_other_fields(matrix, b, x);
    }
    auto const sums = matrix.residual_moments(b, x, r, true);
    expects(std::isfinite(sums.b.square),
            "poisson: the right-hand side has a NaN or an infinity, or its square overflows");
    expects(std::isfinite(sums.x.square + sums.r.square) || std::isfinite(matrix.norm(std::as_const(x))),
            "poisson: the guess has a NaN or an infinity, or its square overflows");
    double const size = report_.right_side = std::sqrt(sums.b.square);
    b_norm_ = size;
    bool const is_measured = matrix.singular_count() == 0 || (matrix.null_space().is_whole() && has_small_mean(sums.b));
    if (matrix.singular_count() > 0) {
      double mean = std::abs(mean_of(sums.b));
      if (is_measured) {
        b_norm_ = std::sqrt(without_mean(sums.b));
      } else {
        matrix.assign_to(r, b);
        mean = matrix.remove_means(r);
        b_norm_ = matrix.norm(std::as_const(r));
      }
      if (size > 0) report_.incompatibility = mean / (size / std::sqrt(count()));
      // What is left of a constant right-hand side are rounding errors.
      if (b_norm_ <= 4 * std::numeric_limits<T>::epsilon() * size) b_norm_ = 0;
    }
    if (b_norm_ == 0) matrix.clear(x);
    report_.residuals.push_back(
        relative(b_norm_ > 0 && is_measured ? measure(sums) : measure(matrix.residual_moments(b, x, r, false))));
    last_check_ = report_.true_residual = report_.residuals[0];
    is_over_ = b_norm_ == 0 || may_stop(report_.residuals[0]);
    report_.reason =
        b_norm_ == 0 || is_within(report_.residuals[0]) ? StopReason::converged : StopReason::iteration_limit;
    if (stop_.iteration_limit == 0) is_over_ = true;
    prepare();
  }

  bool is_over() const { return is_over_; }
  Report const& report() const { return report_; }
  /// The norm of the r that the solver goes on with, but for its mean where that is small.
  double residual_norm() const { return report_.true_residual * b_norm_; }
  /// A power of two to multiply b and x by, so that cycles with values of type P neither underflow nor overflow where T
  /// does not. It is 1 unless residuals are very small or large.
  template <class P>
  double scale_for_cycles() const {
    constexpr int ordinary = 32, greatest = std::numeric_limits<T>::max_exponent - 2;
    if (is_over_ || !std::is_same_v<P, float>) return 1;
    double const size = b_norm_ * std::fmax(1, report_.residuals[0]);
    int const exponent = std::isfinite(size) ? std::ilogb(size / std::sqrt(count())) : 0;
    return std::abs(exponent) <= ordinary ? 1 : std::ldexp(1, std::clamp(-exponent, -greatest, greatest));
  }
  /// Solves A x = b by `solve(factor b, factor x)`.
  template <class Solve>
  Report solve_scaled(double factor, Solve const& solve) {
    auto scaled = matrix_.clone(b_);
    matrix_.scale(scaled, static_cast<T>(factor));
    matrix_.scale(x_, static_cast<T>(factor));
    double const right_side = report_.right_side;
    report_ = solve(std::as_const(scaled), x_);
    report_.right_side = right_side;
    matrix_.scale(x_, static_cast<T>(1 / factor));
    // The values of x may be too large or small for T.
    report_.true_residual = relative(measure(matrix_.residual_moments(b_, x_, r_, false)));
    if (!std::isfinite(report_.true_residual))
      report_.reason = StopReason::not_finite;
    else if (report_.has_converged() && !is_within(report_.true_residual))
      report_.reason = StopReason::stagnated;
    return std::move(report_);
  }

  /// To be called after each iteration. @param residual  its Euclidean norm, as the solver keeps track of it
  /// @return  whether the solver must complete x and call `check`
  bool must_check(double residual) {
    ++report_.iterations;
    report_.residuals.push_back(relative(residual));
    if (report_.residuals.back() < least_) {
      least_ = report_.residuals.back();
      since_least_ = 0;
    } else {
      ++since_least_;
    }
    return !std::isfinite(residual) || may_stop(report_.residuals.back()) || since_least_ >= patience_ ||
           report_.iterations == stop_.iteration_limit;
  }
  /// For solvers that look at the residual now and then only: makes r = b - A x after `count` more iterations, and ends
  /// the solution if that is small enough, or if it has not sunk at the last looks.
  void look_after(int count) {
    constexpr int patience = 4;
    report_.iterations += count;
    double const last = report_.true_residual = relative(measure(matrix_.residual_moments(b_, x_, r_, false)));
    report_.residuals.push_back(last);
    since_least_ = last < least_ ? 0 : since_least_ + 1;
    least_ = std::fmin(least_, last);
    if (may_stop(last))
      end(StopReason::converged);
    else if (!std::isfinite(last))
      end(StopReason::not_finite);
    else if (report_.iterations == stop_.iteration_limit)
      end(is_within(last) ? StopReason::converged : StopReason::iteration_limit);
    else if (since_least_ >= patience)
      end(is_within(last) ? StopReason::converged : StopReason::stagnated);
    prepare();
  }
  /// Makes r = b - A x and ends the solution if that is small enough. Otherwise the solver goes on with this r.
  /// @param first  passes that complete x, done in the same sweep
  void check(Pipeline first = {}) {
    double const last = report_.true_residual =
        relative(measure(matrix_.residual_moments(b_, x_, r_, false, std::move(first))));
    if (may_stop(last))
      end(StopReason::converged);
    else if (!std::isfinite(last) || !std::isfinite(report_.residuals.back()))
      end(StopReason::not_finite);
    else if (report_.iterations == stop_.iteration_limit)
      end(is_within(last) ? StopReason::converged : StopReason::iteration_limit);
    else if (last > 0.5 * last_check_ || since_least_ >= patience_)
      end(is_within(last) ? StopReason::converged : StopReason::stagnated);
    last_check_ = last;
    prepare();
  }
  /// Takes the mean from singular components of x. @return  what the solver did
  Report finish() {
    if (double const mean = rest_of_means(); mean != 0) matrix_.subtract(mean, x_);
    return take_report();
  }
  /// The same in two parts, for solvers that subtract a mean themselves. @return  what is still to be subtracted
  double rest_of_means() {
    constexpr double rounding = 8 * std::numeric_limits<T>::epsilon();
    if (!matrix_.null_space().is_whole()) {
      matrix_.remove_means(x_);
      return 0;
    }
    if constexpr (requires { matrix_.moments(x_); })
      if (!knows_x_) x_sums_ = matrix_.moments(x_);
    double const mean = mean_of(x_sums_);
    return std::abs(mean) <= rounding * std::sqrt(x_sums_.square / count()) ? 0 : mean;
  }
  Report take_report() { return std::move(report_); }

private:
  double count() const { return matrix_.weight(); }
  double mean_of(Moments const& sums) const { return sums.sum / count(); }
  /// The sum of squares after the mean is taken off. It loses few digits where the mean is small.
  double without_mean(Moments const& sums) const { return sums.square - sums.sum * mean_of(sums); }
  bool has_small_mean(Moments const& sums) const { return without_mean(sums) >= 0.5 * sums.square; }

  /// The norm of the r that `sums` belong to, without means.
  double measure(ResidualMoments const& sums) {
    x_sums_ = sums.x;
    knows_x_ = sums.knows_x;
    r_mean_ = 0;
    if (matrix_.singular_count() == 0) return std::sqrt(sums.r.square);
    if (matrix_.null_space().is_whole() && has_small_mean(sums.r)) {
      r_mean_ = mean_of(sums.r);
      return std::sqrt(without_mean(sums.r));
    }
    matrix_.remove_means(r_);
    return matrix_.norm(std::as_const(r_));
  }
  /// Takes from r the mean that it still has, unless the mean is far below the tolerance.
  void prepare() {
    constexpr double share = 1e-3;
    if (is_over_ || std::abs(r_mean_) * std::sqrt(count()) <= share * stop_.tolerance * b_norm_) return;
    matrix_.subtract(r_mean_, r_);
    r_mean_ = 0;
  }

  double relative(double residual) const { return b_norm_ > 0 ? residual / b_norm_ : 0; }
  bool is_within(double residual) const { return residual <= stop_.tolerance; }
  bool may_stop(double residual) const {
    constexpr double rounding = 4 * std::numeric_limits<T>::epsilon();
    return is_within(residual) && (report_.iterations >= stop_.least_iterations || residual <= rounding);
  }
  void end(StopReason reason) {
    report_.reason = reason;
    is_over_ = true;
  }

  Matrix const& matrix_;
  StopRule stop_;
  Fields const& b_;
  Solution& x_;
  Residual& r_;
  Report report_;
  int patience_, since_least_ = 0;
  Moments x_sums_;     // of the x that r belongs to
  bool knows_x_ = false;
  double r_mean_ = 0;  // which r still has
  double b_norm_ = 0, last_check_ = 0, least_ = std::numeric_limits<double>::infinity();
  bool is_over_ = false;
};

template <class T, int Dim>
using Iteration = IterationOn<AnyMatrix<T, Dim>>;

}  // namespace sparse::poisson::detail
