#pragma once
/// How residuals go to the coarser level and corrections come back, as stages of the finer level's pipeline.

#include <algorithm>

#include <sparse/base/products.hpp>

#include "arm_values.hpp"
#include "operator/kernels.hpp"

namespace sparse::poisson::detail {

/// Cells in a piece of a run; pieces begin with the lower child of a parent.
inline constexpr int piece_cells = 512;

/// coarse = sum of b - A x over the children, divided by 2^Dim. For linear interpolation also the parts of those sums
/// from the children on each arm's side.
/// @tparam C  the type of the coarse values
template <class T, class B, int Dim, class C = T>
struct RestrictResidual {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  B const* b;
  T const* x;
  C* coarse;
  ArmValues<T> sides;
  static constexpr T mean = T(1) / (1 << Dim);

  void operator()(Index g) const {
    auto const& group = groups[g];
    std::fill(coarse + group.first_parent, coarse + group.end_parent, C(0));
    if (sides.data != nullptr)
      for (int arm = 0; arm < 2 * Dim; ++arm)
        std::fill(sides.of(arm) + group.first_parent, sides.of(arm) + group.end_parent, T(0));
    for_runs(view, group, *this);
  }

  template <class Rows>
  void along(Rows const& rows) const {
    auto const& run = rows.run;
    T const* const here = x + run.first;
    B const* const wanted = b + run.first;
    if constexpr (Rows::is_single) {
      add_one(rows);
      return;
    }
    int const half = run.x & 1, last = half + run.count;  // counted from the lower child of the first cell's parent
    T piece[piece_cells + 2];
    for (int begin = 0; begin < last; begin += piece_cells) {
      int const first = std::max(begin, half), end = std::min(begin + piece_cells, last);
      piece[0] = piece[end - begin] = 0;
      T* const residuals = piece - begin;
      for_blocks(first, end, [&](int i) SPARSE_INLINE_LAMBDA {
        residuals[i] = mean * (static_cast<T>(wanted[i - half]) - rows.applied(here, i - half));
      });
      add_pairs(run, piece, begin / 2, (end - begin + 1) / 2);
    }
  }

  void add_pairs(CouplingRun<T, Dim> const& run, T const* piece, int first, int count) const {
    C* const to = coarse + run.parent + first;
    SPARSE_INDEPENDENT_ITERATIONS
    for (int i = 0; i < count; ++i) to[i] += static_cast<C>(piece[2 * i] + piece[2 * i + 1]);
    if (sides.data == nullptr) return;
    T *const lower = sides.of(0) + run.parent + first, *const upper = sides.of(1) + run.parent + first;
    SPARSE_INDEPENDENT_ITERATIONS
    for (int i = 0; i < count; ++i) {
      lower[i] += piece[2 * i];
      upper[i] += piece[2 * i + 1];
    }
    auto const cell = cell_at<Dim>(run.key, run.x);
    for (int axis = 1; axis < Dim; ++axis) {
      T* const side = sides.of(2 * axis + (cell[axis] & 1)) + run.parent + first;
      SPARSE_INDEPENDENT_ITERATIONS
      for (int i = 0; i < count; ++i) side[i] += piece[2 * i] + piece[2 * i + 1];
    }
  }

  template <class Rows>
  void add_one(Rows const& rows) const {
    auto const& run = rows.run;
    T const value = mean * (static_cast<T>(b[run.first]) - rows.applied(x + run.first, 0));
    coarse[run.parent] += static_cast<C>(value);
    if (sides.data == nullptr) return;
    auto const cell = cell_at<Dim>(run.key, run.x);
    for (int axis = 0; axis < Dim; ++axis) sides.of(2 * axis + (cell[axis] & 1))[run.parent] += value;
  }

  /// On a device, one fine cell; sums come in any order.
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    auto const& run = rows.run;
    T const value = mean * (static_cast<T>(b[run.first + step]) - rows.applied(x + run.first, step));
    Index const parent = run.parent + (((run.x & 1) + step) >> 1);
    Kokkos::atomic_add(coarse + parent, static_cast<C>(value));
    if (sides.data == nullptr) return;
    auto const cell = cell_at<Dim>(run.key, run.x + step);
    for (int axis = 0; axis < Dim; ++axis) Kokkos::atomic_add(sides.of(2 * axis + (cell[axis] & 1)) + parent, value);
  }
  Index coarse_count;
  void on_all(Context const& context) const {
    parallel_for(context, "sparse::poisson::clear", coarse_count, Clear<C>{coarse});
    for (int arm = 0; sides.data != nullptr && arm < 2 * Dim; ++arm)
      parallel_for(context, "sparse::poisson::clear", coarse_count, Clear<T>{sides.of(arm)});
    parallel_for(context, "sparse::poisson::restrict", view.cell_count, OnCell<RestrictResidual, T, Dim>{view, *this});
  }
};

/// The weight of a neighbour in the interpolation to the children on its side; a quarter between whole cells.
/// @param offsets  see Couplings::offsets
template <int Dim, class T>
KOKKOS_FORCEINLINE_FUNCTION T share_of(ArmValues<T> const& offsets, int arm, Index cell) {
  T const distance = offsets.of(2 * Dim + arm)[cell];
  return distance > 0 ? offsets.of(arm)[cell] / distance : T(0);
}

/// Gives parts of each cell's sums to the neighbours that linear interpolation takes values from: the second half of
/// its transpose.
template <class T, int Dim>
struct SpreadSides {
  T* sums;
  ArmValues<T> sides, offsets;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T change = 0;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Index const neighbour = cell + rows.run.offset[arm];
      T const got = neighbour != cell ? share_of<Dim>(offsets, arm ^ 1, neighbour) : T(0);
      change +=
          sum_of_products(got, sides.of(arm ^ 1)[neighbour], -share_of<Dim>(offsets, arm, cell), sides.of(arm)[cell]);
    }
    sums[cell] += change;
  }
};

/// What the children on each side get beyond the value of the cell.
template <class T, int Dim>
struct Slopes {
  T const* x;
  ArmValues<T> sides, offsets;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm)
      sides.of(arm)[cell] = share_of<Dim>(offsets, arm, cell) * (x[cell + rows.run.offset[arm]] - x[cell]);
  }
};

/// x += interpolated coarse values, or x = them.
template <class T, int Dim, bool is_added>
struct Prolong {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  T* x;
  T const* coarse;
  ArmValues<T> sides;

  void operator()(Index g) const { for_runs(view, groups[g], *this); }

  template <class Rows>
  void along(Rows const& rows) const {
    if constexpr (Rows::is_single) {
      (*this)(rows, 0);
      return;
    }
    auto const& run = rows.run;
    auto const cell = cell_at<Dim>(run.key, run.x);
    T* const here = x + run.first;
    int const half = run.x & 1, last = half + run.count;
    T piece[piece_cells + 2];
    for (int begin = 0; begin < last; begin += piece_cells) {
      int const first = std::max(begin, half), end = std::min(begin + piece_cells, last);
      Index const parent = run.parent + begin / 2;
      int const count = (end - begin + 1) / 2;
      if (sides.data == nullptr) {
        SPARSE_INDEPENDENT_ITERATIONS
        for (int i = 0; i < count; ++i) piece[2 * i] = piece[2 * i + 1] = coarse[parent + i];
      } else {
        T const *const lower = sides.of(0), *const upper = sides.of(1);
        T const *const y = sides.of(2 + (cell[1] & 1)), *const z =
                                                            Dim == 3 ? sides.of(4 + (cell[Dim - 1] & 1)) : nullptr;
        SPARSE_INDEPENDENT_ITERATIONS
        for (int i = 0; i < count; ++i) {
          T common = coarse[parent + i] + y[parent + i];
          if constexpr (Dim == 3) common += z[parent + i];
          piece[2 * i] = common + lower[parent + i];
          piece[2 * i + 1] = common + upper[parent + i];
        }
      }
      T const* const values = piece - begin;
      SPARSE_INDEPENDENT_ITERATIONS
      for (int i = first; i < end; ++i) here[i - half] = is_added ? here[i - half] + values[i] : values[i];
    }
  }

  /// One fine cell, with sums in the order of those above: what is a run of its own differs between ranks.
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    auto const& run = rows.run;
    Index const parent = run.parent + (((run.x & 1) + step) >> 1);
    auto const cell = cell_at<Dim>(run.key, run.x + step);
    T value = coarse[parent];
    for (int axis = 1; sides.data != nullptr && axis <= Dim; ++axis)
      value += sides.of(2 * (axis % Dim) + (cell[axis % Dim] & 1))[parent];
    x[run.first + step] = is_added ? x[run.first + step] + value : value;
  }
  void on_all(Context const& context) const {
    parallel_for(context, "sparse::poisson::prolong", view.cell_count, OnCell<Prolong, T, Dim>{view, *this});
  }
};

}  // namespace sparse::poisson::detail
