/// The rows of some cells, as a rank has them.

#include <algorithm>

#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>

#include "structure.hpp"

namespace sparse::poisson::detail {

/// Runs are those of all cells, cut where the window or what the rank owns ends. So each cell is computed as in the
/// whole matrix: alone or along a run, with couplings of the run or of its own.
template <class T, int Dim>
Couplings<T, Dim> Couplings<T, Dim>::within(RowsOfRank<Dim> const& rank) const {
  constexpr int own_operand = with_period<Dim>, all_operand = own_operand + 1, mark = all_operand + 1, K = mark + 1;
  auto const placed_here = [&](IntervalSet<Dim> const& set) { return shift(set, -1 * rank.origin); };
  Couplings to;
  to.cells_ = placed_here(rank.cells);
  to.seams_ = seams_;
  to.axis_weight_ = axis_weight_;
  if (rank.cells.is_empty()) return to;
  auto const storage = placed_here(rank.storage);
  Embedding<Dim> const cells(to.cells_, storage), neighbours(placed_here(rank.neighbours), storage);
  Operands<Dim, K> operands(neighbours.view(), period());
  operands.list[0] = operand<Dim>(cells.view());
  operands.list[own_operand] = operand<Dim>(rank.own.view(), rank.origin);
  operands.list[all_operand] = operand<Dim>(cells_.view());
  operands.list[mark] = operand<Dim>(rank.marks.view(), rank.origin);
  Plan<Dim, K> const plan(to.cells_, operands.list, 1u | (1u << all_operand));
  auto const view = plan.view();
  auto const cut = to_host(context(), view.runs, view.run_count);
  auto const cut_starts = to_host(context(), view.starts, view.run_count + 1);
  auto const all = to_host(context(), static_cast<CouplingRun<T, Dim> const*>(runs_.data()), runs_.size());
  auto const all_starts = to_host(context(), static_cast<Index const*>(starts_.data()), starts_.size());
  SetView const parents = rank.parents.view();

  std::vector<CouplingRun<T, Dim>> runs;
  std::vector<Index> starts;
  for (std::size_t k = 0; k < cut.size(); ++k) {
    Index const first = cut[k].index[all_operand], count = cut_starts[k + 1] - cut_starts[k];
    auto from = static_cast<std::size_t>(std::upper_bound(all_starts.begin(), all_starts.end(), first) -
                                         all_starts.begin() - 1);
    for (Index begin = 0; begin < count; ++from) {
      Index const end = std::min(count, all_starts[from + 1] - first);
      auto run = all[from];
      auto const place = placed<T, Dim>(cut[k], begin, end);
      run.x = place.x;
      run.first = place.first;
      run.count = place.count;
      run.colour = place.colour;
      run.is_foreign = has(cut[k], own_operand) ? 0 : 1;
      for (int arm = 0; arm < 2 * Dim; ++arm) run.offset[arm] = place.offset[arm];
      run.parent = has(cut[k], mark) ? cut[k].index[mark] + begin : -1;
      if (rank.parents.cell_count() > 0) {
        auto parent = cell_at<Dim>(run.key, run.x) + rank.origin;
        for (int axis = 0; axis < Dim; ++axis) parent[axis] >>= 1;
        run.parent = parents.find(parent);
      }
      runs.push_back(run);
      starts.push_back(cut_starts[k] + begin);
      begin = end;
    }
  }
  starts.push_back(to.cell_count());
  to.runs_ = to_device(context(), runs);
  to.starts_ = to_device(context(), starts);
  if (arrays_.cell_count() > 0) to.arrays_ = remap(arrays_, storage);
  to.make_groups();
  return to;
}

template Couplings<float, 2> Couplings<float, 2>::within(RowsOfRank<2> const&) const;
template Couplings<float, 3> Couplings<float, 3>::within(RowsOfRank<3> const&) const;
template Couplings<double, 2> Couplings<double, 2>::within(RowsOfRank<2> const&) const;
template Couplings<double, 3> Couplings<double, 3>::within(RowsOfRank<3> const&) const;

}  // namespace sparse::poisson::detail
