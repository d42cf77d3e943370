#pragma once
/// Kinds of semi-Lagrangian advection.

namespace sparse::incompressible {

/// How values are taken from where the fluid comes from.
enum class Advection {
  linear,      ///< multilinear: never overshoots, but spreads everything by about (cell width)^2 / 8 per time step
  maccormack,  ///< the same, less half of what is lost on the way there and back, within the values around: second
               ///< order
};

}  // namespace sparse::incompressible
