#pragma once
/// Plans of a set with its neighbours, as the matrices of its levels need them.

#include <bit>

#include <sparse/plans/plan.hpp>
#include <sparse/plans/stencil.hpp>

#include "couplings.hpp"

namespace sparse::poisson::detail {

// Operands of plans: the cell; for each arm the neighbour; then groups. Plans with fewer of them are cheaper to make.
// All have an operand for each arm, but there is one of marks.
enum OperandGroup : unsigned {
  neighbours_alone = 0,
  with_dirichlet = 1,
  with_wrapped = 2,       ///< the neighbours across periods
  with_coefficients = 4,  ///< of faces
  with_rims = 8,          ///< of a composite problem: cells beside a coarser leaf
  with_marks = 16,        ///< of a composite problem: cells at interfaces
};

template <int Dim>
constexpr int operand_count(unsigned groups) {
  return 1 + 2 * Dim * (1 + std::popcount(groups & (with_marks - 1u))) + ((groups & with_marks) != 0 ? 1 : 0);
}
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int neighbour_operand(int arm) {
  return 1 + arm;
}
/// @param group  among those of the plan
template <int Dim, unsigned groups, OperandGroup group>
KOKKOS_FORCEINLINE_FUNCTION constexpr int operand_of(int arm) {
  static_assert((groups & group) != 0);
  constexpr int before = 1 + std::popcount(groups & (group - 1u));
  return 1 + 2 * Dim * before + arm;
}

/// @tparam K  at least the operands of the groups
template <int Dim, unsigned groups, int K = operand_count<Dim>(groups)>
struct Operands {
  Operand list[K] = {};

  Operands(IntervalSet<Dim> const& cells, Vec<Coord, Dim> const& period) : Operands(cells.view(), period) {}
  Operands(SetView const& view, Vec<Coord, Dim> const& period) {
    list[0] = operand<Dim>(view);
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Vec<Coord, Dim> offset = face_arms<Dim>().offset[arm];
      list[neighbour_operand<Dim>(arm)] = operand<Dim>(view, offset);
      if constexpr ((groups & with_wrapped) != 0) {
        if (period[arm / 2] == 0) continue;
        offset[arm / 2] *= 1 - period[arm / 2];
        list[operand_of<Dim, groups, with_wrapped>(arm)] = operand<Dim>(view, offset);
      }
    }
  }
};

template <int K>
KOKKOS_FORCEINLINE_FUNCTION bool has(Run<K> const& run, int k) {
  return (run.present >> k) & 1u;
}
/// Whether the cells of a run have a neighbour at an arm. @param offset  set to that of its values
template <int Dim, unsigned groups, int K>
KOKKOS_FORCEINLINE_FUNCTION bool find_arm(Run<K> const& run, int arm, Index& offset) {
  int k = neighbour_operand<Dim>(arm);
  if constexpr ((groups & with_wrapped) != 0)
    if (!has(run, k)) k = operand_of<Dim, groups, with_wrapped>(arm);
  offset = has(run, k) ? run.index[k] - run.index[0] : 0;
  return has(run, k);
}

/// A run with its place and neighbours, but still without couplings.
template <class T, int Dim, unsigned groups, int K>
KOKKOS_FORCEINLINE_FUNCTION CouplingRun<T, Dim> placed(Run<K> const& from, Index begin, Index end) {
  CouplingRun<T, Dim> to{};
  to.key = from.key;
  to.x = from.x + static_cast<Coord>(begin);
  to.first = from.index[0] + begin;
  to.count = static_cast<std::int32_t>(end - begin);
  auto const cell = cell_at<Dim>(to.key, to.x);
  for (int axis = 0; axis < Dim; ++axis) to.colour ^= cell[axis] & 1;
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    Index offset = 0;
    to.weight[arm] = find_arm<Dim, groups>(from, arm, offset) ? T(1) : T(0);
    to.offset[arm] = static_cast<std::int32_t>(offset);
  }
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
