#include <sparse/amr/hierarchy/level.hpp>

namespace sparse::amr {

template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, int l) {
  LevelSets<Dim> const& level = sets[l];
  LevelPlans<Dim> plans;
  plans.ghosts = Ghosts<Dim>(domain, level, l > 0 ? &sets[l - 1] : nullptr, l);
  plans.update = Subset<Dim>(level.update, level.storage);
  plans.leaves = Subset<Dim>(level.leaves, level.storage);
  if (l + 1 == static_cast<int>(sets.size())) return plans;
  LevelSets<Dim> const& finer = sets[l + 1];
  plans.restrict_needed = RestrictPlan<Dim>(level.restricted, level.storage, finer.cells, finer.storage);
  plans.restrict_all = RestrictPlan<Dim>(level.covered, level.storage, finer.cells, finer.storage);
  plans.interfaces = Interfaces<Dim>(domain, level, finer, l);
  return plans;
}

template LevelPlans<2> level_plans(Domain<2> const&, std::vector<LevelSets<2>> const&, int);
template LevelPlans<3> level_plans(Domain<3> const&, std::vector<LevelSets<3>> const&, int);

}  // namespace sparse::amr
