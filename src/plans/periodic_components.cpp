#include <sparse/plans/periodic_components.hpp>

#include <algorithm>
#include <numeric>

#include <sparse/plans/plan.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>

namespace sparse {
namespace {

/// The runs of `some`, with their positions in `cells` as they are and when moved by `offset`.
template <int Dim>
std::vector<Run<2>> runs_of(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& some,
                            Vec<Coord, Dim> const& offset) {
  Plan<Dim, 2> const plan(some, {operand<Dim>(cells.view()), operand<Dim>(cells.view(), offset)}, 0b11);
  return to_host(plan.context(), plan.view().runs, plan.run_count());
}

}  // namespace

template <int Dim>
PeriodicComponents<Dim>::PeriodicComponents(IntervalSet<Dim> const& cells, Vec<Coord, Dim> const& period)
    : cells_(cells) {
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
    for (auto const& run : runs_of(cells, lowest, Vec<Coord, Dim>::along(axis, period[axis] - 1)))
      parent[static_cast<std::size_t>(root(of_cell(run.index[0])))] = root(of_cell(run.index[1]));
  }
  for (auto& label : labels_) label = root(label);
  label_end_ = components.count();
}

template <int Dim>
Index PeriodicComponents<Dim>::of_cell(Index position) const {
  if (label_end_ == 1) return 0;
  auto const after = std::upper_bound(offsets_.begin(), offsets_.end(), position);
  return labels_[static_cast<std::size_t>(after - offsets_.begin() - 1)];
}

template <int Dim>
std::vector<char> PeriodicComponents<Dim>::with_cells_in(IntervalSet<Dim> const& some) const {
  std::vector<char> result(static_cast<std::size_t>(label_end_), 0);
  for (auto const& run : runs_of(cells_, some, {})) result[static_cast<std::size_t>(of_cell(run.index[0]))] = 1;
  return result;
}

template class PeriodicComponents<2>;
template class PeriodicComponents<3>;

}  // namespace sparse
