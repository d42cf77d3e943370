#pragma once
/// Cells and their neighbours as a plan.

#include <sparse/plans/plan.hpp>

namespace sparse {

/// The offsets from a cell to the neighbours in its stencil.
template <int Dim, int Count>
struct Arms {
  /// From the cell to each arm.
  Vec<Coord, Dim> offset[Count];
};

/// The 2 Dim cells that share a face: the five-point stencil in 2D, the seven-point stencil in 3D.
/// Arm 2 axis lies at coordinate - 1, arm 2 axis + 1 at + 1.
template <int Dim>
constexpr Arms<Dim, 2 * Dim> face_arms() {
  Arms<Dim, 2 * Dim> arms{};
  for (int arm = 0; arm < 2 * Dim; ++arm) arms.offset[arm][arm / 2] = arm % 2 == 0 ? -1 : 1;
  return arms;
}

/// The cells that share at least a corner: 8 arms, the nine-point stencil in 2D; 26 arms, the 27-point stencil in 3D.
/// The arms of `face_arms` come first, then the others in storage order.
template <int Dim>
constexpr Arms<Dim, Dim == 2 ? 8 : 26> corner_arms() {
  Arms<Dim, Dim == 2 ? 8 : 26> arms{};
  for (int arm = 0; arm < 2 * Dim; ++arm) arms.offset[arm] = face_arms<Dim>().offset[arm];
  int next = 2 * Dim;
  for (int code = 0; code < (Dim == 2 ? 9 : 27); ++code) {
    Vec<Coord, Dim> offset{};
    int steps = 0, rest = code;
    for (int axis = 0; axis < Dim; ++axis, rest /= 3) {
      offset[axis] = rest % 3 - 1;
      steps += offset[axis] != 0;
    }
    if (steps > 1) arms.offset[next++] = offset;
  }
  return arms;
}

/// A cell of a `Stencil` and its neighbours.
template <int Dim, int Count = 2 * Dim>
struct StencilPoint : RunPoint<Dim, 1 + Count> {
  /// Neighbours per cell.
  static constexpr int arm_count = Count;
  /// The position of the cell in storage.
  Index cell;
  /// The point at position s of a run.
  KOKKOS_FORCEINLINE_FUNCTION StencilPoint(Run<1 + Count> const& r, Index s)
      : RunPoint<Dim, 1 + Count>{r, s}, cell(r.index[0] + s) {}

  /// Position of a neighbour; the cell itself where the neighbour is not in storage.
  KOKKOS_FORCEINLINE_FUNCTION Index neighbour(int arm) const { return this->operand(1 + arm); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_neighbour(int arm) const { return this->has(1 + arm); }
};

namespace detail {

/// Operand 0 is the storage. Operand 1 + arm is the storage moved so that this neighbour falls on the cell.
template <int Dim, int K>
struct StencilOperands {
  Operand operands[K];
  explicit StencilOperands(SetView const& storage, Arms<Dim, K - 1> const& arms = face_arms<Dim>()) {
    operands[0] = operand<Dim>(storage);
    for (int arm = 0; arm < K - 1; ++arm) {
      for (Coord const offset : arms.offset[arm].data)
        expects(offset > -coord_limit && offset < coord_limit, "stencil: an arm leaves the range of coordinates");
      operands[1 + arm] = operand<Dim>(storage, arms.offset[arm]);
    }
  }
};

}  // namespace detail

/// The cells of a set with `Count` neighbours each in `storage`, the domain of the fields that kernels touch. Without a
/// list of arms, the neighbours are the cells that share a face.
///
/// `Stencil<2> five(cells, storage)`; `Stencil<2, 8> nine(cells, storage, corner_arms<2>())`. Any other list of up to
/// 31 offsets works, too: `Stencil<2, 2>(cells, storage, {{{-2, 0}, {2, 0}}})`. Cost to build: grows with the arms (see
/// `Plan`).
template <int Dim, int Count = 2 * Dim>
class Stencil : public Plan<Dim, 1 + Count> {
public:
  static_assert(Count >= 1 && Count <= 31);
  /// What kernels get per cell.
  using Point = StencilPoint<Dim, Count>;
  Stencil() = default;
  /// @throws std::invalid_argument  if a cell is not in storage
  Stencil(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage) requires(Count == 2 * Dim)
      : Stencil(cells, storage, face_arms<Dim>()) {}
  /// @throws std::invalid_argument  if a cell is not in storage, or an offset is not a difference of coordinates
  Stencil(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage, Arms<Dim, Count> const& arms)
      : Plan<Dim, 1 + Count>(cells, detail::StencilOperands<Dim, 1 + Count>(storage.view(), arms).operands) {}
};

}  // namespace sparse
