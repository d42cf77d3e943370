#pragma once
/// Kinds of semi-Lagrangian advection.

namespace sparse::incompressible {

/// How a value is interpolated at the point that the fluid comes from.
enum class Advection {
  linear,      ///< multilinear: never overshoots, but diffuses by about (cell width)^2 / 8 per time step
  maccormack,  ///< second order: adds half of the loss on the way there and back, limited by the values around
};

}  // namespace sparse::incompressible
