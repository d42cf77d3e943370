#pragma once
/// The plans of one level of a simulation. They depend on the cells, not on the law.

#include <sparse/amr/hierarchy/ghosts.hpp>
#include <sparse/amr/hierarchy/interface.hpp>
#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/amr/sweep/plan.hpp>

namespace sparse::amr {

/// The plans that also depend on the neighbouring levels. They are rebuilt when one of the three levels changes.
template <int Dim>
struct LevelPlans {
  /// The cells that get their values from elsewhere.
  Ghosts<Dim> ghosts;
  Subset<Dim> update, leaves;                       ///< the cells that a step computes, and the solution, in storage
  RestrictPlan<Dim> restrict_needed, restrict_all;  ///< from level l + 1
  Interfaces<Dim> interfaces;                       ///< with level l + 1
};

/// The plans of level l of `sets`.
template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, int l);

/// The plans of level l of a rank. Means are those of children that the rank owns, and interfaces take the sums of
/// fluxes of `part.fine_faces`.
/// @param all  the sets of all ranks
template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, PartOfLevels<Dim> const& part,
                            std::vector<LevelSets<Dim>> const& all, int l);

/// The sweep over level l.
/// @param first  cells whose tiles come first
template <int Dim>
SweepPlan<Dim> sweep_plan(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int l,
                          IntervalSet<Dim> const& first = {});

/// The cells beside leaves, in storage, that lie outside the box; none unless some side is `BoundaryKind::given`.
template <int Dim>
Subset<Dim> cells_beyond_given(Domain<Dim> const& domain, LevelSets<Dim> const& sets);

}  // namespace sparse::amr
