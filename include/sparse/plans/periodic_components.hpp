#pragma once
/// Connected components of a set in a domain that is periodic.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// The connected components of a set, by faces. Along periodic axes, cells c and c + period are the same cell. On the
/// host.
template <int Dim>
class PeriodicComponents {
public:
  /// @param period  [axis] 0 along axes that are not periodic; the set fits into one period
  /// Cost: that of `connected_components`, plus a pass on the host over the intervals.
  PeriodicComponents(IntervalSet<Dim> const& cells, Vec<Coord, Dim> const& period);

  /// Every label is less than this. Not every smaller number is a label.
  Index label_end() const { return label_end_; }
  /// [interval of the cells]
  std::vector<Index> const& interval_labels() const { return labels_; }
  /// The label of a cell, given its position in the set. Cost: logarithmic in the intervals.
  Index of_cell(Index position) const;
  /// [label] whether a component has cells in `some`, a subset of the set. Cost: a plan of `some`, and a copy of its
  /// runs to the host.
  /// @throws std::invalid_argument  if a cell of `some` is not in the set
  std::vector<char> with_cells_in(IntervalSet<Dim> const& some) const;

private:
  IntervalSet<Dim> cells_;
  std::vector<Index> labels_, offsets_;
  Index label_end_ = 0;
};

}  // namespace sparse
