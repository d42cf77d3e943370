#pragma once
/// Values that levels get from each other: ghosts, covered cells, and the states of new levels.

#include <sparse/amr/hierarchy/level.hpp>
#include <sparse/amr/problem.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// Cells of other ranks that are under way to `state`, an array on the storage of a level. What others want must be
/// there when it begins. Collective; without ranks it does nothing.
template <class Law>
class Refreshing {
public:
  using Scalar = typename Law::Scalar;
  using Halo = distributed::Halo<Law::dimension>;
  /// Sends what others want: the cells that steps read.
  /// @param with_beside  also those that only criteria and new levels look at
  Refreshing(Problem<Law> const& problem, Level<Law> const& level, FieldView<Scalar> state, bool with_beside = false) {
    if (!level.messages) return;
    std::vector<typename Halo::template Filling<Scalar>> fillings{{&level.messages->received, state, state}};
    if (with_beside) fillings.push_back({&level.messages->beside, state, state});
    begun_ = Halo::template begin<Scalar>(*problem.options.team, fillings, Law::component_count);
  }
  /// Waits for what they send.
  void finish() { Halo::template finish<Scalar>(begun_); }

private:
  typename Halo::template Begun<Scalar> begun_;
};

/// Gets the cells of other ranks that steps read, at once.
template <class Law>
void refresh(Problem<Law> const& problem, Level<Law> const& level, FieldView<typename Law::Scalar> state) {
  Refreshing<Law>(problem, level, state).finish();
}

/// The same with those that criteria and new levels look at.
template <class Law>
void refresh_all(Problem<Law> const& problem, Level<Law> const& level, FieldView<typename Law::Scalar> state) {
  Refreshing<Law>(problem, level, state, true).finish();
}

/// What the owners of the next finer level tell, under way to a level: children, which become means in covered cells,
/// and sums of fluxes. Collective; without ranks it does nothing.
template <class Law>
class FromFiner {
public:
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension, component_count = Law::component_count;
  using Halo = distributed::Halo<Dim>;
  /// Sends what others want.
  /// @param children   which of the two kinds of `LevelMessages`
  /// @param with_sums  whether `told_register` gets the sums of fluxes, too
  FromFiner(Problem<Law> const& problem, Level<Law>& level, Level<Law> const& finer,
            RemoteChildren<Dim> LevelMessages<Dim>::*children, bool with_sums) {
    if (!level.messages) return;
    remote_ = &((*level.messages).*children);
    children_ = Field<Scalar, Dim>("children", remote_->cells, component_count);
    std::vector<typename Halo::template Filling<Scalar>> fillings{{&remote_->halo, children_.view(), finer.current()}};
    for (int axis = 0; axis < Dim && with_sums; ++axis)
      fillings.push_back({&level.messages->face_sums[axis], level.told_register[axis], finer.fine_register[axis]});
    begun_ = Halo::template begin<Scalar>(*problem.options.team, fillings, component_count);
  }
  /// Waits for those of others, and sets the covered cells.
  void finish(Level<Law>& level) {
    Halo::template finish<Scalar>(begun_);
    if (remote_ != nullptr && !remote_->cells.is_empty())
      restrict_to<Scalar, Dim>(level.current(), remote_->to_parents, children_.view(), component_count);
  }

private:
  RemoteChildren<Dim> const* remote_ = nullptr;
  Field<Scalar, Dim> children_;
  typename Halo::template Begun<Scalar> begun_;
};

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
    FromFiner<Law>(problem, levels[l], levels[l + 1], &LevelMessages<Law::dimension>::all, false).finish(levels[l]);
  }
  for (int l = base; l < count; ++l) {
    refresh_all(problem, levels[l], levels[l].current());
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
