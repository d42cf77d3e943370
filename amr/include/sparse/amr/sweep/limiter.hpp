#pragma once
/// Slopes of piecewise linear reconstructions.

#include <sparse/base/compat.hpp>

namespace sparse::amr {

/// How a cell's slope follows from the differences to its two neighbours. It is zero at extrema.
enum class Limiter {
  minmod,    ///< the smaller one: robust
  van_leer,  ///< their harmonic mean
  mc,        ///< their mean, at most twice the smaller one (monotonised central): sharp
};

namespace detail {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T smaller(T a, T b) {
  T const size_a = a < 0 ? -a : a, size_b = b < 0 ? -b : b;
  return size_a < size_b ? a : b;
}

}  // namespace detail

/// The limited difference from cell to cell. Source: van Leer (1977, 1979); LeVeque (2002), section 6.9.
template <Limiter kind, class T>
KOKKOS_FORCEINLINE_FUNCTION T limited(T before, T after) {
  T slope;
  if constexpr (kind == Limiter::minmod) {
    slope = detail::smaller(before, after);
  } else if constexpr (kind == Limiter::mc) {
    slope = detail::smaller(T(0.5) * (before + after), T(2) * detail::smaller(before, after));
  } else {
    T const sum = before + after;
    slope = T(2) * before * after / (sum == 0 ? T(1) : sum);
  }
  return before * after > 0 ? slope : T(0);
}

}  // namespace sparse::amr
