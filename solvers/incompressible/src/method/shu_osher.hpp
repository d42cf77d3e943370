#pragma once
/// The stages of a Runge-Kutta method.

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
};

}  // namespace sparse::incompressible::detail
