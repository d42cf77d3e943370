#pragma once
/// Paths that follow a vector field.

#include <cmath>
#include <optional>
#include <vector>

#include <sparse/base/error.hpp>
#include <sparse/base/vec_products.hpp>

namespace sparse {

/// The path from `x` along a steady vector field, on the host. Points are one step apart along the path.
///
/// Uses the classical Runge-Kutta method of fourth order for dx/ds = v / |v|. The path ends after `step_limit` steps,
/// where the field ends, or where it is 0. Cost: four calls of `velocity` per step.
/// @param velocity  function of a position: `std::optional<Vec<double, Dim>>`, empty outside of the field
/// @param step      > 0 [length]
/// @return          at most 1 + step_limit points; the first is `x`
/// @throws std::invalid_argument  if the step is not positive
template <int Dim, class Velocity>
std::vector<Vec<double, Dim>> streamline(Velocity const& velocity, Vec<double, Dim> x, double step, int step_limit) {
  expects(step > 0 && std::isfinite(step), "streamline: steps must be positive");
  using Point = Vec<double, Dim>;
  auto const direction = [&](Point const& at) -> std::optional<Point> {
    std::optional<Point> v = velocity(at);
    double const size = v ? length(*v) : 0;
    if (!(size > 0)) return std::nullopt;
    return (1 / size) * *v;
  };
  std::vector<Point> path = {x};
  for (int i = 0; i < step_limit; ++i) {
    auto const first = direction(x);
    auto const second = first ? direction(x + 0.5 * step * *first) : first;
    auto const third = second ? direction(x + 0.5 * step * *second) : second;
    auto const fourth = third ? direction(x + step * *third) : third;
    if (!fourth) break;
    x += step / 6 * (*first + 2.0 * *second + 2.0 * *third + *fourth);
    path.push_back(x);
  }
  return path;
}

}  // namespace sparse
