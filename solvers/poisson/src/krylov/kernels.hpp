#pragma once
/// What stages do to a cell in conjugate gradients and the like.

#include "operator/kernels.hpp"

namespace sparse::poisson::detail {

/// p = z + beta p. z is the residual, divided by the diagonal if `is_scaled`.
template <class T, bool is_scaled>
struct Direction {
  T const* r;
  T* p;
  T beta;
  bool is_first;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T z = r[cell];
    if constexpr (is_scaled) z *= rows.inverse_diagonal(step);
    p[cell] = is_first ? z : z + beta * p[cell];
  }
};

/// Adds up p A p.
template <class T>
struct Curvature {
  static constexpr int sum_count = 1;
  T const* p;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    sum += static_cast<double>(p[rows.run.first + step]) * static_cast<double>(rows.applied(p + rows.run.first, step));
  }
};

/// x += alpha p, r -= alpha A p
template <class T>
struct Advance {
  T const* p;
  T *x, *r;
  T alpha;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    x[cell] += alpha * p[cell];
    r[cell] -= alpha * rows.applied(p + rows.run.first, step);
  }
};

/// Adds up r z and r^2 with the z of `Direction`.
template <class T, bool is_scaled>
struct ResidualSums {
  static constexpr int sum_count = 2;
  T const* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& rz, double& rr, double&) const {
    auto const value = static_cast<double>(r[rows.run.first + step]);
    double const square = value * value;
    rz += is_scaled ? square * static_cast<double>(rows.inverse_diagonal(step)) : square;
    rr += square;
  }
};

/// Adds up (b - A x)^2.
template <class T>
struct ResidualSquare {
  static constexpr int sum_count = 1;
  T const *b, *x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    auto const r = static_cast<double>(b[rows.run.first + step] - rows.applied(x + rows.run.first, step));
    sum += r * r;
  }
};

}  // namespace sparse::poisson::detail
