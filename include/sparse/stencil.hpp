#pragma once
/// Cells and their face neighbours as a plan.

#include <sparse/plan.hpp>

namespace sparse {

/// A cell of a `Stencil` and its 2 Dim face neighbours. Arm 2 axis lies at coordinate - 1, arm 2 axis + 1 at + 1.
template <int Dim>
struct StencilPoint : RunPoint<Dim, 1 + 2 * Dim> {
  static constexpr int arm_count = 2 * Dim;
  Index cell;
  KOKKOS_FORCEINLINE_FUNCTION StencilPoint(Run<1 + 2 * Dim> const& r, Index s)
      : RunPoint<Dim, 1 + 2 * Dim>{r, s}, cell(r.index[0] + s) {}

  /// Position of a neighbour; the cell itself where the neighbour is not in storage.
  KOKKOS_FORCEINLINE_FUNCTION Index neighbour(int arm) const { return this->operand(1 + arm); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_neighbour(int arm) const { return this->has(1 + arm); }
};

namespace detail {
/// Storage itself, then storage moved so that each arm falls on the cell.
template <int Dim, int K>
struct StencilOperands {
  Operand operands[K];
  explicit StencilOperands(SetView const& storage) {
    operands[0] = operand<Dim>(storage);
    for (int arm = 0; arm < 2 * Dim; ++arm)
      operands[1 + arm] = operand<Dim>(storage, Vec<Coord, Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
  }
};
}  // namespace detail

/// The cells of a set with their face neighbours in `storage`, the domain of the fields that kernels touch.
template <int Dim>
class Stencil : public Plan<Dim, 1 + 2 * Dim> {
public:
  using Point = StencilPoint<Dim>;
  Stencil() = default;
  Stencil(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage)
      : Plan<Dim, 1 + 2 * Dim>(cells, detail::StencilOperands<Dim, 1 + 2 * Dim>(storage.view()).operands) {}
};

}  // namespace sparse
