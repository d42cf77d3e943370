#pragma once
/// The levels of one rank of several.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include <sparse/amr/hierarchy/level.hpp>
#include <sparse/amr/hierarchy/synchronise.hpp>

namespace sparse::amr {

/// Makes the levels of a rank. Those that it keeps (`keeps_parts`) are moved out of `old`, with their states.
/// Collective.
/// @param before  the levels of all ranks as they were; those coarser than `base` stay, and so does who owns them
/// @param cells_before  [level] the cells that there were, near the part that the rank gets
/// @param old     the levels of the rank as they were, which `inherit_part` looks at later; empty: nothing is inherited
/// @throws std::logic_error  on all ranks, if a level that stays lacks cells that a finer level reads
template <class Law>
Levels<Law> make_part(Problem<Law> const& problem, Share<Law::dimension> const& before,
                      std::vector<IntervalSet<Law::dimension>> const& cells_before, Share<Law::dimension> const& after,
                      Levels<Law>& old, int base) {
  constexpr int Dim = Law::dimension;
  distributed::Team& team = *problem.options.team;
  int const count = static_cast<int>(after.near.size()), old_count = static_cast<int>(old.size());
  auto const is_kept = [&](int l) { return old_count > 0 && (l < 0 || keeps_parts(before, after, l, base)); };
  // Whether nothing of a level changes, plans included. These are the coarsest.
  auto const is_as_before = [&](int l) {
    return is_kept(l) && is_kept(l - 1) && is_kept(l + 1) && restricts_as_before(before, after, l);
  };
  int first = 0;
  while (first < count && is_as_before(first)) ++first;
  auto const& rims = after.reach.rims();
  std::vector<IntervalSet<Dim>> refined(after.near.size());
  for (int l = base; l < count && old_count > 0; ++l) {
    refined[l] = rim_at(rims, l - 1).part_over(after.own[l].cells);
    if (l < old_count) refined[l] -= cells_before[l];
  }
  // A level may change within a step while coarser ones stay. Its closure can then reach coarse ghosts that it did not
  // before, so the coarser level has what all of them read that the rank may come to hold. They are bands around
  // levels, and depend on cells alone.
  for (int l = first + 1; l < count; ++l)
    refined[l] |= after.reach.part(l, rim_at(rims, l - 1).part_over(after.near[l].coarse_ghosts));
  std::vector<LevelSets<Dim> const*> kept;
  for (int l = 0; l < count; ++l) kept.push_back(is_kept(l) ? &old[l].sets : nullptr);
  auto part = part_of_levels(problem.domain, after.near, after.own, refined, kept, first, rims);
  bool has_all = true;
  for (int l = 0; l < count; ++l) {
    if (l < first) part.sets[l] = old[l].sets;
    has_all = has_all && (!is_kept(l) || (part.read_by_finer[l] - old[l].sets.storage).is_empty());
  }
  if (!team.all(has_all)) throw std::logic_error("make_part: a level that stays lacks cells that a finer level reads");
  Levels<Law> levels(after.near.size());
  std::vector<typename distributed::Halo<Dim>::Request> requests;
  for (int l = 0; l < count; ++l) {
    Level<Law>& level = levels[l];
    auto const& sets = part.sets[l];
    bool const stays = is_kept(l);
    level = stays ? std::move(old[l]) : make_level<Law>(problem.domain, sets);
    if (stays) old[l].sets = level.sets;
    // As in `make_levels`. If cells have other owners, no step is under way.
    if (!stays && l < old_count && after.versions[l] == before.versions[l] && base > 0)
      level.fine_register = std::move(old[l].fine_register);
    if (l < first || is_as_before(l)) continue;
    level.sets.restricted = sets.restricted;
    level.frozen = CopyPlan<Dim>(sets.restricted - sets.update, sets.storage, sets.storage);
    level.plans = level_plans(problem.domain, part, after.near, l);
    level.messages = std::make_unique<LevelMessages<Dim>>(after, part, l, requests);
    level.told_register = typename Level<Law>::Register(part.fine_faces[l]);
  }
  distributed::Halo<Dim>::make(team, after.partition, requests);
  // Others wait for what they receive, so it is computed first.
  for (int l = first; l < count; ++l) {
    if (is_as_before(l)) continue;
    IntervalSet<Dim> const sent = levels[l].messages->received.sent_cells();
    if (is_kept(l) && sent == levels[l].swept_first) continue;
    levels[l].sweep = sweep_plan(problem.domain, levels[l].sets, l, sent);
    levels[l].swept_first = sent;
  }
  return levels;
}

/// The same as `inherit`, for the levels of a rank. Cells that it did not own before come from their owners.
/// Collective. Cost: without other owners no message.
template <class Law>
void inherit_part(Problem<Law> const& problem, Share<Law::dimension> const& before_share,
                  std::vector<IntervalSet<Law::dimension>> const& cells_before, Share<Law::dimension> const& share,
                  Levels<Law> const& before, Levels<Law>& fresh, int base, double weight, double time) {
  constexpr int Dim = Law::dimension;
  using Scalar = typename Law::Scalar;
  int const old_count = static_cast<int>(before.size()), count = static_cast<int>(fresh.size());
  distributed::Team& team = *problem.options.team;
  bool const has_same_owners = before_share.partition == share.partition;
  std::vector<distributed::Halo<Dim>> migrations(fresh.size());
  std::vector<typename distributed::Halo<Dim>::Request> requests;
  for (int l = base; l < std::min(count, old_count) && !has_same_owners; ++l) {
    if (keeps_parts(before_share, share, l, base)) continue;
    IntervalSet<Dim> const& storage = fresh[l].sets.storage;
    requests.push_back({&migrations[static_cast<std::size_t>(l)],
                        l,
                        before[l].sets.storage,
                        storage,
                        {{fresh[l].sets.cells & cells_before[l]}}});
  }
  distributed::Halo<Dim>::make(team, before_share.partition, requests);
  for (int l = base; l < count; ++l) {
    if (keeps_parts(before_share, share, l, base)) continue;
    Level<Law>& level = fresh[l];
    FieldView<Scalar> const values = level.current();
    IntervalSet<Dim> refined = level.sets.cells;
    if (l < old_count) {
      if (has_same_owners) {
        CopyPlan<Dim> const kept(refined & cells_before[l], level.sets.storage, before[l].sets.storage);
        copy<Scalar, Dim>(values, kept, before[l].current(), Law::component_count);
      } else {
        migrations[static_cast<std::size_t>(l)].template fill<Scalar>(team, values, before[l].current(),
                                                                      Law::component_count);
      }
      refined = refined - cells_before[l];
    }
    if (l > 0)
      prolong_admissible(values, problem.law, Parents<Dim>(refined, fresh[l - 1].sets, level.sets),
                         FieldView<Scalar const>(fresh[l - 1].current()));
    refresh_all(problem, level, values);
    fill_ghosts(values, problem, fresh, l, l == base ? weight : 1, time);
  }
}

}  // namespace sparse::amr
