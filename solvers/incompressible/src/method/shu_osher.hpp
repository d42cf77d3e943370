#pragma once
/// The stages of a Runge-Kutta method.

#include "step/cut_convection.hpp"

namespace sparse::incompressible::detail {

/// Stage i makes of_start[i] start + (1 - of_start[i]) (Euler's step from the last stage).
/// Source: Shu, Osher, Efficient implementation of essentially non-oscillatory shock-capturing schemes, J. Comput.
/// Phys. 77 (1988).
struct ShuOsher {
  static constexpr int stage_count = 3;
  static constexpr double of_start[stage_count] = {0, 0.75, 1.0 / 3};
  /// The longest stable stage is twice what is safe. It crosses these cells, all axes together, or is this many times
  /// as long as Euler's longest one for diffusion.
  static constexpr double cells = 1.4, diffusion = 1.5;

  /// How a stage advances cut faces. Beyond this Reynolds number of a cell, what comes from upstream is of first order.
  ///
  /// Rosenbrock's stages with these numbers are of second order for any rate, so for one that is only an estimate, too:
  /// the sum over stages of weight (damping + what is taken of other stages) is 0. They are stable up to twice the
  /// rate. Source: Steihaug, Wolfbrandt, An attempt to avoid exact Jacobian and nonlinear equations in the numerical
  /// solution of stiff differential equations, Math. Comp. 33 (1979).
  /// @param upstream  share of what comes from upstream
  static CutStep at_cuts(int stage, double upstream) {
    constexpr double central_reynolds = 10, damping = 0.7, of_change[stage_count] = {0, 0, 3 * damping};
    return {{upstream, central_reynolds}, damping, of_change[stage]};
  }
};

}  // namespace sparse::incompressible::detail
