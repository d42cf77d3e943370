#include <algorithm>

#include <sparse/poisson/partition.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

#include "adaptive_body.hpp"

namespace sparse::incompressible::detail {
namespace {

template <int Dim>
IntervalSet<Dim> leaves_of(std::vector<IntervalSet<Dim>> const& cells, std::size_t l) {
  return l + 1 < cells.size() ? cells[l] - coarsen(cells[l + 1]) : cells[l];
}

}  // namespace

template <class T, int Dim>
poisson::CompositeProblem<Dim>
AdaptiveBody<T, Dim>::pressure_problem(std::vector<IntervalSet<Dim>> const& cells) const {
  poisson::CompositeProblem<Dim> problem;
  problem.cells = cells;
  problem.grid = domain.options().grid;
  problem.period = periodicity_of(domain, 0).period;
  problem.team = options.team;
  problem.has_exact_sums = options.has_exact_sums;
  problem.partition = options.partition;
  problem.least_shared_cells = options.least_shared_cells;
  return problem;
}

template <class T, int Dim>
LevelLayout<Dim> AdaptiveBody<T, Dim>::layout_of(std::vector<IntervalSet<Dim>> const& cells) const {
  LevelLayout<Dim> layout;
  if (options.team == nullptr) return layout;
  auto const cuts = poisson::partitions_of(pressure_problem(cells));
  std::vector<LevelCells<Dim>> all;
  std::vector<IntervalSet<Dim>> own;
  for (std::size_t l = 0; l < cells.size(); ++l) {
    all.push_back(level_cells(domain, cells, static_cast<int>(l)));
    auto const& leaves = all[l].all_leaves;
    auto const origin = l == 0 ? cells[0].bounds().begin : Vec<Coord, Dim>{};
    own.push_back(shift(cuts[l].part(0, shift(cells[l], -1 * origin), options.team->rank()), origin));
    layout.ranks.push_back({options.team, cuts[l], origin, leaves, own[l] & leaves});
  }
  // Steps at curved walls read the cells behind those that others read.
  layout.part = part_of(domain, all, own, options.curved_walls ? Coord{4} : Coord{2});
  return layout;
}

template <class T, int Dim>
std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::kept_leaves(std::vector<IntervalSet<Dim>> const& wanted) const {
  std::vector<IntervalSet<Dim>> kept(wanted.size());
  for (std::size_t l = 0; l < std::min(wanted.size(), levels.size()) && options.team == nullptr; ++l)
    kept[l] = levels[l]->sets.leaves & leaves_of(wanted, l);
  return kept;
}

template <class T, int Dim>
std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::carried_cells(std::vector<IntervalSet<Dim>> const& wanted,
                                                                  LevelLayout<Dim> const& layout,
                                                                  std::vector<IntervalSet<Dim>> const& kept) const {
  constexpr Coord reach = 2;  // of what gives children their values
  std::vector<IntervalSet<Dim>> carried(wanted.size());
  for (std::size_t l = wanted.size(); l-- > 0;) {
    carried[l] |= (layout.ranks.empty() ? leaves_of(wanted, l) : layout.part[l].leaves) - kept[l];
    if (l == 0 || carried[l].is_empty()) continue;
    carried[l] = refine(coarsen(carried[l])) & wanted[l];
    auto const fresh = l < levels.size() ? carried[l] - levels[l]->sets.cells : carried[l];
    if (!fresh.is_empty())
      carried[l - 1] = domain.wrapped(expand(coarsen(fresh), reach), static_cast<int>(l) - 1) & wanted[l - 1];
  }
  return carried;
}

template <class T, int Dim>
std::vector<WholeLevel<T, Dim>> AdaptiveBody<T, Dim>::whole_levels(std::vector<IntervalSet<Dim>> const& wanted,
                                                                   std::vector<IntervalSet<Dim>> const& carried) const {
  std::vector<WholeLevel<T, Dim>> whole;
  auto needed = needed_means(domain, levels, wanted);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    int const level = static_cast<int>(l);
    // What is carried over, the cells beside it, whose faces it shares, and the children of which means are made.
    auto const& sets = levels[l]->sets;
    IntervalSet<Dim> cells;
    if (l < carried.size() && !carried[l].is_empty()) cells = domain.wrapped(expand(carried[l], 1), level) & sets.cells;
    if (l > 0 && !needed[l - 1].is_empty()) cells |= refine(needed[l - 1]) & sets.cells;
    needed[l] = needed[l] & cells;
    if (ranks.empty()) {
      whole.push_back(whole_level(domain, *levels[l], level, cells));
      continue;
    }

    auto const& [team, cut, origin, all_leaves, own] = ranks[l];
    auto const saved = saved_level(*levels[l]);
    Field<T, Dim> leaves("state", cells & all_leaves, saved.component_count());
    auto const stored = shift(leaves.domain(), -1 * origin);
    distributed::Halo<Dim>(*team, cut, 0, shift(sets.own, -1 * origin), stored, {{stored}})
        .template fill<T>(*team, leaves.view(), saved.view(), saved.component_count());
    whole.push_back(whole_level(domain, *levels[l], level, cells, leaves));
  }
  take_means(domain, whole, needed);
  return whole;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template poisson::CompositeProblem<Dim> AdaptiveBody<T, Dim>::pressure_problem(std::vector<IntervalSet<Dim>> const&) \
      const;                                                                                                           \
  template LevelLayout<Dim> AdaptiveBody<T, Dim>::layout_of(std::vector<IntervalSet<Dim>> const&) const;               \
  template std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::kept_leaves(std::vector<IntervalSet<Dim>> const&)       \
      const;                                                                                                           \
  template std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::carried_cells(                                          \
      std::vector<IntervalSet<Dim>> const&, LevelLayout<Dim> const&, std::vector<IntervalSet<Dim>> const&) const;      \
  template std::vector<WholeLevel<T, Dim>> AdaptiveBody<T, Dim>::whole_levels(                                         \
      std::vector<IntervalSet<Dim>> const&, std::vector<IntervalSet<Dim>> const&) const;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
