#pragma once
/// When iterative solvers stop, and what they report.

#include <cmath>
#include <string>
#include <vector>

#include <sparse/base/error.hpp>

namespace sparse::poisson {

/// When to stop.
struct StopRule {
  double tolerance = 1e-6;    ///< of |b - A x| / |b|, Euclidean norms; > 0
  int iteration_limit = 200;  ///< >= 0
  /// >= 0; made even where the guess is good enough, unless its residual is a rounding error. So a sequence of
  /// solutions that start from each other comes to rest.
  int least_iterations = 0;

  /// @throws std::invalid_argument  if a value is out of its range
  void expect_valid(char const* solver) const {
    if (!(tolerance > 0 && std::isfinite(tolerance)))
      fail(std::string(solver) + ": the tolerance must be positive, not " + std::to_string(tolerance));
    if (iteration_limit < 0) fail(std::string(solver) + ": the iteration limit must not be negative");
    if (least_iterations < 0) fail(std::string(solver) + ": the least number of iterations must not be negative");
  }
};

/// Why a solver stopped.
enum class StopReason {
  converged,        ///< the true residual, recomputed from the solution, is within the tolerance
  iteration_limit,  ///< the true residual is not, after as many iterations as were allowed
  stagnated,        ///< it is not, and it no longer sinks: rounding errors are as large
  not_finite,       ///< a NaN or an infinity came up
};

/// For people.
inline char const* name_of(StopReason reason) {
  switch (reason) {
  case StopReason::converged:
    return "converged";
  case StopReason::iteration_limit:
    return "reached the iteration limit";
  case StopReason::stagnated:
    return "stagnated";
  case StopReason::not_finite:
    return "not finite";
  }
  return "";
}

/// What a solver did.
struct Report {
  /// How many there were, and why they ended.
  int iterations = 0;
  StopReason reason = StopReason::iteration_limit;
  /// |b - A x| / |b| of the guess and after each iteration, as the solver kept track of it. With `Jacobi::guess`: after
  /// the iterations at which the solver looked.
  std::vector<double> residuals;
  double true_residual = 0;  ///< the same, recomputed at the end
  /// |b|; on levels squares are weighted with volumes, in cells of level 0. Of `SingleGrid` what residuals are relative
  /// to: f less the part of boundary values and, on singular problems, the mean.
  double right_side = 0;
  /// On singular components b must have the mean 0, or there is no solution. This is the greatest mean that was taken
  /// off, over the root mean square of b. If it is more than rounding, the caller has made a mistake.
  double incompatibility = 0;

  /// Whether the tolerance was met.
  bool has_converged() const { return reason == StopReason::converged; }
};

}  // namespace sparse::poisson
