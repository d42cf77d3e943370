#pragma once
/// Kinds of semi-Lagrangian advection.

namespace sparse::incompressible {

/// How a value is taken from the place that the fluid comes from.
enum class Advection {
  linear,      ///< multilinear: never overshoots, but spreads all by about (cell width)^2 / 8 per time step
  maccormack,  ///< corrects half of the loss on the way there and back, within the values around: second order
};

}  // namespace sparse::incompressible
