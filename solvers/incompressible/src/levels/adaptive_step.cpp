#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/step/time_step.hpp>

#include "adaptive_body.hpp"
#include "grid/body.hpp"
#include "method/parts.hpp"
#include "method/shu_osher.hpp"
#include "method/start_stage.hpp"
#include "step/buoyancy.hpp"
#include "step/crossing_rate.hpp"

namespace sparse::incompressible::detail {
namespace {

/// The velocity with which a step will begin: with jets in `Level::between`.
template <class T, int Dim>
Field<T, Dim> const& driven_velocity(Level<T, Dim>& level, std::vector<LevelJet<Dim>> const& jets, double time) {
  if (!level.jets.are_on(jets, time)) return level.state.velocity;
  assign(level.between, level.state.velocity);
  level.jets.drive(jets, time, level.between);
  return level.between;
}

}  // namespace

template <class T, int Dim>
double AdaptiveBody<T, Dim>::longest_stage() const {
  double rate = 0, gain = 0, time_step = std::numeric_limits<double>::infinity();
  for (auto const& level : levels) {
    if (level->sets.all_leaves.is_empty()) continue;
    auto const& spacing = level->grid.spacing();
    rate = std::max(rate, greatest_crossing_rate(level->grid, driven_velocity(*level, options.jets, time)));
    for (auto const& part : level->grid.domain().parts) {
      if (part.kind == BoundaryKind::wall || part.kind == BoundaryKind::outflow) continue;
      double sum = 0;
      for (int axis = 0; axis < Dim; ++axis) sum += std::abs(part.velocity[axis]) / spacing[axis];
      rate = std::max(rate, sum);
    }
    auto const acceleration = greatest_buoyancy(level->grid, level->state, options.buoyancy);
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis)
      sum += (acceleration[axis] + std::abs(options.acceleration[axis])) / spacing[axis];
    gain = std::max(gain, sum);
    time_step = std::fmin(time_step, ShuOsher::diffusion * diffusive_time_step(level->grid, options.viscosity));
  }
  auto const& body = levels[0]->grid.body();  // other ranks have other parts of the boundary
  rate = body.greatest(rate);
  gain = body.greatest(gain);
  time_step = -body.greatest(-time_step);
  constexpr double cells = ShuOsher::cells;
  return std::fmin(2 * cells / (rate + std::sqrt(rate * rate + 4 * gain * cells)), time_step);
}

template <class T, int Dim>
poisson::Report AdaptiveBody<T, Dim>::find_pressure() {
  double const time_step = start_time_step(longest_stage());
  for (auto& level : levels) {
    sparse::fill(level->state.pressure, 0);
    if (!level->sets.leaves.is_empty())
      take_start_stage(level->grid, level->convection, level->state,
                       {options.viscosity, options.upstream, options.acceleration, options.buoyancy}, time_step,
                       level->other);
  }
  fill_from_owners(levels, other_velocity);
  fill_from_finer(levels, other_velocity);
  return projection.project(levels, other_velocity, state_pressure, time_step);
}

template <class T, int Dim>
bool AdaptiveBody<T, Dim>::drive_jets() {
  bool has_driven = false;
  for (auto& level : levels)
    if (level->jets.are_on(options.jets, time)) {
      level->jets.drive(options.jets, time, level->state.velocity);
      has_driven = true;
    }
  if (has_driven) fill(state_velocity);
  return has_driven;
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::take_stages(double time_step) {
  constexpr auto& of_start = ShuOsher::of_start;
  VelocityTerms<Dim> const terms{options.viscosity, 0, options.acceleration};
  VelocityOf<T, Dim> from = state_velocity;
  for (int stage = 0; stage < ShuOsher::stage_count; ++stage) {
    bool const is_last = stage + 1 == ShuOsher::stage_count;
    CutStep const at_cuts = ShuOsher::at_cuts(stage, options.upstream);
    double const part = 1 - of_start[stage], pressure_time = is_last ? (part - 1) * time_step : part * time_step;
    VelocityOf<T, Dim> const to = stage == 1 ? between_velocity<T, Dim> : other_velocity<T, Dim>;
    for (auto& level : levels) {
      if (level->sets.leaves.is_empty()) continue;
      auto& state = level->state;
      Stage<T, Dim> const how{state.velocity, of_start[stage], state.pressure, pressure_time, options.upstream};
      level->convection(from(*level), time_step, terms, how, to(*level));
      convect_at_cuts(level->grid, from(*level), time_step, terms, at_cuts, how, to(*level));
      if (levels.size() > 1) level->interface.correct(to(*level), pressure_time);
      for (auto const& [ink, acceleration] : options.buoyancy) {
        add_buoyancy(level->grid, state.carried[ink], acceleration, part * time_step, to(*level));
        damp_buoyancy_at_cuts(level->grid, state.carried[ink], acceleration, from(*level), time_step, part, terms,
                              at_cuts, to(*level));
      }
    }
    fill_from_owners(levels, to);
    fill_from_finer(levels, to);
    if (!is_last) fill_from_coarser(levels, to);
    from = to;
  }
}

template <class T, int Dim>
poisson::Report AdaptiveBody<T, Dim>::step(double time_step) {
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  has_last_velocity = false;
  give_inks(levels, time);
  bool const has_driven = drive_jets();
  take_stages(time_step);
  Index const steps_before = levels[0]->guess.step_count();
  for (auto& level : levels) {
    level->guess.extrapolate(level->state.pressure, time_step);
    level->guess.restart();  // if this step fails, the next is the first one
  }
  auto report = projection.project(levels, other_velocity, guessed_pressure, time_step);
  // As in `Smac`: with buoyancy, a mean of both velocities would amplify waves. Driven fluid has divergence.
  carry_inks(levels, options, time, time_step, steps_before > 0 && !has_driven && options.buoyancy.empty());
  for (auto& level : levels)
    if (level->inks && !level->sets.all_leaves.is_empty())
      expect_finite(level->grid, level->state, level->other, level->inks->after);
  time += time_step;
  ++step_count;
  for (auto& level : levels) {
    std::swap(level->state.velocity, level->other);
    for (std::size_t k = 0; k < level->state.carried.size(); ++k)
      std::swap(level->state.carried[k], level->inks->after[k]);
    level->guess.accept(level->state.pressure, time_step, steps_before + 1);
    update_count += level->sets.all_leaves.cell_count();
  }
  has_last_velocity = true;
  set_clocks();
  return report;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template poisson::Report AdaptiveBody<T, Dim>::find_pressure();                                                      \
  template double AdaptiveBody<T, Dim>::longest_stage() const;                                                         \
  template poisson::Report AdaptiveBody<T, Dim>::step(double);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
