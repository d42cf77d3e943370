#pragma once
/// Plans over two sets at once: prolongation and restriction between resolutions, and copies.

#include <sparse/plans/plan.hpp>

namespace sparse {

/// A coarse cell, its face neighbours and its children.
template <int Dim>
struct ProlongPoint : RunPoint<Dim, 1 + 2 * Dim + (1 << Dim)> {
  /// Children per cell, operands per cell, and the position of the coarse cell.
  static constexpr int child_count = 1 << Dim;
  static constexpr int operand_count = 1 + 2 * Dim + child_count;
  Index cell;
  /// The point at position s of a run.
  KOKKOS_FORCEINLINE_FUNCTION ProlongPoint(Run<operand_count> const& r, Index s)
      : RunPoint<Dim, operand_count>{r, s}, cell(r.index[0] + s) {}

  /// Position of a coarse neighbour (see `StencilPoint`); the cell itself where there is none.
  KOKKOS_FORCEINLINE_FUNCTION Index neighbour(int arm) const { return this->operand(1 + arm); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_neighbour(int arm) const { return this->has(1 + arm); }
  /// Position of a child; bit `axis` of `child` is its half along that axis. Only meaningful where it exists.
  KOKKOS_FORCEINLINE_FUNCTION Index child(int child) const { return this->child_operand(1 + 2 * Dim + child); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_child(int child) const { return this->has(1 + 2 * Dim + child); }
};

/// Coarse cells with their neighbours and children: the plan of prolongation.
template <int Dim>
class ProlongPlan : public Plan<Dim, ProlongPoint<Dim>::operand_count> {
public:
  /// What kernels get per cell.
  using Point = ProlongPoint<Dim>;
  ProlongPlan() = default;
  /// @param cells           the coarse cells to visit
  /// @param coarse_storage  domain of the coarse field
  /// @param children        the fine cells to write; other children are skipped
  /// @param fine_storage    domain of the fine field; contains `children`
  /// @throws std::invalid_argument  if a storage lacks a cell of `cells` or of `children`
  ProlongPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& coarse_storage, IntervalSet<Dim> const& children,
              IntervalSet<Dim> const& fine_storage);
};

/// A coarse cell and its children.
template <int Dim>
struct RestrictPoint : RunPoint<Dim, 1 + (1 << Dim)> {
  /// Children per cell, operands per cell, and the position of the coarse cell.
  static constexpr int child_count = 1 << Dim;
  static constexpr int operand_count = 1 + child_count;
  Index cell;
  /// The point at position s of a run.
  KOKKOS_FORCEINLINE_FUNCTION RestrictPoint(Run<operand_count> const& r, Index s)
      : RunPoint<Dim, operand_count>{r, s}, cell(r.index[0] + s) {}

  /// Position of a child; bit `axis` of `child` is its half along that axis. Only meaningful where it exists.
  KOKKOS_FORCEINLINE_FUNCTION Index child(int child) const { return this->child_operand(1 + child); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_child(int child) const { return this->has(1 + child); }
  /// True when the cell has all children.
  KOKKOS_FORCEINLINE_FUNCTION bool is_whole() const {
    constexpr std::uint32_t all = (1u << operand_count) - 1;
    return (this->run.present & all) == all;
  }
};

/// Coarse cells with their children: the plan of restriction.
template <int Dim>
class RestrictPlan : public Plan<Dim, RestrictPoint<Dim>::operand_count> {
public:
  /// What kernels get per cell.
  using Point = RestrictPoint<Dim>;
  RestrictPlan() = default;
  /// @param cells           the coarse cells to visit
  /// @param coarse_storage  domain of the coarse field
  /// @param children        the fine cells to read; other children are skipped
  /// @param fine_storage    domain of the fine field; contains `children`
  /// @throws std::invalid_argument  if a storage lacks a cell of `cells` or of `children`
  RestrictPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& coarse_storage, IntervalSet<Dim> const& children,
               IntervalSet<Dim> const& fine_storage);
};

/// The plan of a copy: pairs cell c of `target` with cell c + offset of `source`.
template <int Dim>
class CopyPlan : public Plan<Dim, 2> {
public:
  CopyPlan() = default;
  /// @param cells  the cells to write; a subset of `target`, and of `source` when moved by `offset`
  /// @throws std::invalid_argument  if they are not
  CopyPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& target, IntervalSet<Dim> const& source,
           Vec<Coord, Dim> const& offset = {})
      : Plan<Dim, 2>(cells, {operand<Dim>(target.view()), operand<Dim>(source.view(), offset)}, 0b11) {}
};

}  // namespace sparse
