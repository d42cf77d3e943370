#pragma once
/// What stages do to a cell, as far as several methods need it.

#include <cmath>

#include "stages.hpp"
#include "zeros.hpp"

namespace sparse::poisson::detail {

/// result = A x
template <class T>
struct Apply {
  static constexpr bool may_repeat = true;
  T const* x;
  T* result;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    result[rows.run.first + step] = rows.applied(x + rows.run.first, step);
  }
};

/// r = b - A x; adds up r^2 and, if there is a second sum, r.
template <class T, int sums = 1>
struct Residual {
  static constexpr int sum_count = sums;
  T const *b, *x;
  T* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& square, double& sum, double&) const {
    Index const cell = rows.run.first + step;
    T const value = b[cell] - rows.applied(x + rows.run.first, step);
    r[cell] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
    if constexpr (sums > 1) sum += static_cast<double>(value);
  }
};

/// r = b - A x, where B is the type of b
template <class T, class B>
struct Difference {
  static constexpr bool may_repeat = true;
  B const* b;
  T const* x;
  T* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    r[cell] = static_cast<T>(b[cell]) - rows.applied(x + rows.run.first, step);
  }
};

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

/// Half a sweep of red-black Gauss-Seidel or SOR: moves x of one colour `relaxation` times the way to the solution of
/// its row. B is the type of the right-hand side.
template <class T, class B>
struct Relax {
  T* x;
  B const* b;
  int colour;
  T relaxation = 1;
  using InPlace = T;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION T* values(Rows const& rows) const {
    return x + rows.run.first;
  }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION T value(Rows const& rows, int step) const {
    T const* const here = x + rows.run.first;
    T const solved =
        (static_cast<T>(b[rows.run.first + step]) + rows.from_neighbours(here, step)) * rows.inverse_diagonal(step);
    T const wanted = here[step] + relaxation * (solved - here[step]);
    return ((rows.run.colour + step) & 1) == colour ? wanted : here[step];
  }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    if (((rows.run.colour + step) & 1) == colour) values(rows)[step] = value(rows, step);
  }
};

/// x = b / diagonal. For one colour this is what `Relax` makes of x = 0.
template <class T, class B>
struct Divide {
  static constexpr bool may_repeat = true;
  T* x;
  B const* b;
  T factor = 1;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    x[cell] = factor * static_cast<T>(b[cell]) * rows.inverse_diagonal(step);
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
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    to[cell] = x[cell] + factor * (static_cast<T>(b[cell]) - rows.applied(x + rows.run.first, step)) *
                             rows.inverse_diagonal(step);
  }
};

/// The Euclidean norm.
template <class T, int Dim>
double norm(Couplings<T, Dim> const& level, T const* x) {
  GroupSums sums(level.chain());
  Pipeline pipeline;
  pipeline.add(sum_stage(level, sums, Dot<T, T>{x, x}));
  pipeline.run(level.context(), level.chain());
  return std::sqrt(sums.total(0));
}

}  // namespace sparse::poisson::detail
