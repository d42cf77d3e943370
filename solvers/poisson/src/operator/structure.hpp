#pragma once
/// Plans of a set with its neighbours, as the matrices of its levels need them.

#include <sparse/plans/plan.hpp>
#include <sparse/plans/stencil.hpp>

#include "couplings.hpp"

namespace sparse::poisson::detail {

// Operands of plans: the cell; then for each arm the neighbour, then the Dirichlet faces, then the neighbours across
// periods, then the coefficients of faces. Plans with fewer of these groups are cheaper to make.
template <int Dim>
inline constexpr int with_neighbours = 1 + 2 * Dim;
template <int Dim>
inline constexpr int with_dirichlet = 1 + 4 * Dim;
template <int Dim>
inline constexpr int with_period = 1 + 6 * Dim;
template <int Dim>
inline constexpr int with_coefficients = 1 + 8 * Dim;
// Levels of a composite problem also have the cells beside a coarser leaf, by arm, and marked cells.
template <int Dim>
inline constexpr int with_levels = 2 + 10 * Dim;

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int neighbour_operand(int arm) {
  return 1 + arm;
}
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int dirichlet_operand(int arm) {
  return with_neighbours<Dim> + arm;
}
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int wrapped_operand(int arm) {
  return with_dirichlet<Dim> + arm;
}
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int coefficient_operand(int arm) {
  return with_period<Dim> + arm;
}
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int rim_operand(int arm) {
  return with_coefficients<Dim> + arm;
}
template <int Dim>
inline constexpr int mark_operand = with_coefficients<Dim> + 2 * Dim;

template <int Dim, int K>
struct Operands {
  Operand list[K] = {};

  Operands(IntervalSet<Dim> const& cells, Vec<Coord, Dim> const& period) : Operands(cells.view(), period) {}
  Operands(SetView const& view, Vec<Coord, Dim> const& period) {
    list[0] = operand<Dim>(view);
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Vec<Coord, Dim> offset = face_arms<Dim>().offset[arm];
      list[neighbour_operand<Dim>(arm)] = operand<Dim>(view, offset);
      if constexpr (K >= with_period<Dim>) {
        if (period[arm / 2] == 0) continue;
        offset[arm / 2] *= 1 - period[arm / 2];
        list[wrapped_operand<Dim>(arm)] = operand<Dim>(view, offset);
      }
    }
  }
};

template <int K>
KOKKOS_FORCEINLINE_FUNCTION bool has(Run<K> const& run, int k) {
  return (run.present >> k) & 1u;
}
/// Whether the cells of a run have a neighbour at an arm. @param offset  set to that of its values
template <int Dim, int K>
KOKKOS_FORCEINLINE_FUNCTION bool find_arm(Run<K> const& run, int arm, Index& offset) {
  int k = neighbour_operand<Dim>(arm);
  if constexpr (K >= with_period<Dim>)
    if (!has(run, k)) k = wrapped_operand<Dim>(arm);
  offset = has(run, k) ? run.index[k] - run.index[0] : 0;
  return has(run, k);
}

/// A run with its place and neighbours, but still without couplings.
template <class T, int Dim, int K>
KOKKOS_FORCEINLINE_FUNCTION CouplingRun<T, Dim> placed(Run<K> const& from, Index begin, Index end) {
  CouplingRun<T, Dim> to{};
  to.key = from.key;
  to.x = from.x + static_cast<Coord>(begin);
  to.first = from.index[0] + begin;
  to.count = static_cast<std::int32_t>(end - begin);
  auto const cell = cell_at<Dim>(to.key, to.x);
  for (int axis = 0; axis < Dim; ++axis) to.colour ^= cell[axis] & 1;
  for (int arm = 0; arm < 2 * Dim; ++arm) to.weight[arm] = find_arm<Dim>(from, arm, to.offset[arm]) ? T(1) : T(0);
  return to;
}

/// Completes a run whose weights hold for all of its cells.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION void make_uniform(CouplingRun<T, Dim>& run, T dirichlet, T zeroth) {
  run.is_uniform = 1;
  run.dirichlet = dirichlet;
  run.zeroth = zeroth;
  T diagonal = run.extra = dirichlet + zeroth;
  for (int arm = 0; arm < 2 * Dim; ++arm) diagonal += run.weight[arm];
  run.inverse_diagonal = diagonal > 0 ? T(1) / diagonal : T(0);
}

/// Components of the arrays of couplings; the first Dim ones are those to lower neighbours.
template <int Dim>
inline constexpr int dirichlet_component = Dim;
template <int Dim>
inline constexpr int zeroth_component = Dim + 1;

}  // namespace sparse::poisson::detail
