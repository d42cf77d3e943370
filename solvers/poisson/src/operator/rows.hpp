#pragma once
/// Matrix rows as kernels see them: loops over the cells of a run, and over runs.

#include <type_traits>

#include <sparse/base/compat.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>

#include "couplings.hpp"

namespace sparse::poisson::detail {

/// The matrix rows of the cells of a run. Steps count cells from its first one; pointers are to that one's value.
/// @tparam single  whether the run has one cell. Then rows refer to the run; else they copy it, for the loops.
template <bool uniform, class T, int Dim, bool single = false>
struct RunRows {
  static constexpr bool is_single = single;
  std::conditional_t<single, CouplingRun<T, Dim> const&, CouplingRun<T, Dim>> run;
  T const *lower[Dim], *upper[Dim];  // of cells with couplings of their own
  T const *dirichlet, *zeroth;

  KOKKOS_FORCEINLINE_FUNCTION RunRows(CouplingView<T, Dim> const& view, Index r) : run(view.runs[r]) {
    if constexpr (!uniform) {
      for (int axis = 0; axis < Dim; ++axis) {
        lower[axis] = view.lower[axis] + run.first;
        upper[axis] = lower[axis] + run.offset[2 * axis + 1];
      }
      dirichlet = view.dirichlet + run.first;
      zeroth = view.zeroth + run.first;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION T weight(int arm, int step) const {
    if constexpr (uniform) return run.weight[arm];
    // Not (... ? lower : upper)[arm / 2]: g++ 12 with its sanitizer for overflows takes the wrong array there.
    return run.weight[arm] * (arm % 2 == 0 ? lower[arm / 2] : upper[arm / 2])[step];
  }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet_part(int step) const {
    if constexpr (uniform) return run.dirichlet;
    return dirichlet[step];
  }
  KOKKOS_FORCEINLINE_FUNCTION T extra(int step) const {
    if constexpr (uniform) return run.extra;
    return dirichlet[step] + zeroth[step];
  }
  KOKKOS_FORCEINLINE_FUNCTION T inverse_diagonal(int step) const {
    if constexpr (uniform) return run.inverse_diagonal;
    T diagonal = extra(step);
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) diagonal += weight(arm, step);
    return diagonal > 0 ? T(1) / diagonal : T(0);
  }
  /// What the neighbours add to a row: the sum of weight * x.
  KOKKOS_FORCEINLINE_FUNCTION T from_neighbours(T const* x, int step) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) sum += weight(arm, step) * x[run.offset[arm] + step];
    return sum;
  }
  /// (A x) of a cell, from differences, which lose fewer digits. X is the type of x.
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION T applied(X const* x, int step) const {
    T const here = static_cast<T>(x[step]);
    T sum = extra(step) * here;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm)
      sum += weight(arm, step) * (here - static_cast<T>(x[run.offset[arm] + step]));
    return sum;
  }
};

/// Calls `body.along(rows)` for each run of a range. At the ends of intervals many runs have a single cell.
template <class Body, class T, int Dim>
void for_runs(CouplingView<T, Dim> const& view, RunGroup const& group, Body const& body) {
  for (Index r = group.begin; r < group.end; ++r)
    if (bool const is_single = view.runs[r].count == 1; view.runs[r].is_uniform)
      is_single ? body.along(RunRows<true, T, Dim, true>(view, r)) : body.along(RunRows<true, T, Dim>(view, r));
    else
      is_single ? body.along(RunRows<false, T, Dim, true>(view, r)) : body.along(RunRows<false, T, Dim>(view, r));
}

/// Calls `body(step)` for begin <= step < end, for some steps twice. Blocks of full vectors overlap, because single
/// steps for the rest would take most of the time in short runs.
template <int width = 16, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_blocks(int begin, int end, Body const& body) {
  if (end - begin >= width) {
    for (int next = begin; next < end; next += width) {
      int const first = next + width <= end ? next : end - width;
#pragma omp simd
      for (int i = 0; i < width; ++i) body(first + i);
    }
  } else if constexpr (width > 4) {
    for_blocks<width / 2>(begin, end, body);
  } else {
    for (int step = begin; step < end; ++step) body(step);
  }
}

/// Calls `body(rows, step)` for one cell, as devices do.
template <class Body, class T, int Dim>
struct OnCell {
  CouplingView<T, Dim> view;
  Body body;
  KOKKOS_FUNCTION void operator()(Index cell) const {
    Index const r = ::sparse::detail::last_at_most(view.starts, view.run_count, cell);
    int const step = static_cast<int>(cell - view.starts[r]);
    if (view.runs[r].is_uniform)
      body(RunRows<true, T, Dim>(view, r), step);
    else
      body(RunRows<false, T, Dim>(view, r), step);
  }
};

}  // namespace sparse::poisson::detail
