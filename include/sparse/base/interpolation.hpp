#pragma once
/// How values are taken from between those of cells or faces: one vocabulary for all solvers.

namespace sparse {

/// How many values along an axis take part. Each function says which of these it takes.
enum class Interpolation {
  constant,   ///< 1: the value of the cell
  linear,     ///< 2: exact for linear functions; derivatives jump
  quadratic,  ///< 3: the quadratic B-spline: smooths a little, with continuous derivatives
};

}  // namespace sparse
