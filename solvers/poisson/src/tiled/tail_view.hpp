#pragma once
/// A small level below those on tiles, as kernels see it.

#include "block.hpp"

namespace sparse::poisson::detail {

/// What kernels see of a small level.
template <class P, int Dim>
struct TailView {
  std::int32_t count, red_count;
  int has_two_colours;            ///< else damped Jacobi steps take the place of Gauss-Seidel
  std::int32_t const* position;   ///< [i]
  std::int32_t const* parent;     ///< [i] position in the next level; none on the last one
  std::int32_t const* neighbour;  ///< [arm][i] position; its own where there is none
  std::int32_t const* child;      ///< [2^Dim][i] position in the level before, or -1; none on the first one
  P const* weight;                ///< [arm][i]
  P const *extra, *inverse;       ///< [i] rest of the diagonal, and one over the diagonal
  P *b, *x, *scratch;             ///< [position]
  /// Singular components, the large ones first, and their members; empty if nobody has looked for them.
  std::int32_t singular_count, large_count;
  std::int32_t const *first_member, *member;  ///< [component + 1]; position

  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION int position_of(Memory const& memory, Index i) const {
    return memory.at(position, i);
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION int member_at(Memory const& memory, Index k) const {
    return memory.at(member, k);
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION P one_over_diagonal(Memory const& memory, Index i) const {
    return memory.at(inverse, i);
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION P from_neighbours(Memory const& memory, P const* values, int i) const {
    P sum = 0;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      P const coupling = memory.at(weight, arm * count + i);
      int const there = memory.at(neighbour, arm * count + i);
      sum += coupling * static_cast<P>(memory.at(values, there));
    }
    return sum;
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION P residual(Memory const& memory, P const* values, int i) const {
    int const at = position_of(memory, i);
    P const here = memory.at(values, at), rest = memory.at(extra, i);
    P sum = static_cast<P>(memory.at(b, at)) - rest * here;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      P const coupling = memory.at(weight, arm * count + i);
      int const there = memory.at(neighbour, arm * count + i);
      sum -= coupling * (here - static_cast<P>(memory.at(values, there)));
    }
    return sum;
  }
};

}  // namespace sparse::poisson::detail
