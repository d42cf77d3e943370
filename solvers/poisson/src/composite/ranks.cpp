#include "ranks.hpp"

#include <algorithm>

#include <sparse/poisson/partition.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

#include "ranks/ranks.hpp"

namespace sparse::poisson::detail {
namespace {

using distributed::Partition;

/// A cut of one level whose units contain whole families.
template <int Dim>
Partition<Dim> cut_families(CompositeProblem<Dim> const& problem, IntervalSet<Dim> const& cells) {
  int const rank_count = problem.team->size();
  auto options = problem.partition;
  double const mean_work = static_cast<double>(cells.cell_count()) / rank_count;
  options.largest_unit = std::max(options.largest_unit, (1 + 1e-9) * (1 << Dim) / mean_work);
  return {rank_count, cells.bounds(), {cells}, options};
}

/// The coarse leaves whose faces on one side a rank must know: its own, and those beside its own fine cells.
template <int Dim>
IntervalSet<Dim> faces_to_know(CompositeLevel<Dim> const& coarse, IntervalSet<Dim> const& own,
                               CompositeLevel<Dim> const& fine, IntervalSet<Dim> const& own_fine, int arm) {
  auto known = own & coarse.facing[arm];
  // The fine cells lie on the side `arm` of the coarse ones, which lie on the other side of them.
  if (auto const rim = fine.rims[arm ^ 1] & own_fine; !rim.is_empty())
    known |= with_images(shift(coarsen(rim), arm / 2, arm % 2 == 0 ? 1 : -1), coarse.period()) & coarse.facing[arm];
  return known;
}

template <int Dim>
IntervalSet<Dim> near(IntervalSet<Dim> const& cells, Coord steps, CompositeLevel<Dim> const& level) {
  return cells.is_empty() ? cells : with_images(expand(cells, steps), level.period()) & level.cells;
}

}  // namespace

template <int Dim>
CompositeRanks<Dim>::CompositeRanks(CompositeProblem<Dim> const& problem, std::vector<CompositeLevel<Dim>> const& all,
                                    int reach)
    : team_(problem.team), levels_(all), values_(all.size()), of_leaves_(all.size()), of_covered_(all.size()) {
  expects(is_host_backend, "poisson: ranks cannot share a problem on devices yet");
  // The coordinates of level 0 begin at 0 in its multigrid.
  auto const origin = all[0].cells.bounds().begin;
  auto const base = problem_of(problem, all[0]);
  auto const base_cells = shift(base.cells, -1 * origin);
  auto const partitions = partitions_of(problem);
  for (std::size_t l = 0; l < all.size(); ++l)
    own_.push_back(l == 0 ? shift(partitions[0].part(0, base_cells, team_->rank()), origin)
                          : partitions[l].part(0, all[l].cells, team_->rank()));
  for (std::size_t l = 0; l < all.size(); ++l) {
    auto& level = levels_[l];
    level.leaves = all[l].leaves & own_[l];
    level.of_leaves.cells = level.leaves;
    level.beside = all[l].beside & own_[l];
    for (int arm = 0; arm < 2 * Dim; ++arm) level.rims[arm] = all[l].rims[arm] & own_[l];
    if (l + 1 == all.size()) continue;
    IntervalSet<Dim> facing;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      level.facing[arm] = faces_to_know(all[l], own_[l], all[l + 1], own_[l + 1], arm);
      facing |= level.facing[arm];
    }
    level.averaged = near(facing, 2, all[l]) & all[l].averaged;
  }
  for (std::size_t l = all.size(); l-- > 0;) {
    auto& level = levels_[l];
    level.cells = l > 0 ? around(own_[l], all[l].cells, reach, all[l].period()) : own_[l];
    for (int arm = 0; arm < 2 * Dim; ++arm) level.cells |= near(level.facing[arm], 2, all[l]);
    if (l > 0 && !levels_[l - 1].averaged.is_empty()) level.cells |= refine(levels_[l - 1].averaged) & all[l].cells;
    if (l + 1 < all.size() && !levels_[l + 1].cells.is_empty()) level.cells |= coarsen(levels_[l + 1].cells);
    if (l == 0) {
      base_ = std::make_shared<Ranks<Dim> const>(base, base_cells, reach, shift(level.cells, -1 * origin));
      level.cells = shift(base_->finest().cells, origin);
    }
    level.covered = all[l].covered & level.cells;
    level.known = all[l].leaves & level.cells;
  }
  for (std::size_t l = 0; l < all.size(); ++l) {
    auto const of_cut = [&](IntervalSet<Dim> const& set) { return l == 0 ? shift(set, -1 * origin) : set; };
    auto const cells = of_cut(levels_[l].cells);
    distributed::Halo<Dim>::make(*team_, partitions[l],
                                 {{&values_[l], 0, cells, cells, {{cells - of_cut(own_[l])}}},
                                  {&of_leaves_[l], 0, cells, cells, {{of_cut(levels_[l].known - own_[l])}}}});
    if (l + 1 == all.size()) continue;
    auto const of_own_children = own_[l + 1].is_empty() ? own_[l + 1] : coarsen(own_[l + 1]);
    of_covered_[l] = distributed::Halo<Dim>(*team_, partitions[l + 1].with_coarser(2), 1, levels_[l].cells,
                                            levels_[l].cells, {{levels_[l].covered - of_own_children}});
  }
}

template <int Dim>
Problem<Dim> problem_of(CompositeProblem<Dim> const& problem, CompositeLevel<Dim> const& level) {
  Problem<Dim> made = level.of_leaves;
  made.cells = level.cells;
  made.team = problem.team;
  made.has_exact_sums = problem.has_exact_sums;
  made.partition = problem.partition;
  made.least_shared_cells = problem.least_shared_cells;
  return made;
}

template Problem<2> problem_of(CompositeProblem<2> const&, CompositeLevel<2> const&);
template Problem<3> problem_of(CompositeProblem<3> const&, CompositeLevel<3> const&);
template class CompositeRanks<2>;
template class CompositeRanks<3>;

}  // namespace sparse::poisson::detail

namespace sparse::poisson {

template <int Dim>
std::vector<distributed::Partition<Dim>> partitions_of(CompositeProblem<Dim> const& problem) {
  expects(problem.team != nullptr, "poisson: no ranks share the problem");
  std::vector<distributed::Partition<Dim>> partitions;
  for (auto const& cells : problem.cells) {
    expects(!cells.is_empty(), "poisson: a level has no cells");
    if (!partitions.empty()) {
      partitions.push_back(detail::cut_families(problem, cells));
      continue;
    }
    Problem<Dim> base;  // what its multigrid is cut by
    base.partition = problem.partition;
    base.least_shared_cells = problem.least_shared_cells;
    partitions.push_back(detail::cut(base, shift(cells, -1 * cells.bounds().begin), problem.team->size()));
  }
  return partitions;
}
template std::vector<distributed::Partition<2>> partitions_of(CompositeProblem<2> const&);
template std::vector<distributed::Partition<3>> partitions_of(CompositeProblem<3> const&);

}  // namespace sparse::poisson
