#pragma once
/// The stages of which a step of one level consists.

#include <vector>

#include <sparse/amr/options.hpp>
#include <sparse/amr/sweep/values.hpp>

namespace sparse::amr {

/// A stage of a Runge-Kutta step in the form of Shu and Osher: next = (1 - weight) * base + weight * (in + dt L(in)).
struct Stage {
  /// Of the new state in the result of the stage.
  double weight;
  double time;         ///< time of `in`, as fraction of the step
  double flux_weight;  ///< its weight in the flux of the whole step
};

/// Source: Gottlieb, Shu and Tadmor (2001), SIAM Review 43, 89.
inline std::vector<Stage> stages_of(Scheme scheme) {
  switch (scheme) {
  case Scheme::muscl_rk2:
    return {{1, 0, 0.5}, {0.5, 1, 0.5}};
  case Scheme::muscl_rk3:
    return {{1, 0, 1. / 6}, {0.25, 1, 1. / 6}, {2. / 3, 0.5, 2. / 3}};
  default:
    return {{1, 0, 1}};
  }
}

/// How a scheme finds the states at faces.
inline Reconstruction reconstruction_of(Scheme scheme) {
  return scheme == Scheme::godunov   ? Reconstruction::constant
         : scheme == Scheme::hancock ? Reconstruction::hancock
                                     : Reconstruction::linear;
}

}  // namespace sparse::amr
