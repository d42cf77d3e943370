#pragma once
/// What the criteria of a simulation ask for now.

#include <sparse/amr/hierarchy/share.hpp>
#include <sparse/amr/hierarchy/tagging.hpp>
#include <sparse/amr/measure/team_of.hpp>

namespace sparse::amr {

/// The cells of a level that the criteria would refine at this time, of all ranks if there are several. The next level
/// gets their children, and more: a margin around them, the cells near bodies, and what nesting needs.
/// @param flow   a `Simulation`; synchronised, but not changed otherwise
/// @param level  below `flow.level_count()`; of the finest level that there may be, nothing is refined
/// Collective if there are several ranks. Cost: that of the criteria; the plans that they need are made each time.
template <class Flow>
IntervalSet<Flow::Dim> tagged_cells(Flow& flow, int level) {
  using Law = typename Flow::Law;
  if (level + 1 >= flow.domain().level_count()) return {};
  flow.synchronise();
  auto const& sets = flow.sets(level);
  auto const grid = flow.domain().grid(level);
  LevelView<Law> const view{level,        flow.flux().law, sets.cells,
                            sets.storage, sets.covered,    flow.state(level).view(),
                            grid.origin,  grid.spacing,    flow.time()};
  auto tags = any(flow.options().criteria)(view);
  if (auto* const team = team_of(flow)) tags = united(*team, tags);
  return with_minimum_width(tags, flow.options().minimum_width);
}

}  // namespace sparse::amr
