#pragma once
/// Part of a field's domain as a plan.

#include <sparse/plans/plan.hpp>

namespace sparse {

/// A cell of a `Subset`: `cell` is its position in the field.
template <int Dim>
struct SubsetPoint : RunPoint<Dim, 1> {
  /// The position of the cell in storage.
  Index cell;
  /// The point at position s of a run.
  KOKKOS_FORCEINLINE_FUNCTION SubsetPoint(Run<1> const& r, Index s) : RunPoint<Dim, 1>{r, s}, cell(r.index[0] + s) {}
};

/// The cells of a set inside a field's domain: what `for_each` and `reduce` visit.
template <int Dim>
class Subset : public Plan<Dim, 1> {
public:
  /// What kernels get per cell.
  using Point = SubsetPoint<Dim>;
  Subset() = default;
  /// @param cells    the cells to visit
  /// @param storage  the domain of the fields that kernels will touch; contains `cells`
  /// @throws std::invalid_argument  if it does not
  Subset(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage)
      : Plan<Dim, 1>(cells, {operand<Dim>(storage.view())}) {}
};

}  // namespace sparse
