#pragma once
/// Steps of a simulation. Part of simulation.hpp.

#include <sparse/amr/hierarchy/simulation_class.hpp>

namespace sparse::amr {
namespace detail {

/// A stage of a Runge-Kutta step in the form of Shu and Osher: next = (1 - weight) * base + weight * (in + dt L(in)).
struct Stage {
  double weight;
  double time;         ///< of `in`, as part of the step
  double flux_weight;  ///< its part in the whole step's flux
};

/// Source: Gottlieb, Shu and Tadmor (2001), SIAM Review 43, 89.
inline std::vector<Stage> stages_of(Scheme scheme) {
  switch (scheme) {
  case Scheme::muscl_rk2:
    return {{1, 0, 0.5}, {0.5, 1, 0.5}};
  case Scheme::muscl_rk3:
    return {{1, 0, 1. / 6}, {0.25, 1, 1. / 6}, {2. / 3, 0.5, 2. / 3}};
  default:
    return {{1, 0, 1}};
  }
}

inline Reconstruction reconstruction_of(Scheme scheme) {
  return scheme == Scheme::godunov   ? Reconstruction::constant
         : scheme == Scheme::hancock ? Reconstruction::hancock
                                     : Reconstruction::linear;
}

/// Thrown where a step of a level is too long for what has become of the state since dt was chosen.
struct StepTooLong {
  double excess;  ///< cells that waves would cross, over those they may
};

}  // namespace detail

template <class Flux>
double Simulation<Flux>::advance(double max_dt) {
  expects(max_dt > 0, "advance: max_dt must be positive");
  if (step_count_ > 0 && is_regrid_due(0, step_count_)) regrid();
  ProfilingRegion const region("sparse::amr::advance");
  double dt = std::min(max_dt, options_.cfl / static_cast<double>(rate_));
  for (auto& level : levels_) level.states.keep();
  Scalar const rate = rate_;
  Index const update_count = update_count_;
  Scheme scheme = options_.scheme;
  int const most_halvings = 4;
  bool is_repeated = false;
  int shortening_count = 0;
  auto const undo = [&] {
    return_to_start();
    rate_ = rate;
    update_count_ = update_count;
  };
  for (int halvings = 0;;) try {
      step_all(dt, scheme);
      break;
    } catch (detail::StepTooLong const& step) {
      undo();
      if (++shortening_count == 20)
        throw NonFiniteState("waves become ever faster within a step at time " + std::to_string(time_));
      if (step.excess > 2) scheme = Scheme::godunov;  // rather an overshoot than what the flow does
      dt *= std::clamp(1 / step.excess, 0.5, 0.95);
      is_repeated = true;
    } catch (NonFiniteState const&) {
      undo();
      expect_possible(levels_, time_);  // rather name a cell that was impossible before than those that see it
      // In first order; and if waves have become so fast within the step that they crossed more than a cell, shorter.
      if (scheme == Scheme::godunov && halvings++ == most_halvings) throw;
      if (scheme == Scheme::godunov) dt *= 0.5;
      scheme = Scheme::godunov;
      is_repeated = true;
    } catch (...) {  // by a criterion, or for lack of memory, when there may be nothing left to return to
      if (can_return_to_start()) undo();
      throw;
    }
  start_cells_.clear();
  start_states_.clear();
  repeated_step_count_ += is_repeated ? 1 : 0;
  is_state_lent_ = false;
  time_ += dt;
  ++step_count_;
  return dt;
}

template <class Flux>
void Simulation<Flux>::step_all(double dt, Scheme scheme) {
  rate_ = 0;
  step(0, step_count_, {time_, dt}, {time_, dt}, scheme);
  rate_ = greatest_rate();
}

template <class Flux>
bool Simulation<Flux>::can_return_to_start() const {
  bool can = true;
  for (std::size_t l = 0; l < (start_cells_.empty() ? levels_.size() : start_states_.size()); ++l)
    can = can && ((!start_cells_.empty() && start_states_[l].component_count() > 0) ||
                  (l < levels_.size() && levels_[l].states.has_start()));
  return can;
}

/// Gives the simulation the levels and the state from which the step started.
template <class Flux>
void Simulation<Flux>::return_to_start() {
  if (start_cells_.empty()) {
    for (auto& level : levels_) {
      level.states.restore();
      level.rate = 0;  // not known any more
    }
    return;
  }
  for (std::size_t l = 0; l < start_states_.size(); ++l)
    if (start_states_[l].component_count() == 0) start_states_[l] = levels_[l].states.take_start();
  levels_.clear();
  set_levels(start_cells_, start_states_);
  start_cells_.clear();
  start_states_.clear();
}

/// Steps of level l between changes of the finer ones.
template <class Flux>
Index Simulation<Flux>::regrid_stride_of(int l) const {
  Index stride = options_.regrid_stride;
  if (!options_.subcycle) return stride;
  stride <<= l;
  for (int halvings = 0; halvings < l && stride > options_.longest_stride; ++halvings) stride /= 2;
  return stride;
}

/// Takes a level, and all finer ones, over `span`; the coarser one has already crossed `coarser_span`.
/// @param number  of this step among those of the level since time 0
template <class Flux>
void Simulation<Flux>::step(int l, Index number, Interval const& span, Interval const& coarser_span, Scheme scheme) {
  int const parts = options_.subcycle ? 2 : 1;
  if (l > 0 && l + 1 < domain_.level_count() && is_regrid_due(l, number) &&
      !(number % parts == 0 && is_regrid_due(l - 1, number / parts))) {
    ProfilingRegion const region("sparse::amr::regrid");
    regrid_above(l, coarser_span.part(span.begin), span.begin);
  }
  Level& level = levels_[l];
  double const most = std::max(1., 1.1 * options_.cfl), crossed = static_cast<double>(level.rate) * span.length;
  if (crossed > most) throw detail::StepTooLong{crossed / options_.cfl};
  bool const has_finer = l + 1 < level_count();
  if (has_finer) {
    level.coarse_register.clear();
    levels_[l + 1].fine_register.clear();
  }

  SweepValues<Flux, Dim> values{flux_};
  values.reconstruction = detail::reconstruction_of(scheme);
  values.limiter = options_.limiter;
  values.dt = static_cast<Scalar>(span.length);
  values.inverse_spacing = inverse_spacing(l);
  values.base = level.states.current().view();
  for (int axis = 0; axis < Dim; ++axis) {
    if (has_finer) values.coarse_register[axis] = level.coarse_register[axis];
    if (l > 0) values.fine_register[axis] = level.fine_register[axis];
  }
  FieldView<Scalar> in = level.states.current().view();
  Scalar rate = 0;
  for (detail::Stage const& stage : detail::stages_of(scheme)) {
    double const time = span.begin + stage.time * span.length;
    fill(levels_, l, in, coarser_span.part(time), time);
    FieldView<Scalar> const out = level.states.take().view();
    values.in = in;
    values.out = out;
    values.in_weight = static_cast<Scalar>(stage.weight);
    values.base_weight = 1 - values.in_weight;  // exactly: 1/3 and 2/3 in float are more than 1 together
    values.record_weight = static_cast<Scalar>(stage.flux_weight * span.length);
    rate = sweep<Flux, Dim>(level.sweep, values);
    if (!std::isfinite(rate)) {
      level.states.commit();
      expect_possible(levels_, span.begin + span.length);
    }
    // Covered cells that stages read, but do not compute, stay as they are in between.
    if (level.frozen.cell_count() > 0 && stage_count(scheme) > 1)
      copy<Scalar, Dim>(out, level.frozen, level.states.current().view(), component_count);
    in = out;
  }
  level.states.commit();
  level.rate = rate;
  update_count_ += level.sets.leaves.cell_count();
  // Finer levels look at what lies outside, and so does the next step's length where a function says what is there.
  if (has_finer || level.outside.cell_count() > 0)
    fill_sides(flux_.law, level.plans.ghosts.sides, in, outside_.inflow, outside_.given, span.begin + span.length);
  if (!has_finer) return;

  for (int part = 0; part < parts; ++part)
    step(l + 1, parts * number + part, {span.begin + part * span.length / parts, span.length / parts}, span, scheme);
  correct(l, span.begin + span.length);
}

/// Makes a level agree with the next finer one.
template <class Flux>
void Simulation<Flux>::correct(int l, double time) {
  Level& level = levels_[l];
  Level const& finer = levels_[l + 1];
  FieldView<Scalar> const state = level.states.current().view();
  Vec<FieldView<Scalar const>, Dim> coarse_register, fine_register;
  for (int axis = 0; axis < Dim; ++axis) {
    coarse_register[axis] = level.coarse_register[axis];
    fine_register[axis] = finer.fine_register[axis];
  }
  Scalar const rate =
      reflux(flux_.law, level.plans.interfaces, coarse_register, fine_register, state, inverse_spacing(l));
  if (!std::isfinite(rate)) expect_possible(levels_, time);
  level.rate = std::max(level.rate, rate);
  for_each_in_short_runs(
      "sparse::amr::restrict", level.plans.restrict_needed,
      sparse::detail::RestrictMeans<Scalar, Dim, component_count>{finer.states.current().view(), state});
}

/// Gives the ghosts of `state` values. @param weight  of the current state of the coarser level against its old one
template <class Flux>
void Simulation<Flux>::fill(Levels& levels, int l, FieldView<Scalar> state, double weight, double time) const {
  Level const& level = levels[l];
  if (l > 0) {
    auto const& coarser = levels[l - 1].states;
    fill_from_coarser(flux_.law, level.plans.ghosts, coarser.old().view(), coarser.current().view(),
                      static_cast<Scalar>(weight), state);
  }
  fill_boundaries(flux_.law, level.plans.ghosts, state, outside_.inflow, outside_.given, time);
}

template <class Flux>
void Simulation<Flux>::synchronise() {
  synchronise_above(0, 1, time_);
}

/// Of level `base` and the finer ones, which are all at `time`.
/// @param weight  of the current state of the level before `base` against its old one
template <class Flux>
void Simulation<Flux>::synchronise_above(int base, double weight, double time) {
  for (int l = level_count() - 2; l >= base; --l)
    restrict_to<Scalar, Dim>(current(l).view(), levels_[l].plans.restrict_all, current(l + 1).view(), component_count);
  for (int l = base; l < level_count(); ++l) fill(levels_, l, current(l).view(), l == base ? weight : 1, time);
}

/// Also of what flows in, which can be faster than everything inside.
template <class Flux>
typename Simulation<Flux>::Scalar Simulation<Flux>::greatest_rate() const {
  Scalar greatest = 0;
  for (int l = 0; l < level_count(); ++l) {
    Scalar rate = levels_[l].rate;
    if (levels_[l].plans.ghosts.sides.have_inflow())
      rate = std::max(rate, std::bit_cast<Scalar>(wave_rate_bits(flux_.law, outside_.inflow, inverse_spacing(l))));
    rate = std::max(
        rate, wave_rate(flux_.law, levels_[l].outside, FieldView<Scalar const>(state(l).view()), inverse_spacing(l)));
    Scalar const of_level = rate / static_cast<Scalar>(steps_of(l));
    if (std::isnan(of_level) || of_level > greatest) greatest = of_level;  // a NaN stays: nothing is greater
  }
  return greatest;
}

template <class Flux>
typename Simulation<Flux>::Scalar Simulation<Flux>::rate_of(Levels const& levels, int l) const {
  return wave_rate(flux_.law, levels[l].plans.update, levels[l].states.current().view(), inverse_spacing(l));
}

/// @throws NonFiniteState  names a cell whose state has no finite wave speed
template <class Flux>
void Simulation<Flux>::expect_possible(Levels const& levels, double time) const {
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    Level const& level = levels[l];
    FirstImpossible<Law> const search{{flux_.law, level.states.current().view(), inverse_spacing(l)}};
    Index const first = reduce<Kokkos::Min, Index>("sparse::amr::find_impossible", level.plans.update, search);
    if (first >= level.sets.storage.cell_count()) continue;
    auto const cell = cell_of(level.sets.storage, first);
    std::string where = "level " + std::to_string(l) + ", cell (";
    for (int axis = 0; axis < Dim; ++axis) where += (axis > 0 ? ", " : "") + std::to_string(cell[axis]);
    throw NonFiniteState("no finite wave speed (negative density or pressure, or NaN) at time " + std::to_string(time) +
                         ", " + where + ")");
  }
}

}  // namespace sparse::amr
