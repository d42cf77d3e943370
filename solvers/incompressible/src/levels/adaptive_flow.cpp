#include <sparse/incompressible/levels/adaptive_flow.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "composite_projection.hpp"
#include "level_sums.hpp"
#include "method/shu_osher.hpp"
#include "step/crossing_rate.hpp"
#include "tags.hpp"
#include "whole_level.hpp"

namespace sparse::incompressible {
namespace {

/// A level shrinks when it has this share of cells more than are wanted.
constexpr double excess = 0.1;

template <class T, int Dim>
Field<T, Dim>& state_velocity(detail::Level<T, Dim>& level) {
  return level.state.velocity;
}
template <class T, int Dim>
Field<T, Dim>& other_velocity(detail::Level<T, Dim>& level) {
  return level.other;
}
template <class T, int Dim>
Field<T, Dim>& between_velocity(detail::Level<T, Dim>& level) {
  return level.between;
}
template <class T, int Dim>
Field<T, Dim>& state_pressure(detail::Level<T, Dim>& level) {
  return level.state.pressure;
}
/// Where a step makes the new pressure.
template <class T, int Dim>
Field<T, Dim>& guessed_pressure(detail::Level<T, Dim>& level) {
  return level.guess.guess();
}

template <int Dim>
void expect_valid(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options) {
  auto const is_finite = [](Vec<double, Dim> const& v) {
    for (int axis = 0; axis < Dim; ++axis)
      if (!std::isfinite(v[axis])) return false;
    return true;
  };
  expects(std::isfinite(options.viscosity) && options.viscosity >= 0,
          "incompressible: the viscosity must not be negative");
  expects(is_finite(options.acceleration), "incompressible: an acceleration is not finite");
  expects(options.regrid_stride > 0, "incompressible: there must be steps between changes of levels");
  expects(std::isfinite(options.safety) && options.safety > 0, "incompressible: the safety factor must be positive");
  expects(!domain.has(BoundaryKind::given),
          "incompressible: a side of a flow on levels must be a wall, an inflow, an outflow or periodic, not given");
  expects(domain.body_count() == 0 || domain.body_level() == domain.level_count() - 1,
          "incompressible: bodies in a flow on levels must be of the finest level");
  options.stop.expect_valid("incompressible");
  detail::expect_valid<Dim>(options.criteria);
}

}  // namespace

template <class T, int Dim>
struct AdaptiveFlow<T, Dim>::Body {
  using Level = detail::Level<T, Dim>;
  amr::Domain<Dim> domain;
  AdaptiveOptions<Dim> options;
  detail::SideVelocities<Dim> sides;
  poisson::StopRule stop;
  detail::Levels<T, Dim> levels;
  detail::CompositeProjection<T, Dim> projection;
  double time = 0;
  Index step_count = 0, update_count = 0;

  Body(amr::Domain<Dim> const& d, AdaptiveOptions<Dim> const& o)
      : domain(d), options(o), sides{o.inflow, o.inflow_profile, o.walls}, stop(o.stop) {
    expect_valid(domain, options);
    // A grid of all of the fluid refuses what flows in and cannot leave; those of levels have open edges.
    detail::level_grid(domain, sides, domain.fluid(0), 0);
    // As in `Smac`: with none, what the last solution left would be carried along.
    stop.least_iterations = std::max(stop.least_iterations, 1);
  }

  std::vector<IntervalSet<Dim>> cells() const {
    std::vector<IntervalSet<Dim>> result;
    for (auto const& level : levels) result.push_back(level->sets.cells);
    return result;
  }

  /// The cells that the criteria want. Levels that fit keep their identity.
  std::vector<IntervalSet<Dim>> wanted_cells() const {
    std::vector<amr::LevelSets<Dim>> sets(levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l) {
      sets[l].cells = levels[l]->sets.cells;
      sets[l].covered = levels[l]->sets.covered;
      sets[l].leaves = levels[l]->sets.leaves;
    }
    amr::RegridMargins margins{{}, {}, excess};
    int const finest = domain.level_count() - 1;
    for (int l = 0; l < std::max(finest, 1); ++l) {
      // What fluid crosses until the next change, at no more than 0.7 cells of the finest level per step.
      double const crossed = std::ceil(0.7 * options.regrid_stride * std::exp2(l - finest));
      Coord const least = std::max(Coord{2}, static_cast<Coord>(std::min(crossed, 1e6)));
      margins.least.push_back(least);
      margins.given.push_back(least + (least + 1) / 2);
    }
    return amr::adapted_cells(domain, detail::tagged_cells(domain, options.criteria, levels, time), margins, sets);
  }

  bool has_cells(std::vector<IntervalSet<Dim>> const& wanted) const {
    bool are_same = wanted.size() == levels.size();
    for (std::size_t l = 0; are_same && l < wanted.size(); ++l)
      are_same = wanted[l].identity() == levels[l]->sets.cells.identity();
    return are_same;
  }

  /// Makes the levels with these cells. Those that keep their cells and children stay as they are.
  void make_levels(std::vector<IntervalSet<Dim>> const& wanted) {
    auto const is_same = [&](std::size_t l) {
      return l < wanted.size() && l < levels.size() && wanted[l].identity() == levels[l]->sets.cells.identity();
    };
    detail::Levels<T, Dim> made;
    std::vector<bool> stays;
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      bool const is_last = l + 1 == wanted.size();
      stays.push_back(is_same(l) && (is_last ? l + 1 == levels.size() : is_same(l + 1)));
      if (stays.back())
        made.push_back(std::move(levels[l]));
      else
        made.push_back(std::make_unique<Level>(domain, sides, detail::level_cells(domain, wanted, static_cast<int>(l)),
                                               static_cast<int>(l), stop.tolerance));
    }
    for (std::size_t l = 0; l + 1 < made.size(); ++l)
      if (!stays[l] || !stays[l + 1]) detail::link(domain, sides, *made[l], *made[l + 1], static_cast<int>(l));
    levels = std::move(made);
    for (auto& level : levels) level->guess.restart();
    projection = detail::CompositeProjection<T, Dim>(domain, levels, stop);
  }

  void fill(detail::VelocityOf<T, Dim> velocity) {
    detail::fill_from_finer(levels, velocity);
    detail::fill_from_coarser(levels, velocity);
  }

  bool adapt() {
    if (domain.level_count() == 1) return false;
    auto const wanted = wanted_cells();
    if (has_cells(wanted)) return false;
    auto const of_guess = levels[0]->guess.numbers();
    auto const whole = detail::carried_to(domain, sides, wanted, detail::whole_levels(domain, levels));
    make_levels(wanted);
    for (std::size_t l = 0; l < levels.size(); ++l) detail::take_values(*levels[l], whole[l]);
    go_on(of_guess);
    return true;
  }

  /// When leaves have their values.
  void go_on(std::map<std::string, double> const& of_guess) {
    for (auto& level : levels) level->guess.set_numbers(of_guess);
    fill(state_velocity);
    projection.set_gradient(levels, state_pressure);
    set_clocks();
  }

  amr::SavedState<T, Dim> save() const {
    amr::SavedState<T, Dim> saved;
    saved.time = time;
    saved.step_count = step_count;
    saved.update_count = update_count;
    saved.cells = cells();
    for (auto const& level : levels) saved.states.push_back(detail::saved_level(*level));
    saved.numbers = levels[0]->guess.numbers();
    return saved;
  }

  void restore(amr::SavedState<T, Dim> const& saved) {
    auto wanted = saved.cells;
    expects(!wanted.empty() && wanted.size() <= static_cast<std::size_t>(domain.level_count()) &&
                wanted.size() == saved.states.size() && wanted[0] == domain.fluid(0),
            "incompressible: the saved levels are not of this domain");
    wanted[0] = domain.fluid(0);
    for (std::size_t l = 1; l < wanted.size(); ++l)
      expects((wanted[l] - domain.fluid(static_cast<int>(l))).is_empty() &&
                  (coarsen(wanted[l]) - wanted[l - 1]).is_empty(),
              "incompressible: the saved levels are not of this domain");
    make_levels(wanted);
    for (std::size_t l = 0; l < levels.size(); ++l) {
      auto const& state = saved.states[l];
      expects(state.domain() == wanted[l] &&
                  state.component_count() == 2 * Dim + static_cast<int>(levels[l]->values().size()),
              "incompressible: the saved values are not those of a flow with these options");
      detail::restore_level(*levels[l], state);
    }
    time = saved.time;
    step_count = saved.step_count;
    update_count = saved.update_count;
    go_on(saved.numbers);
  }

  /// Makes levels until they are those that the criteria want, without carrying anything over.
  template <class Set>
  void settle(Set const& set) {
    set();
    for (int changes = 0; changes < domain.level_count(); ++changes) {
      auto const wanted = wanted_cells();
      if (has_cells(wanted)) return;
      make_levels(wanted);
      set();
    }
  }

  void set_clocks() {
    for (auto& level : levels) {
      level->state.time = time;
      level->state.step_count = step_count;
    }
  }

  /// The step whose half is stable.
  double longest_stage() const {
    double rate = 0, gain = 0, time_step = std::numeric_limits<double>::infinity();
    for (auto const& level : levels) {
      if (level->sets.leaves.is_empty()) continue;
      auto const& spacing = level->grid.spacing();
      rate = std::max(rate, detail::greatest_crossing_rate(level->grid, level->state.velocity));
      for (auto const& part : level->grid.domain().parts) {
        if (part.kind == BoundaryKind::wall || part.kind == BoundaryKind::outflow) continue;
        double sum = 0;
        for (int axis = 0; axis < Dim; ++axis) sum += std::abs(part.velocity[axis]) / spacing[axis];
        rate = std::max(rate, sum);
      }
      double sum = 0;
      for (int axis = 0; axis < Dim; ++axis) sum += std::abs(options.acceleration[axis]) / spacing[axis];
      gain = std::max(gain, sum);
      time_step =
          std::fmin(time_step, detail::ShuOsher::diffusion * diffusive_time_step(level->grid, options.viscosity));
    }
    constexpr double cells = detail::ShuOsher::cells;
    return std::fmin(2 * cells / (rate + std::sqrt(rate * rate + 4 * gain * cells)), time_step);
  }

  /// Makes the velocity before the projection, without the pressure's part, in `Level::other`.
  void take_stages(double time_step) {
    constexpr auto& of_start = detail::ShuOsher::of_start;
    VelocityTerms<Dim> const terms{options.viscosity, 0, options.acceleration};
    detail::VelocityOf<T, Dim> from = state_velocity;
    for (int stage = 0; stage < detail::ShuOsher::stage_count; ++stage) {
      bool const is_last = stage + 1 == detail::ShuOsher::stage_count;
      double const part = 1 - of_start[stage], pressure_time = is_last ? (part - 1) * time_step : part * time_step;
      detail::VelocityOf<T, Dim> const to = stage == 1 ? between_velocity<T, Dim> : other_velocity<T, Dim>;
      for (auto& level : levels) {
        if (level->sets.leaves.is_empty()) continue;
        auto& state = level->state;
        level->convection(from(*level), time_step, terms,
                          Stage<T, Dim>{state.velocity, of_start[stage], state.pressure, pressure_time}, to(*level));
        if (levels.size() > 1)
          level->interface.correct(to(*level), state.pressure, pressure_time, level->grid.spacing());
      }
      detail::fill_from_finer(levels, to);
      if (!is_last) detail::fill_from_coarser(levels, to);
      from = to;
    }
  }

  poisson::Report step(double time_step) {
    expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
    take_stages(time_step);
    Index const steps_before = levels[0]->guess.step_count();
    for (auto& level : levels) {
      level->guess.extrapolate(level->state.pressure, time_step);
      level->guess.restart();  // if this step fails, the next is the first one
    }
    auto report = projection.project(levels, other_velocity, guessed_pressure, time_step);
    time += time_step;
    ++step_count;
    for (auto& level : levels) {
      std::swap(level->state.velocity, level->other);
      level->guess.accept(level->state.pressure, time_step, steps_before + 1);
      update_count += level->sets.leaves.cell_count();
    }
    set_clocks();
    return report;
  }

  Level const& at(int level) const {
    if (level < 0 || level >= static_cast<int>(levels.size()))
      fail("incompressible: there is no level " + std::to_string(level));
    return *levels[static_cast<std::size_t>(level)];
  }
};

template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options)
    : body_(std::make_unique<Body>(domain, options)) {
  auto& self = *body_;
  self.make_levels({domain.fluid(0)});
  self.settle([] {});
  self.fill(state_velocity);
  self.projection.set_gradient(self.levels, state_pressure);
}
template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options,
                                   amr::SavedState<T, Dim> const& saved)
    : body_(std::make_unique<Body>(domain, options)) {
  body_->restore(saved);
}
template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(AdaptiveFlow&&) noexcept = default;
template <class T, int Dim>
AdaptiveFlow<T, Dim>& AdaptiveFlow<T, Dim>::operator=(AdaptiveFlow&&) noexcept = default;
template <class T, int Dim>
AdaptiveFlow<T, Dim>::~AdaptiveFlow() = default;

template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::start(VectorFunction<Dim> const& velocity) {
  auto& self = *body_;
  self.time = 0;
  self.step_count = self.update_count = 0;
  self.settle([&] {
    for (auto& level : self.levels) {
      set_velocity(level->grid, level->state, velocity);
      sparse::fill(level->state.pressure, 0);
    }
    self.fill(state_velocity);
  });
  auto report = self.projection.project(self.levels, state_velocity, state_pressure, 1);
  for (auto& level : self.levels) {
    sparse::fill(level->state.pressure, 0);
    level->guess.restart();
  }
  self.projection.set_gradient(self.levels, state_pressure);
  self.set_clocks();
  return report;
}

template <class T, int Dim>
double AdaptiveFlow<T, Dim>::longest_step() const {
  return body_->options.safety * body_->longest_stage();
}

template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::advance(double time_step) {
  if (is_change_due()) body_->adapt();
  return body_->step(time_step);
}
template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::advance() {
  if (is_change_due()) body_->adapt();
  return body_->step(longest_step());
}
template <class T, int Dim>
bool AdaptiveFlow<T, Dim>::is_change_due() const {
  return body_->step_count > 0 && body_->step_count % body_->options.regrid_stride == 0;
}
template <class T, int Dim>
bool AdaptiveFlow<T, Dim>::adapt() {
  return body_->adapt();
}

template <class T, int Dim>
amr::SavedState<T, Dim> AdaptiveFlow<T, Dim>::save() const {
  return body_->save();
}

template <class T, int Dim>
double AdaptiveFlow<T, Dim>::time() const {
  return body_->time;
}
template <class T, int Dim>
Index AdaptiveFlow<T, Dim>::step_count() const {
  return body_->step_count;
}
template <class T, int Dim>
amr::Domain<Dim> const& AdaptiveFlow<T, Dim>::domain() const {
  return body_->domain;
}
template <class T, int Dim>
AdaptiveOptions<Dim> const& AdaptiveFlow<T, Dim>::options() const {
  return body_->options;
}
template <class T, int Dim>
int AdaptiveFlow<T, Dim>::level_count() const {
  return static_cast<int>(body_->levels.size());
}
template <class T, int Dim>
Index AdaptiveFlow<T, Dim>::leaf_count() const {
  Index count = 0;
  for (auto const& level : body_->levels) count += level->sets.leaves.cell_count();
  return count;
}
template <class T, int Dim>
Index AdaptiveFlow<T, Dim>::update_count() const {
  return body_->update_count;
}
template <class T, int Dim>
IntervalSet<Dim> const& AdaptiveFlow<T, Dim>::cells(int level) const {
  return body_->at(level).sets.cells;
}
template <class T, int Dim>
IntervalSet<Dim> const& AdaptiveFlow<T, Dim>::leaves(int level) const {
  return body_->at(level).sets.leaves;
}
template <class T, int Dim>
StaggeredGrid<Dim> const& AdaptiveFlow<T, Dim>::grid(int level) const {
  return body_->at(level).grid;
}
template <class T, int Dim>
State<T, Dim> const& AdaptiveFlow<T, Dim>::state(int level) const {
  return body_->at(level).state;
}

template <class T, int Dim>
double AdaptiveFlow<T, Dim>::greatest_divergence() const {
  double greatest = 0;
  for (auto const& level : body_->levels)
    greatest = std::max(greatest, level->greatest_width() * detail::greatest_divergence(*level));
  return greatest;
}
template <class T, int Dim>
Vec<double, Dim> AdaptiveFlow<T, Dim>::momentum() const {
  Vec<double, Dim> sum{};
  for (auto const& level : body_->levels) sum += detail::momentum(*level);
  return sum;
}
template <class T, int Dim>
double AdaptiveFlow<T, Dim>::kinetic_energy() const {
  double sum = 0;
  for (auto const& level : body_->levels) sum += detail::kinetic_energy(*level);
  return sum;
}
template <class T, int Dim>
Force<Dim> AdaptiveFlow<T, Dim>::force(int body) const {
  auto const& self = *body_;
  if (body < 0 || body >= self.domain.body_count()) fail("incompressible: there is no body " + std::to_string(body));
  auto const& level = *self.levels.back();
  return BodyForces<Dim>(level.grid, self.domain.body(self.domain.body_level(), body))(
      level.state.velocity, level.state.pressure, self.options.viscosity);
}

template class AdaptiveFlow<float, 2>;
template class AdaptiveFlow<float, 3>;
template class AdaptiveFlow<double, 2>;
template class AdaptiveFlow<double, 3>;

}  // namespace sparse::incompressible
