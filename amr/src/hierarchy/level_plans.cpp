#include <sparse/amr/hierarchy/level_plans.hpp>

#include "domain/faces_on_side.hpp"

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

/// The plans within a level, and with the next coarser one.
template <int Dim>
LevelPlans<Dim> plans_without_finer(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, int l) {
  LevelSets<Dim> const& level = sets[l];
  LevelPlans<Dim> plans;
  plans.ghosts = Ghosts<Dim>(domain, level, l > 0 ? &sets[l - 1] : nullptr, l);
  plans.update = Subset<Dim>(level.update, level.storage);
  plans.leaves = Subset<Dim>(level.leaves, level.storage);
  return plans;
}

}  // namespace

template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, int l) {
  LevelPlans<Dim> plans = plans_without_finer(domain, sets, l);
  if (l + 1 == static_cast<int>(sets.size())) return plans;
  LevelSets<Dim> const &level = sets[l], &finer = sets[l + 1];
  plans.restrict_needed = RestrictPlan<Dim>(level.restricted, level.storage, finer.cells, finer.storage);
  plans.restrict_all = RestrictPlan<Dim>(level.covered, level.storage, finer.cells, finer.storage);
  plans.interfaces = Interfaces<Dim>(domain, level, finer, l);
  return plans;
}

template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, PartOfLevels<Dim> const& part,
                            std::vector<LevelSets<Dim>> const& all, int l) {
  LevelPlans<Dim> plans = plans_without_finer(domain, part.sets, l);
  if (l + 1 == static_cast<int>(part.sets.size())) return plans;
  LevelSets<Dim> level = part.sets[l], finer = part.sets[l + 1];
  IntervalSet<Dim> const parents = finer.cells.is_empty() ? finer.cells : coarsen(finer.cells);
  plans.restrict_needed = RestrictPlan<Dim>(level.restricted & parents, level.storage, finer.cells, finer.storage);
  plans.restrict_all = RestrictPlan<Dim>(level.covered & parents, level.storage, finer.cells, finer.storage);
  level.covered = all[l].covered;
  finer.fine_interface = part.fine_faces[l];
  plans.interfaces = Interfaces<Dim>(domain, level, finer, l);
  return plans;
}

template <int Dim>
SweepPlan<Dim> sweep_plan(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int l, IntervalSet<Dim> const& first) {
  IntervalSet<Dim> const solid = domain.with_images(sets.curved_ghosts | sets.face_ghosts, l, 1);
  SweepSets<Dim> swept{
      sets.storage,          sets.update,         solid.is_empty() ? solid : expand(solid, 1, Element::diamond),
      sets.coarse_interface, sets.fine_interface, sets.wall_faces};
  swept.first = first;
  for (int axis = 0; axis < Dim; ++axis)
    for (FaceSide const side : {FaceSide::lower, FaceSide::upper}) {
      auto const s = static_cast<int>(side);
      IntervalSet<Dim>& sticking = swept.sticking_walls[axis][s] = sets.sticking_faces[axis][s];
      if (!sticking.is_empty()) swept.walls[axis][s] = swept.walls[axis][s] - sticking;
      // At no-slip sides fluxes come from mirrored states, not from ghosts: ghosts that move the other way along the
      // side would change in half a step, and let mass pass. So would ghosts behind a slip wall with other ghosts
      // beside them.
      bool const has_parts = domain.has_parts(axis, side);
      if (!has_parts && !domain.has(BoundaryKind::no_slip, axis, side)) continue;
      IntervalSet<Dim> const on_side = faces_on_side(sets.update, domain.box(l), axis, side);
      sticking |= domain.faces_of(BoundaryKind::no_slip, axis, side, on_side, l);
      if (has_parts) swept.walls[axis][s] |= domain.faces_of(BoundaryKind::wall, axis, side, on_side, l);
    }
  return SweepPlan<Dim>(swept);
}

template <int Dim>
Subset<Dim> cells_beyond_given(Domain<Dim> const& domain, LevelSets<Dim> const& sets) {
  if (!domain.has(BoundaryKind::given)) return {};
  // Only the cells beside leaves: beside coarse ghosts, cells outside are out of date at the end of a step.
  IntervalSet<Dim> neighbours;
  for (int axis = 0; axis < Dim; ++axis) neighbours |= shift(sets.leaves, axis, -1) | shift(sets.leaves, axis, 1);
  return Subset<Dim>(neighbours & sets.outside[0], sets.storage);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template LevelPlans<Dim> level_plans(Domain<Dim> const&, std::vector<LevelSets<Dim>> const&, int);                   \
  template LevelPlans<Dim> level_plans(Domain<Dim> const&, PartOfLevels<Dim> const&,                                   \
                                       std::vector<LevelSets<Dim>> const&, int);                                       \
  template SweepPlan<Dim> sweep_plan(Domain<Dim> const&, LevelSets<Dim> const&, int, IntervalSet<Dim> const&);         \
  template Subset<Dim> cells_beyond_given(Domain<Dim> const&, LevelSets<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
