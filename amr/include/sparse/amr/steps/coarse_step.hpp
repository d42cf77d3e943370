#pragma once
/// One step of the coarsest level, and those of all finer levels in it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <sparse/amr/hierarchy/hierarchy.hpp>
#include <sparse/amr/steps/outcome.hpp>
#include <sparse/amr/steps/stages.hpp>
#include <sparse/amr/sweep/sweep.hpp>
#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse::amr {

/// Takes all levels of a hierarchy through one step of the coarsest level. Each level steps. Then the next finer level
/// takes its steps with ghosts interpolated in time, and the two are made consistent. Between the steps of a level, the
/// levels finer than it may change.
template <NumericalFlux Flux>
class CoarseStep {
public:
  using Law = typename Flux::Law;
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension, component_count = Law::component_count;
  /// How a step ended.
  using Outcome = StepOutcome<Dim>;

  /// Steps of a hierarchy, which must outlive the object.
  CoarseStep(Flux const& flux, Hierarchy<Law>& hierarchy, Scheme scheme)
      : flux_(flux), hierarchy_(hierarchy), scheme_(scheme) {}

  /// Takes all levels from `begin` to `begin + dt` [s].
  /// @param number  number of this step since time 0
  Outcome advance(Index number, double begin, double dt) {
    Span const span{begin, dt};
    update_count_ = 0;
    is_together_ = has_failed_ = false;
    return step(0, number, span, span);
  }
  /// The same, but several ranks do not agree on each wave rate: only before levels change, and at the end. So they do
  /// not know why a step fails.
  /// @return  what `greatest_rate` gives afterwards; not finite if the step has failed
  Scalar advance_together(Index number, double begin, double dt) {
    Span const span{begin, dt};
    update_count_ = 0;
    is_together_ = true;
    has_failed_ = false;
    Scalar const failed = std::numeric_limits<Scalar>::quiet_NaN();
    if (!step(0, number, span, span).is_ok()) return failed;
    return agreed(team(), has_failed_ ? failed : greatest_rate_here(hierarchy_.problem(), hierarchy_.levels()));
  }
  /// Cells computed so far: each level counts as often as it stepped.
  Index update_count() const { return update_count_; }

private:
  struct Span {
    double begin, length;
    double end() const { return begin + length; }
    double part(double time) const { return length > 0 ? (time - begin) / length : 0; }
  };

  Outcome step(int l, Index number, Span const& span, Span const& coarser_span);
  bool is_regrid_due(int l, Index number) const;
  bool sweep_stages(int l, Span const& span, Span const& coarser_span);
  bool correct(int l);
  Outcome impossible_at(double time) const;
  distributed::Team* team() const { return hierarchy_.problem().options.team; }

  /// Whether a step goes on after a check on this rank. The ranks agree, unless they step together: then each notes a
  /// failure and goes on, so that no other waits for it.
  bool goes_on(bool holds) {
    if (!is_together_) return agreed(team(), holds);
    has_failed_ = has_failed_ || !holds;
    return true;
  }

  Flux const& flux_;
  Hierarchy<Law>& hierarchy_;
  Scheme scheme_;
  Index update_count_ = 0;
  bool is_together_ = false, has_failed_ = false;  // see `goes_on`
};

/// Takes a level, and all finer ones, through `span`. The coarser level has already crossed `coarser_span`.
/// @param number  number of this step of the level since time 0
template <NumericalFlux Flux>
auto CoarseStep<Flux>::step(int l, Index number, Span const& span, Span const& coarser_span) -> Outcome {
  Problem<Law> const& problem = hierarchy_.problem();
  if (is_regrid_due(l, number)) {
    ProfilingRegion const region("sparse::amr::regrid");
    if (is_together_ && !agreed(team(), !has_failed_)) return Outcome::too_long(1);
    auto const regrid = hierarchy_.regrid(l, coarser_span.part(span.begin), span.begin);
    if (regrid.impossible) return Outcome::impossible(*regrid.impossible);
  }
  double const cfl = problem.options.cfl, most = std::max(1., 1.1 * cfl);
  Scalar const rate = hierarchy_.levels()[l].rate;
  double const crossed = static_cast<double>(is_together_ ? rate : agreed(team(), rate)) * span.length;
  if (crossed > most && !is_together_) return Outcome::too_long(crossed / cfl);
  has_failed_ = has_failed_ || crossed > most;

  if (!sweep_stages(l, span, coarser_span)) return impossible_at(span.end());
  Level<Law>& level = hierarchy_.levels()[l];
  update_count_ += hierarchy_.leaf_count(l);
  bool const has_finer = l + 1 < hierarchy_.level_count();
  // Cells outside are read by finer levels. If a function gives their states, the length of the next step depends on
  // them, too.
  if (has_finer || level.beyond_given.cell_count() > 0)
    fill_sides(level.current(), problem.law, level.plans.ghosts.sides, problem.outside.inflow, problem.outside.given,
               span.end());
  if (!has_finer) return Outcome::ok();

  int const parts = problem.options.subcycle ? 2 : 1;
  for (int part = 0; part < parts; ++part) {
    Span const of_part{span.begin + part * span.length / parts, span.length / parts};
    if (auto const outcome = step(l + 1, parts * number + part, of_part, span); !outcome.is_ok()) return outcome;
  }
  return correct(l) ? Outcome::ok() : impossible_at(span.end());
}

/// Whether the levels finer than l follow the solution before this step, and not already with level l - 1. The levels
/// finer than level 0 do so before the whole step.
template <NumericalFlux Flux>
bool CoarseStep<Flux>::is_regrid_due(int l, Index number) const {
  auto const& options = hierarchy_.problem().options;
  if (l == 0 || l + 1 >= hierarchy_.problem().domain.level_count()) return false;
  int const parts = options.subcycle ? 2 : 1;
  bool const is_due_before = number % parts == 0 && options.is_regrid_due(l - 1, number / parts);
  return options.is_regrid_due(l, number) && !is_due_before;
}

/// The stages of the step of one level.
/// @return  whether all wave rates are finite
template <NumericalFlux Flux>
bool CoarseStep<Flux>::sweep_stages(int l, Span const& span, Span const& coarser_span) {
  Problem<Law> const& problem = hierarchy_.problem();
  Levels<Law>& levels = hierarchy_.levels();
  Level<Law>& level = levels[l];
  bool const has_finer = l + 1 < hierarchy_.level_count();
  if (has_finer) {
    level.coarse_register.clear();
    levels[l + 1].fine_register.clear();
  }
  SweepValues<Flux, Dim> values{flux_};
  values.reconstruction = reconstruction_of(scheme_);
  values.limiter = problem.options.limiter;
  values.dt = static_cast<Scalar>(span.length);
  values.inverse_spacing = problem.inverse_spacing(l);
  values.base = level.current();
  for (int axis = 0; axis < Dim; ++axis) {
    if (has_finer) values.coarse_register[axis] = level.coarse_register[axis];
    if (l > 0) values.fine_register[axis] = level.fine_register[axis];
  }
  FieldView<Scalar> in = level.current();
  Scalar rate = 0;
  bool is_finite = true;
  for (Stage const& stage : stages_of(scheme_)) {
    double const time = span.begin + stage.time * span.length;
    fill_ghosts(in, problem, levels, l, coarser_span.part(time), time);
    FieldView<Scalar> const out = level.states.take().view();
    values.in = in;
    values.out = out;
    values.in_weight = static_cast<Scalar>(stage.weight);
    values.base_weight = 1 - values.in_weight;  // exact, because 1/3 and 2/3 in float add up to more than 1
    values.record_weight = static_cast<Scalar>(stage.flux_weight * span.length);
    // Covered cells that stages read but do not compute keep their values between stages.
    if (level.frozen.cell_count() > 0 && stage_count(scheme_) > 1)
      copy<Scalar, Dim>(out, level.frozen, level.current(), component_count);
    std::optional<Refreshing<Law>> refreshing;
    rate = sweep<Flux, Dim>(level.sweep, values, [&] { refreshing.emplace(problem, level, out); });
    refreshing->finish();
    is_finite = goes_on(std::isfinite(rate));
    if (!is_finite) break;
    in = out;
  }
  level.states.commit();
  level.rate = rate;
  return is_finite;
}

/// Makes a level consistent with the next finer one.
/// @return  whether all wave rates are finite
template <NumericalFlux Flux>
bool CoarseStep<Flux>::correct(int l) {
  Problem<Law> const& problem = hierarchy_.problem();
  Level<Law>& level = hierarchy_.levels()[l];
  Level<Law> const& finer = hierarchy_.levels()[l + 1];
  FromFiner<Law> from_finer(problem, level, finer, &LevelMessages<Dim>::needed, true);
  for_each_in_short_runs("sparse::amr::restrict", level.plans.restrict_needed,
                         sparse::detail::RestrictMeans<Scalar, Dim, component_count>{finer.current(), level.current()});
  from_finer.finish(level);
  Vec<FieldView<Scalar const>, Dim> coarse_register, fine_register;
  for (int axis = 0; axis < Dim; ++axis) {
    coarse_register[axis] = level.coarse_register[axis];
    fine_register[axis] = level.messages ? level.told_register[axis] : finer.fine_register[axis];
  }
  Scalar const rate = reflux(level.current(), problem.law, level.plans.interfaces, coarse_register, fine_register,
                             problem.inverse_spacing(l));
  level.rate = std::max(level.rate, rate);
  if (!goes_on(std::isfinite(rate))) return false;
  refresh(problem, level, level.current());
  return true;
}

/// Names the first impossible cell of the current states. There is one where a wave rate is not finite.
template <NumericalFlux Flux>
auto CoarseStep<Flux>::impossible_at(double time) const -> Outcome {
  auto const where = find_impossible(hierarchy_.problem(), hierarchy_.levels(), time);
  expects(where.has_value(), "step: a wave rate is not finite, but all states are possible");
  return Outcome::impossible(*where);
}

}  // namespace sparse::amr
