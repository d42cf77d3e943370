#pragma once
/// The cells of each level that the criteria ask for.

#include <algorithm>
#include <cmath>
#include <optional>

#include <sparse/amr/hierarchy/level.hpp>
#include <sparse/amr/hierarchy/share.hpp>
#include <sparse/amr/problem.hpp>

namespace sparse::amr {

/// How far the cells of levels reach beyond tags: of level `base` and finer ones, and nothing of coarser ones.
template <class Law>
RegridMargins regrid_margins(Problem<Law> const& problem, int base) {
  SimulationOptions<Law> const& options = problem.options;
  RegridMargins margins{std::vector<Coord>(base), std::vector<Coord>(base), options.excess};
  int const finest = problem.domain.level_count() - 1;
  for (int l = base; l < finest; ++l) {
    // Waves cross at most `cfl` cells of a level in one of its steps.
    double const steps =
        static_cast<double>(options.regrid_stride_of(l)) * (options.subcycle ? 1 : std::exp2(l - finest));
    double const crossed = std::min(std::ceil(options.cfl * steps), 1.0 * coord_limit / 4);
    Coord const least = options.buffer.value_or(std::max(Coord{2}, static_cast<Coord>(crossed)));
    margins.least.push_back(least);
    margins.given.push_back(least + (least + 1) / 2);
  }
  if (margins.least.empty()) margins.least.push_back(0), margins.given.push_back(0);
  return margins;
}

/// The cells of all levels, after applying the criteria on level `base` and finer ones. Levels that still fit are kept
/// and keep their identity; so do all levels up to `base`. The levels must be synchronised from `base` on.
/// Cost: a pass of each criterion over each of these levels, then set operations.
/// @param levels  of this rank
/// @param sets    of all levels; with several ranks those near this one
/// @param share   with several ranks what this one knows; else nullptr
template <class Law>
AdaptedLevels<Law::dimension> wanted_cells(Problem<Law> const& problem, Levels<Law>& levels,
                                           std::vector<LevelSets<Law::dimension>> const& sets, int base, double time,
                                           Share<Law::dimension> const* share) {
  constexpr int Dim = Law::dimension;
  SimulationOptions<Law> const& options = problem.options;
  std::optional<OwnersAgree<Dim>> agreement;
  if (share != nullptr) agreement.emplace(*share, *options.team);
  std::vector<IntervalSet<Dim>> tagged(base), tags;
  int const finest = problem.domain.level_count() - 1;
  for (int l = base; l < static_cast<int>(levels.size()) && l < finest; ++l) {
    Level<Law>& level = levels[l];
    LevelView<Law> const view{l,
                              problem.law,
                              level.sets.cells,
                              level.sets.storage,
                              level.sets.covered,
                              level.current(),
                              problem.domain.grid(l).origin,
                              problem.domain.grid(l).spacing,
                              time,
                              level.tag_plan};
    tags.push_back(any(options.criteria)(view));
    level.tag_plan = view.plan;
  }
  if (agreement) tags = agreement->known(base, tags);
  for (auto const& of_level : tags) tagged.push_back(with_minimum_width(of_level, options.minimum_width));
  return adapted_levels<Dim>(problem.domain, tagged, regrid_margins(problem, base), sets, base,
                             agreement ? &*agreement : nullptr);
}

}  // namespace sparse::amr
