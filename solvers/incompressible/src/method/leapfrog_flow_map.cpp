#include <sparse/incompressible/method/leapfrog_flow_map.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/measure/sums.hpp>

#include "finite.hpp"
#include "flow_map/maps.hpp"
#include "heat_steps.hpp"
#include "parts.hpp"
#include "step/buoyancy.hpp"
#include "step/diffusion.hpp"
#include "step/ink_transport.hpp"
#include "stopwatch.hpp"

namespace sparse::incompressible {
namespace {

/// Adds one more solve to the report of all.
void add_to(poisson::Report& all, poisson::Report const& one) {
  all.iterations += one.iterations;
  if (all.has_converged()) all.reason = one.reason;
  all.true_residual = std::fmax(all.true_residual, one.true_residual);
  all.incompatibility = std::fmax(all.incompatibility, one.incompatibility);
  all.residuals = one.residuals;
}

template <int Dim>
FlowMapOptions<Dim> const& valid(FlowMapOptions<Dim> const& options) {
  expects(options.cycle >= 1, "incompressible: a cycle needs at least one step");
  detail::expect_valid(options.viscosity, options.buoyancy);
  return options;
}

}  // namespace

template <class T, int Dim>
struct LeapfrogFlowMap<T, Dim>::Body {
  /// A carried field with buoyancy at the start and at the middles of the last steps, on the padded storage. Or the
  /// number of a transported one, -1 otherwise.
  struct Lifted {
    int transported = -1;
    Field<T, Dim> start, middles[2];
  };

  StaggeredGrid<Dim> grid;
  FlowMapOptions<Dim> options;
  Projection<T, Dim> projection;
  bool is_driven;
  FlowMaps<T, Dim> maps;
  Field<T, Dim> velocity, increment, pressure;
  Field<T, Dim> impulse;  // the potential that the last projection removed
  std::vector<Field<T, Dim>> carried, carried_before, lifted_now;
  std::optional<InkTransport<T, Dim>> ink;
  std::vector<Lifted> lifted;
  std::optional<detail::HeatSteps<T, Dim>> heat;  // if there is something to transport
  std::vector<Field<T, Dim>> warmth;              // [transported] at the start of a step
  StepSeconds seconds = {};
  Vec<double, Dim> speeds = {}, way = {};  // over ranks: the greatest speeds, and how far they lead in a cycle

  Body(StaggeredGrid<Dim> const& g, FlowMapOptions<Dim> const& o)
      : grid(g), options(valid(o)), projection(g, o.pressure), is_driven(!o.buoyancy.empty() || detail::is_driven(g)),
        maps(g, o.cycle, o.interpolation, o.limiter, has_forces()), velocity("velocity", g.storage(), Dim, 0),
        pressure("pressure", g.fluid(), 1, 0), impulse("impulse", g.fluid(), 1, 0) {}

  void expect_fits(State<T, Dim> const& state) const {
    detail::expect_fits(grid, state, options.buoyancy, options.transported);
  }
  bool has_forces() const { return options.viscosity > 0 || !options.buoyancy.empty(); }
  void expect_near(Vec<double, Dim> const& away) const;
  void carry_lifted(int step, double time);
  void transport_lifted(Field<T, Dim> const& by, double time);
  void transport_all(Field<T, Dim> const& by, double time);
  void keep_increment(int step, double time_step);
  void bound_energy(Field<T, Dim> const& before);
  void carry_ink(State<T, Dim> const& state, int step, double time_step);
};

template <class T, int Dim>
LeapfrogFlowMap<T, Dim>::LeapfrogFlowMap(StaggeredGrid<Dim> const& grid, FlowMapOptions<Dim> const& options)
    : body_(std::make_unique<Body>(grid, options)) {
  expects(!grid.has_curved_walls(), "incompressible: of all methods, Smac alone knows curved walls");
  auto& self = *body_;
  if (self.has_forces()) self.increment = Field<T, Dim>("increment", grid.storage(), Dim, 0);
  if (!options.transported.empty()) self.heat.emplace(grid, options.transported);
  for (std::size_t k = 0; k < options.transported.size(); ++k) self.warmth.emplace_back("warmth", grid.storage(), 1, 0);
  for (auto const& buoyancy : options.buoyancy) {
    auto const& storage = self.maps.padded().storage();
    auto& one = self.lifted.emplace_back();
    self.lifted_now.emplace_back("lifted", grid.storage(), 1, 0);
    for (std::size_t k = 0; k < options.transported.size(); ++k)
      if (options.transported[k].carried == buoyancy.carried) one.transported = static_cast<int>(k);
    if (one.transported >= 0) continue;
    one.start = Field<T, Dim>("start", storage, 1, 0);
    for (auto& middle : one.middles) middle = Field<T, Dim>("middle", storage, 1, 0);
  }
}

template <class T, int Dim>
LeapfrogFlowMap<T, Dim>::LeapfrogFlowMap(LeapfrogFlowMap&&) noexcept = default;
template <class T, int Dim>
LeapfrogFlowMap<T, Dim>& LeapfrogFlowMap<T, Dim>::operator=(LeapfrogFlowMap&&) noexcept = default;
template <class T, int Dim>
LeapfrogFlowMap<T, Dim>::~LeapfrogFlowMap() = default;

template <class T, int Dim>
StaggeredGrid<Dim> const& LeapfrogFlowMap<T, Dim>::grid() const {
  return body_->grid;
}
template <class T, int Dim>
FlowMapOptions<Dim> const& LeapfrogFlowMap<T, Dim>::options() const {
  return body_->options;
}
template <class T, int Dim>
StepSeconds const& LeapfrogFlowMap<T, Dim>::seconds() const {
  return body_->seconds;
}

template <class T, int Dim>
double LeapfrogFlowMap<T, Dim>::longest_step(State<T, Dim> const& state, double cells) const {
  auto const& self = *body_;
  expects(std::isfinite(cells) && cells > 0, "incompressible: a number of cells per step must be positive");
  self.expect_fits(state);
  // The speed that buoyancy adds over a whole cycle, per time of one step.
  auto const gained =
      static_cast<double>(self.options.cycle) * detail::greatest_buoyancy(self.grid, state, self.options.buoyancy);
  // The leapfrog takes two steps at once.
  return self.options.cycle *
         std::fmin(
             crossing_time(self.grid, detail::greatest_speeds_with_walls(self.grid, state.velocity), cells, gained),
             0.5 * diffusive_time_step(self.grid, self.options.viscosity));
}

/// Throws if fluid comes from so far away that ranks do not store it.
template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::expect_near(Vec<double, Dim> const& away) const {
  for (int axis = 0; axis < Dim; ++axis)
    if (double const cells = away[axis] / grid.spacing()[axis]; cells > maps.farthest() && std::isfinite(cells))
      fail("incompressible: ranks store too few cells beyond their own: fluid comes from up to " +
           std::to_string(cells) + " cells away along axis " + std::to_string(axis) + ", and may from " +
           std::to_string(maps.farthest()));
}

template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::carry_lifted(int step, double time) {
  for (std::size_t i = 0; i < lifted.size(); ++i) {
    auto& [transported, start, middles] = lifted[i];
    if (transported >= 0) continue;
    maps.advect_cells(step, time, step == 0 ? start : middles[step == 1 ? 0 : step % 2], lifted_now[i]);
    maps.padded().load_cells(lifted_now[i], middles[step % 2]);
  }
}

/// Makes the transported values with buoyancy at the middle of a step from those at its start.
template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::transport_lifted(Field<T, Dim> const& by, double time) {
  for (std::size_t i = 0; i < lifted.size(); ++i) {
    if (lifted[i].transported < 0) continue;
    auto const k = static_cast<std::size_t>(lifted[i].transported);
    (*heat)(k, warmth[k], by, time, lifted_now[i]);
  }
}
template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::transport_all(Field<T, Dim> const& by, double time) {
  for (std::size_t k = 0; k < warmth.size(); ++k) (*heat)(k, warmth[k], by, time, warmth[k]);
}

template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::keep_increment(int step, double time_step) {
  if (options.viscosity > 0) {
    grid.set_boundary(increment);
    diffuse(grid, velocity, options.viscosity * time_step, increment);
    add(increment, -1, velocity);
  } else {
    fill(increment, 0);
  }
  for (std::size_t i = 0; i < lifted.size(); ++i)
    add_buoyancy(grid, lifted_now[i], options.buoyancy[i].acceleration, time_step, increment);
  maps.set_increment(step, increment);
}

/// Scales a velocity down if it has more energy than before. Its boundary values are 0, so they may be scaled, too.
template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::bound_energy(Field<T, Dim> const& before) {
  double const had = kinetic_energy(grid, before), has = kinetic_energy(grid, velocity);
  if (has > had) scale(velocity, static_cast<T>(std::sqrt(had / has)));
}

/// Carries all ink through a step of the cycle, with the velocity at its middle.
template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::Body::carry_ink(State<T, Dim> const& state, int step, double time_step) {
  if (state.carried.size() == warmth.size()) return;
  if (!ink) ink.emplace(grid);
  while (carried_before.size() < carried.size()) carried_before.emplace_back("carried", grid.storage(), 1, 0);
  for (std::size_t i = 0; i < state.carried.size(); ++i) {
    if (detail::is_transported(options.transported, i)) continue;
    std::swap(carried[i], carried_before[i]);
    (*ink)(step == 0 ? state.carried[i] : carried_before[i], velocity, velocity, time_step, carried[i]);
  }
}

template <class T, int Dim>
poisson::Report LeapfrogFlowMap<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  auto& self = *body_;
  ProfilingRegion const region("sparse::incompressible::leapfrog_flow_map");
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  self.expect_fits(state);
  detail::Stopwatch watch(self.grid.context());
  double const step = time_step / self.options.cycle;
  self.grid.set_boundary(state.velocity);
  self.grid.set_boundary(self.velocity);
  assign(self.pressure, state.pressure);
  self.maps.set_start(state.velocity);
  bool const is_shared = self.grid.is_shared();
  if (is_shared) self.speeds = detail::greatest_speeds_with_walls(self.grid, state.velocity);
  self.way = {};
  while (self.carried.size() < state.carried.size()) self.carried.emplace_back("carried", self.grid.storage(), 1, 0);
  for (std::size_t i = 0; i < self.lifted.size(); ++i)
    if (self.lifted[i].transported < 0)
      self.maps.padded().load_cells(state.carried[self.options.buoyancy[i].carried], self.lifted[i].start);
  for (std::size_t k = 0; k < self.warmth.size(); ++k)
    assign(self.warmth[k], state.carried[self.options.transported[k].carried]);
  watch.add_to(self.seconds.other);

  poisson::Report report;
  report.reason = poisson::StopReason::converged;
  for (int i = 0; i < self.options.cycle; ++i) {
    double const time = i == 0 ? 0.5 * step : i == 1 ? step : 2 * step;
    self.expect_near(time * self.speeds);
    self.transport_lifted(i == 0 ? state.velocity : self.velocity, 0.5 * step);
    self.maps.advect(i, time, self.velocity);
    self.carry_lifted(i, time);
    watch.add_to(self.seconds.advection);
    for (std::size_t k = 0; k < self.lifted.size(); ++k)
      add_buoyancy(self.grid, self.lifted_now[k], self.options.buoyancy[k].acceleration, time, self.velocity);
    if (self.options.viscosity > 0) {
      self.grid.set_boundary(self.increment);
      diffuse(self.grid, self.velocity, self.options.viscosity * time, self.increment);
      std::swap(self.velocity, self.increment);
    }
    watch.add_to(self.seconds.other);
    add_to(report,
           detail::project(self.projection, self.velocity, self.pressure, time, self.grid, state, self.carried));
    watch.add_to(self.seconds.pressure);
    self.maps.set_velocity(i, self.velocity);
    if (is_shared) self.speeds = detail::greatest_speeds_with_walls(self.grid, self.velocity);
    self.way += step * self.speeds;
    if (self.has_forces()) self.keep_increment(i, step);
    self.transport_all(self.velocity, step);
    watch.add_to(self.seconds.other);
    if (self.options.ink == InkMethod::fluxes) self.carry_ink(state, i, step);
    watch.add_to(self.seconds.advection);
  }

  self.expect_near(self.way);
  self.maps.pull_back(step, self.options.error_compensation, self.velocity);
  watch.add_to(self.seconds.maps);
  try {
    add_to(report,
           detail::project(self.projection, self.velocity, self.impulse, time_step, self.grid, state, self.carried));
  } catch (std::runtime_error const&) {
    fill(self.impulse, 0);  // a guess for another try
    throw;
  }
  watch.add_to(self.seconds.pressure);
  if (!self.is_driven) self.bound_energy(state.velocity);
  watch.add_to(self.seconds.other);

  if (self.options.ink == InkMethod::traced && state.carried.size() > self.warmth.size()) {
    self.maps.map_cells(step, self.options.error_compensation);
    for (std::size_t i = 0; i < state.carried.size(); ++i)
      if (!detail::is_transported(self.options.transported, i))
        self.maps.pull_back_cells(state.carried[i], self.options.error_compensation, self.carried[i]);
  }
  for (std::size_t k = 0; k < self.warmth.size(); ++k)
    assign(self.carried[self.options.transported[k].carried], self.warmth[k]);
  watch.add_to(self.seconds.maps);

  detail::expect_finite(self.grid, state, self.velocity, self.carried);
  std::swap(state.velocity, self.velocity);
  assign(state.pressure, self.pressure);
  for (std::size_t i = 0; i < state.carried.size(); ++i) assign(state.carried[i], self.carried[i]);
  state.time += time_step;
  state.step_count += self.options.cycle;
  watch.add_to(self.seconds.other);
  return report;
}

template <class T, int Dim>
poisson::Report LeapfrogFlowMap<T, Dim>::project(State<T, Dim>& state) {
  auto& self = *body_;
  self.expect_fits(state);
  self.grid.exchange(state.velocity);
  for (auto& values : state.carried) self.grid.exchange(values);
  return detail::project_start(self.grid, self.projection, state);
}

template <class T, int Dim>
MethodMemory<T, Dim> LeapfrogFlowMap<T, Dim>::memory() const {
  MethodMemory<T, Dim> memory;
  memory.fields.emplace("impulse", clone(body_->impulse));
  return memory;
}

template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::restore(MethodMemory<T, Dim> const& memory) {
  assign(body_->impulse, detail::remembered(memory.fields, "impulse"));
}

template class LeapfrogFlowMap<float, 2>;
template class LeapfrogFlowMap<float, 3>;
template class LeapfrogFlowMap<double, 2>;
template class LeapfrogFlowMap<double, 3>;

}  // namespace sparse::incompressible
