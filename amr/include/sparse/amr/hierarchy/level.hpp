#pragma once
/// One level of a simulation: its sets, plans and states.

#include <memory>
#include <vector>

#include <sparse/amr/hierarchy/flux_register.hpp>
#include <sparse/amr/hierarchy/level_messages.hpp>
#include <sparse/amr/hierarchy/level_plans.hpp>
#include <sparse/amr/hierarchy/level_states.hpp>
#include <sparse/amr/hierarchy/tagging.hpp>

namespace sparse::amr {

/// Everything that is kept for a level. It owns its arrays.
template <class Law>
struct Level {
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension, component_count = Law::component_count;
  /// Fluxes through the interface with the next finer level.
  using Register = FluxRegister<Scalar, Dim, component_count>;

  /// The sets, the plans on them, and how a step visits them.
  LevelSets<Dim> sets;
  LevelPlans<Dim> plans;
  SweepPlan<Dim> sweep;
  CopyPlan<Dim> frozen;                    ///< covered cells that are read but not computed
  Subset<Dim> beyond_given;                ///< see `cells_beyond_given`
  std::shared_ptr<TagPlan<Dim>> tag_plan;  ///< made when a criterion first needs it
  /// Conserved variables, now and before the last step.
  LevelStates<Scalar, Dim> states;
  Register coarse_register, fine_register;  ///< of the interfaces with level l + 1, and with level l - 1
  /// With several ranks: what they tell each other, and the sums of fluxes of level l + 1 that they tell.
  std::unique_ptr<LevelMessages<Dim>> messages;
  Register told_register;
  IntervalSet<Dim> swept_first;  ///< by `sweep`, because others wait for them
  Scalar rate = 0;               ///< greatest wave rate of the current state of this rank

  /// Conserved variables now, on `sets.storage`.
  FieldView<Scalar> current() { return states.current().view(); }
  FieldView<Scalar const> current() const { return states.current().view(); }
};

/// All levels, the coarsest first.
template <class Law>
using Levels = std::vector<Level<Law>>;

/// The sets of all levels.
template <class Law>
std::vector<LevelSets<Law::dimension>> sets_of(Levels<Law> const& levels) {
  std::vector<LevelSets<Law::dimension>> all;
  for (auto const& level : levels) all.push_back(level.sets);
  return all;
}

/// Makes a level with these sets and a state of zeros. How a sweep visits it, and what depends on neighbouring levels,
/// are still missing.
template <class Law>
Level<Law> make_level(Domain<Law::dimension> const& domain, LevelSets<Law::dimension> const& sets) {
  Level<Law> level;
  level.sets = sets;
  level.beyond_given = cells_beyond_given(domain, sets);
  level.states = LevelStates<typename Law::Scalar, Law::dimension>(sets.storage, Law::component_count);
  level.coarse_register = typename Level<Law>::Register(sets.coarse_interface);
  level.fine_register = typename Level<Law>::Register(sets.fine_interface);
  return level;
}

/// Makes levels with these cells. Levels of `old` that stay are moved out of it, with their states; their sets remain
/// there.
template <class Law>
Levels<Law> make_levels(Domain<Law::dimension> const& domain, std::vector<IntervalSet<Law::dimension>> const& cells,
                        Levels<Law>& old) {
  auto const before = sets_of(old);
  auto const after = level_sets(domain, cells, before);
  int const count = static_cast<int>(cells.size()), old_count = static_cast<int>(old.size());
  auto const stays = [&](int l) {  // also true where there is no such level before and after
    bool const was = l >= 0 && l < old_count, is = l >= 0 && l < count;
    return was == is && (!is || has_same_cells(after[l], before[l]));
  };
  auto const is_restricted_as_before = [&](int l) {
    return stays(l) && after[l].restricted.identity() == before[l].restricted.identity();
  };
  Levels<Law> levels(cells.size());
  for (int l = 0; l < count; ++l) {
    Level<Law>& level = levels[l];
    bool const is_same = stays(l), is_restricted_same = is_restricted_as_before(l);
    level = is_same ? std::move(old[l]) : make_level<Law>(domain, after[l]);
    if (is_same)
      old[l].sets = before[l];
    else
      level.sweep = sweep_plan(domain, after[l], l);
    // If only the children change, the level's edge stays as it is, and so does the sum of fluxes through it.
    if (!is_same && l < old_count && after[l].cells.identity() == before[l].cells.identity())
      level.fine_register = std::move(old[l].fine_register);
    level.sets.restricted = after[l].restricted;
    if (!is_restricted_same)
      level.frozen =
          CopyPlan<Law::dimension>(after[l].restricted - after[l].update, after[l].storage, after[l].storage);
    if (!is_restricted_same || !stays(l - 1) || !stays(l + 1)) level.plans = level_plans(domain, after, l);
  }
  return levels;
}

}  // namespace sparse::amr
