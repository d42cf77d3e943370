#pragma once
/// One level of a simulation: its sets, plans and values.

#include <sparse/amr/ghosts.hpp>
#include <sparse/amr/interface.hpp>

namespace sparse::amr {

/// The plans of one level. Rebuilt when this level or one beside it changes.
template <int Dim>
struct LevelPlans {
  Ghosts<Dim> ghosts;
  Subset<Dim> update, leaves;                   ///< what a step computes, and the solution, in storage
  Transfer<Dim> restrict_needed, restrict_all;  ///< from level l + 1
  Interfaces<Dim> interfaces;                   ///< [axis][side], with level l + 1
};

template <class T, int Dim>
struct Level {
  LevelSets<Dim> sets;
  LevelPlans<Dim> plans;
  Field<T, Dim> state;  ///< on sets.storage; valid in leaves and restricted cells, elsewhere after `synchronise`
  Field<T, Dim> next;   ///< the same, after the step under way
};

/// The plans of level l of `sets`.
template <int Dim>
LevelPlans<Dim> level_plans(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, int l);

}  // namespace sparse::amr
