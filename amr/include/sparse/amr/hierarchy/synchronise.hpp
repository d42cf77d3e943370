#pragma once
/// Values that levels get from each other: ghosts, covered cells, and the states of new levels.

#include <sparse/amr/hierarchy/level.hpp>
#include <sparse/amr/problem.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// Gets the cells of other ranks for `state`, an array on the storage of a level. Collective; without ranks it does
/// nothing.
template <class Law>
void refresh(Problem<Law> const& problem, Level<Law> const& level, FieldView<typename Law::Scalar> state) {
  if (level.messages)
    level.messages->received.template fill<typename Law::Scalar>(*problem.options.team, state, state,
                                                                 Law::component_count);
}

/// Sets covered cells to the means of children that other ranks own. Collective; without ranks it does nothing.
/// @param of  which of the two kinds of `LevelMessages`
template <class Law>
void restrict_remote(Problem<Law> const& problem, Level<Law>& level, Level<Law> const& finer,
                     RemoteChildren<Law::dimension> LevelMessages<Law::dimension>::*of) {
  using Scalar = typename Law::Scalar;
  if (!level.messages) return;
  auto const& remote = (*level.messages).*of;
  Field<Scalar, Law::dimension> children("children", remote.cells, Law::component_count);
  remote.halo.template fill<Scalar>(*problem.options.team, children.view(), finer.current(), Law::component_count);
  if (!remote.cells.is_empty())
    restrict_to<Scalar, Law::dimension>(level.current(), remote.to_parents, children.view(), Law::component_count);
}

/// Fills the ghosts of `state`, an array on the storage of level l.
/// @param weight  of the current state of level l - 1; its old state has 1 - weight
template <class Law>
void fill_ghosts(FieldView<typename Law::Scalar> state, Problem<Law> const& problem, Levels<Law> const& levels, int l,
                 double weight, double time) {
  Ghosts<Law::dimension> const& ghosts = levels[l].plans.ghosts;
  if (l > 0) {
    auto const& coarser = levels[l - 1].states;
    fill_from_coarser(state, problem.law, ghosts, coarser.old().view(), coarser.current().view(),
                      static_cast<typename Law::Scalar>(weight));
  }
  fill_boundaries(state, problem.law, ghosts, problem.outside.inflow, problem.outside.given, time);
}

/// Sets covered cells to the means of their children, and fills all ghosts, on level `base` and finer levels. These are
/// all at `time`. Cost: a pass over covered cells, and one over ghosts.
/// @param weight  of the current state of level `base` - 1; its old state has 1 - weight
template <class Law>
void synchronise(Problem<Law> const& problem, Levels<Law>& levels, int base, double weight, double time) {
  using Scalar = typename Law::Scalar;
  int const count = static_cast<int>(levels.size());
  for (int l = count - 2; l >= base; --l) {
    restrict_to<Scalar, Law::dimension>(levels[l].current(), levels[l].plans.restrict_all, levels[l + 1].current(),
                                        Law::component_count);
    restrict_remote(problem, levels[l], levels[l + 1], &LevelMessages<Law::dimension>::all);
  }
  for (int l = base; l < count; ++l) {
    refresh(problem, levels[l], levels[l].current());
    fill_ghosts(levels[l].current(), problem, levels, l, l == base ? weight : 1, time);
  }
}

/// Sets new levels from the levels before: common cells keep their values, other cells are prolonged. Levels that
/// stayed already have their values.
/// @param base, weight, time  as in `synchronise`
template <class Law>
void inherit(Problem<Law> const& problem, Levels<Law> const& before, Levels<Law>& fresh, int base, double weight,
             double time) {
  constexpr int Dim = Law::dimension;
  using Scalar = typename Law::Scalar;
  int const old_count = static_cast<int>(before.size());
  for (int l = 0; l < static_cast<int>(fresh.size()); ++l) {
    Level<Law>& level = fresh[l];
    FieldView<Scalar> const values = level.current();
    if (l < old_count && has_same_cells(level.sets, before[l].sets)) continue;
    IntervalSet<Dim> const known = l < old_count ? level.sets.cells & before[l].sets.cells : IntervalSet<Dim>();
    if (l < old_count)
      copy<Scalar, Dim>(values, CopyPlan<Dim>(known, level.sets.storage, before[l].sets.storage), before[l].current(),
                        Law::component_count);
    if (l > 0)
      prolong_admissible(values, problem.law, Parents<Dim>(level.sets.cells - known, fresh[l - 1].sets, level.sets),
                         FieldView<Scalar const>(fresh[l - 1].current()));
    fill_ghosts(values, problem, fresh, l, l == base ? weight : 1, time);
  }
}

}  // namespace sparse::amr
