#pragma once
/// What is done to a cell in passes that all matrices have.
///
/// A body is called with the rows of a matrix, `rows`, and a number, `step`. The position of the cell is
/// `rows.run.first + step`. Rows have `applied(x + rows.run.first, step)`, which is (A x) of the cell, and
/// `inverse_diagonal(step)`. A body that needs A x says which x by `operand()`.

#include <variant>

#include <sparse/base/config.hpp>

namespace sparse::poisson::detail {

/// result = A x
template <class T>
struct Apply {
  static constexpr bool may_repeat = true;
  T const* x;
  T* result;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return x; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    result[rows.run.first + step] = rows.applied(x + rows.run.first, step);
  }
};

/// x = y
template <class T>
struct CopyCell {
  T const* y;
  T* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] = y[rows.run.first + step];
  }
};

/// x += change
template <class T>
struct AddCell {
  T const* change;
  T* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] += change[rows.run.first + step];
  }
};

/// x -= constant
template <class T>
struct SubtractConstant {
  T* x;
  T constant;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] -= constant;
  }
};

/// to = x + factor (b - A x) / diagonal: a step of the weighted Jacobi method.
template <class T, class B>
struct JacobiStep {
  static constexpr bool may_repeat = true;
  T const* x;
  T* to;
  B const* b;
  T factor;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return x; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    to[cell] = x[cell] + factor * (static_cast<T>(b[cell]) - rows.applied(x + rows.run.first, step)) *
                             rows.inverse_diagonal(step);
  }
};

/// step = keep * step + share * D^-1 (b - A x)
template <class T>
struct ChebyshevStep {
  T const *b, *x;
  T* change;
  T keep, share;
  bool is_first;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return x; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const part = share * (b[cell] - rows.applied(x + rows.run.first, step)) * rows.inverse_diagonal(step);
    change[cell] = is_first ? part : keep * change[cell] + part;
  }
};

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

/// x += alpha p, r -= alpha A p
template <class T>
struct Advance {
  T const* p;
  T *x, *r;
  T alpha;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return p; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    x[cell] += alpha * p[cell];
    r[cell] -= alpha * rows.applied(p + rows.run.first, step);
  }
};

// ---- bodies that add to sums

/// Adds up x y.
template <class T, class U>
struct Dot {
  static constexpr int sum_count = 1;
  T const* x;
  U const* y;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    Index const cell = rows.run.first + step;
    sum += static_cast<double>(x[cell]) * static_cast<double>(y[cell]);
  }
};

/// Adds up x^2 and x.
template <class T>
struct SquareAndSum {
  static constexpr int sum_count = 2;
  T const* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& square, double& sum, double&) const {
    auto const value = static_cast<double>(x[rows.run.first + step]);
    square += value * value;
    sum += value;
  }
};

/// r = b - A x; adds up r^2 and, if there is a second sum, r.
template <class T, int sums = 1>
struct Residual {
  static constexpr int sum_count = sums;
  T const *b, *x;
  T* r;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return x; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& square, double& sum, double&) const {
    Index const cell = rows.run.first + step;
    T const value = b[cell] - rows.applied(x + rows.run.first, step);
    r[cell] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
    if constexpr (sums > 1) sum += static_cast<double>(value);
  }
};

/// Adds up (b - A x)^2.
template <class T>
struct ResidualSquare {
  static constexpr int sum_count = 1;
  T const *b, *x;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return x; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    auto const r = static_cast<double>(b[rows.run.first + step] - rows.applied(x + rows.run.first, step));
    sum += r * r;
  }
};

/// Adds up p A p.
template <class T>
struct Curvature {
  static constexpr int sum_count = 1;
  T const* p;
  KOKKOS_FORCEINLINE_FUNCTION T const* operand() const { return p; }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    sum += static_cast<double>(p[rows.run.first + step]) * static_cast<double>(rows.applied(p + rows.run.first, step));
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

// ---- all of them

template <class T>
using CellPass = std::variant<Apply<T>, CopyCell<T>, AddCell<T>, SubtractConstant<T>, JacobiStep<T, T>,
                              ChebyshevStep<T>, Direction<T, false>, Direction<T, true>, Advance<T>>;
template <class T>
using SumPass = std::variant<Dot<T, T>, SquareAndSum<T>, Residual<T, 1>, Residual<T, 2>, ResidualSquare<T>,
                             Curvature<T>, ResidualSums<T, false>, ResidualSums<T, true>>;

}  // namespace sparse::poisson::detail
