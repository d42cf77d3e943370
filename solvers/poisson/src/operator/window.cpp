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
  constexpr int own_operand = operand_count<Dim>(with_wrapped), all_operand = own_operand + 1, K = all_operand + 1;
  Couplings to;
  to.cells_ = shift(rank.cells, -1 * rank.origin);
  to.seams_ = seams_;
  to.axis_weight_ = axis_weight_;
  to.extent_ = extent_;
  if (to.cells_.is_empty()) return to;
  Operands<Dim, with_wrapped, K> operands(to.cells_, period());
  operands.list[own_operand] = operand<Dim>(rank.own.view(), rank.origin);
  operands.list[all_operand] = operand<Dim>(cells_.view());
  Plan<Dim, K> const plan(to.cells_, operands.list, 1u | (1u << all_operand));
  auto const view = plan.view();
  auto const cut = to_host(context(), view.runs, view.run_count);
  auto const cut_starts = to_host(context(), view.starts, view.run_count + 1);
  auto const all = to_host(context(), static_cast<CouplingRun<T, Dim> const*>(runs_.data()), runs_.size());
  SetView const parents = rank.parents.view();

  std::vector<CouplingRun<T, Dim>> runs;
  std::vector<Index> starts;
  for (std::size_t k = 0; k < cut.size(); ++k) {
    Index const first = cut[k].index[all_operand], count = cut_starts[k + 1] - cut_starts[k];
    auto from =
        std::upper_bound(all.begin(), all.end(), first, [](Index cell, auto const& run) { return cell < run.first; }) -
        1;
    for (Index begin = 0; begin < count; ++from) {
      Index const end = std::min(count, from->first + from->count - first);
      auto run = *from;
      auto const place = placed<T, Dim, with_wrapped>(cut[k], begin, end);
      run.x = place.x;
      run.first = place.first;
      run.count = place.count;
      run.colour = place.colour;
      run.is_foreign = has(cut[k], own_operand) ? 0 : 1;
      for (int arm = 0; arm < 2 * Dim; ++arm) run.offset[arm] = place.offset[arm];
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
  if (arrays_.cell_count() > 0) to.arrays_ = remap(arrays_, to.cells_);
  to.make_groups();
  return to;
}

template Couplings<float, 2> Couplings<float, 2>::within(RowsOfRank<2> const&) const;
template Couplings<float, 3> Couplings<float, 3>::within(RowsOfRank<3> const&) const;
template Couplings<double, 2> Couplings<double, 2>::within(RowsOfRank<2> const&) const;
template Couplings<double, 3> Couplings<double, 3>::within(RowsOfRank<3> const&) const;

}  // namespace sparse::poisson::detail
