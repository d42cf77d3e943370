#pragma once
/// Cell values from one level to the next finer one.

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/grid/periodicity.hpp>

namespace sparse::incompressible::detail {

/// A cell, its neighbours along each axis, and its children, as positions in storage. A neighbour that is missing is
/// the cell itself.
template <int Dim>
struct SplitCell {
  Index cell, beside[2 * Dim], children[1 << Dim];
};

/// Coarse cells whose children get values: the parent's, and a quarter of its minmod slopes along each axis. Slopes are
/// 0 where a neighbour is missing. Means and constants stay, to rounding, and no value leaves the range of those
/// around the parent.
///
/// `prolong` with `Prolongation::limited_linear` does the same, but knows no periods.
template <int Dim>
class CellSplits {
public:
  CellSplits() = default;
  /// @param parents                     the coarse cells
  /// @param coarse                      all coarse cells that have values
  /// @param coarse_storage, fine_storage  domains of the fields
  /// @param periodicity                 of the coarse level
  /// Cost: some searches per cell, and a wait for one number.
  /// @throws std::logic_error  if a cell is not stored
  CellSplits(IntervalSet<Dim> const& parents, IntervalSet<Dim> const& coarse, IntervalSet<Dim> const& coarse_storage,
             IntervalSet<Dim> const& fine_storage, Periodicity<Dim> const& periodicity);

  /// @param fine, coarse  one component on the storages
  template <class T>
  void operator()(FieldView<T> fine, FieldView<T const> coarse) const;

private:
  Context context_;
  Buffer<SplitCell<Dim>> cells_;
};

}  // namespace sparse::incompressible::detail
