#pragma once
/// A limiter for values between cells.

#include <cmath>

#include <sparse/base/config.hpp>

namespace sparse::incompressible::detail {

/// Twice what a value on a face has more than that upstream. 0 at extrema. Else at most twice either difference, so a
/// step of a CFL number up to 1/2 makes no new extrema.
/// @param step    the value downstream of the face minus that upstream
/// @param behind  the value upstream minus that behind it
/// Source: Koren, A robust upwind discretization method for advection, diffusion and source terms (1993).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T limited_gain(T step, T behind) {
  T const size = std::fabs(step), size_behind = std::fabs(behind);
  T const third = T(1) / 3 * (2 * size + size_behind), twice = 2 * (size < size_behind ? size : size_behind);
  T const least = third < twice ? third : twice;
  return step * behind > 0 ? std::copysign(least, step) : T(0);
}

}  // namespace sparse::incompressible::detail
