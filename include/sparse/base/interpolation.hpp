#pragma once
/// How values are interpolated between cells or faces: one vocabulary for all solvers.

namespace sparse {

/// The number of values along an axis that take part. Each function documents the kinds that it accepts.
enum class Interpolation {
  constant,   ///< 1: the value of the cell
  linear,     ///< 2: exact for linear functions; derivatives jump
  quadratic,  ///< 3: the quadratic B-spline: smooths a little, with continuous derivatives
};

}  // namespace sparse
