#pragma once
/// The plans of one level of a simulation.

#include <sparse/amr/hierarchy/ghosts.hpp>
#include <sparse/amr/hierarchy/interface.hpp>

namespace sparse::amr {

/// The plans of one level. Rebuilt when this level or one beside it changes.
template <int Dim>
struct LevelPlans {
  Ghosts<Dim> ghosts;
  Subset<Dim> update, leaves;                       ///< what a step computes, and the solution, in storage
  RestrictPlan<Dim> restrict_needed, restrict_all;  ///< from level l + 1
  Interfaces<Dim> interfaces;                       ///< with level l + 1
};

/// The plans of level l of `sets`.
template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, int l);

}  // namespace sparse::amr
