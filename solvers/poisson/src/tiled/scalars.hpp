#pragma once
/// The numbers of conjugate gradients on tiles.

#include <sparse/poisson/method.hpp>

namespace sparse::poisson::detail {

/// The numbers of conjugate gradients; they stay on the device.
struct TiledScalars {
  static constexpr int history_limit = TileLaunches::longest_interval;
  double rz, beta, pq, alpha;
  double square_limit;            ///< of r^2; below it steps change nothing until the host has looked
  int is_done, step;              ///< `step` counts the steps since the host has looked
  double history[history_limit];  ///< [step] r^2, or a product that is not finite
};

}  // namespace sparse::poisson::detail
