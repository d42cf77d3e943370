#pragma once
/// What stages do to a cell with the couplings of a problem, as far as several methods need it.

#include "passes/bodies.hpp"
#include "stages.hpp"
#include "zeros.hpp"

namespace sparse::poisson::detail {

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

/// What `Relax` makes of x = 0.
template <class T, class B>
struct RelaxZero {
  static constexpr bool may_repeat = true;
  T* x;
  B const* b;
  int colour;
  T relaxation;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const wanted = relaxation * (static_cast<T>(b[cell]) * rows.inverse_diagonal(step));
    x[cell] = ((rows.run.colour + step) & 1) == colour ? wanted : T(0);
  }
};

/// x = factor b / diagonal
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

/// `count` red-black sweeps that begin with `colour`.
template <class T, class B, int Dim>
void add_red_black_sweeps(Pipeline& pipeline, Couplings<T, Dim> const& matrix, double relaxation, B const* b, T* x,
                          int colour, int count, bool from_zero) {
  auto const factor = static_cast<T>(relaxation);
  for (int sweep = 0; sweep < count; ++sweep)
    for (int half = 0; half < 2; ++half) {
      if (from_zero && sweep == 0 && half == 0)
        pipeline.add(cell_stage(matrix, RelaxZero<T, B>{x, b, colour, factor}));
      else
        pipeline.add(cell_stage(matrix, Relax<T, B>{x, b, colour ^ half, factor}));
    }
}

}  // namespace sparse::poisson::detail
