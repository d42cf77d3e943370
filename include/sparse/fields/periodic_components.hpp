#pragma once
/// Connected components of cells of which some are neighbours across a period.

#include <algorithm>
#include <numeric>
#include <vector>

#include <sparse/fields/components.hpp>
#include <sparse/plans/plan.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::detail {

template <int Dim>
class PeriodicComponents {
public:
  /// @param period  [axis] cells c and c + period are the same; 0 where nothing repeats; the set fits into one period
  PeriodicComponents(IntervalSet<Dim> const& cells, Vec<Coord, Dim> const& period) : cells_(cells) {
    auto const context = cells.context();
    auto const components = connected_components(cells);
    labels_ = to_host(context, components.interval_labels(), cells.interval_count());
    offsets_ = to_host(context, cells.view().cell_offsets, cells.interval_count());
    std::vector<Index> parent(static_cast<std::size_t>(components.count()));
    std::iota(parent.begin(), parent.end(), Index{0});
    auto const root = [&](Index i) {
      while (parent[static_cast<std::size_t>(i)] != i)
        i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
      return i;
    };
    for (int axis = 0; axis < Dim; ++axis) {
      if (period[axis] == 0) continue;
      auto const lowest = cells & shift(cells, axis, 1 - period[axis]);
      for (auto const& run : runs_of(lowest, Vec<Coord, Dim>::along(axis, period[axis] - 1)))
        parent[static_cast<std::size_t>(root(of_cell(run.index[0])))] = root(of_cell(run.index[1]));
    }
    for (auto& label : labels_) label = root(label);
    label_end_ = components.count();
  }

  /// All labels are less. Not all numbers below are labels.
  Index label_end() const { return label_end_; }
  /// [interval of the cells]
  std::vector<Index> const& interval_labels() const { return labels_; }
  /// Of a cell by its position.
  Index of_cell(Index position) const {
    auto const after = std::upper_bound(offsets_.begin(), offsets_.end(), position);
    return labels_[static_cast<std::size_t>(after - offsets_.begin() - 1)];
  }
  /// [label] whether a component has cells in `some`, of which all are among the cells
  std::vector<char> have(IntervalSet<Dim> const& some) const {
    std::vector<char> result(static_cast<std::size_t>(label_end_), 0);
    for (auto const& run : runs_of(some, {})) result[static_cast<std::size_t>(of_cell(run.index[0]))] = 1;
    return result;
  }

private:
  /// The runs of `some`, and where they are when moved by `offset`.
  std::vector<Run<2>> runs_of(IntervalSet<Dim> const& some, Vec<Coord, Dim> const& offset) const {
    Plan<Dim, 2> const plan(some, {operand<Dim>(cells_.view()), operand<Dim>(cells_.view(), offset)}, 0b11);
    return to_host(plan.context(), plan.view().runs, plan.run_count());
  }

  IntervalSet<Dim> cells_;
  std::vector<Index> labels_, offsets_;
  Index label_end_ = 0;
};

}  // namespace sparse::detail
