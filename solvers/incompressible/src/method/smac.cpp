#include <sparse/incompressible/method/smac.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "finite.hpp"
#include "grid/body.hpp"
#include "parts.hpp"
#include "pressure_guess.hpp"
#include "runge_kutta.hpp"
#include "shu_osher.hpp"
#include "start_stage.hpp"
#include "step/advect.hpp"
#include "step/buoyancy.hpp"
#include "step/crossing_rate.hpp"
#include "step/cut_convection.hpp"
#include "step/greatest_size.hpp"
#include "step/ink_transport.hpp"
#include "stopwatch.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
poisson::SolverOptions pressure_options(SmacOptions<Dim> const& options) {
  auto result = options.pressure;
  // With none, what the last solution left would be carried along, and no flow would ever be steady.
  if (options.integrator == Integrator::runge_kutta)
    result.stop.least_iterations = std::max(result.stop.least_iterations, 1);
  return result;
}

template <int Dim>
void expect_valid(SmacOptions<Dim> const& options) {
  detail::expect_valid(options.viscosity, options.buoyancy);
  double const share = options.donor_cell.value_or(0);
  expects(!options.donor_cell || options.integrator == Integrator::paper,
          "incompressible: the donor-cell share belongs to the paper's step");
  expects(share >= 0 && share <= 1, "incompressible: the donor-cell share must be from 0 to 1");
  expects(options.upstream == 1 || options.integrator == Integrator::runge_kutta,
          "incompressible: the share from upstream belongs to stages of Runge and Kutta");
  detail::expect_share(options.upstream);
  for (int axis = 0; axis < Dim; ++axis)
    expects(std::isfinite(options.acceleration[axis]), "incompressible: an acceleration is not finite");
  detail::expect_valid(options.transported);
}

}  // namespace

template <class T, int Dim>
struct Smac<T, Dim>::Body {
  StaggeredGrid<Dim> grid;
  SmacOptions<Dim> options;
  Projection<T, Dim> projection;
  Convection<Dim> convection;
  CellTransport<Dim> transport;
  double wall_rate = 0;                             // the greatest sum of speed / spacing
  std::optional<InkTransport<T, Dim>> ink;          // if there is ink
  std::optional<AdvectionScratch<T, Dim>> scratch;  // if there is ink that is traced
  Field<T, Dim> other_velocity;                     // the last one after a step
  std::vector<Field<T, Dim>> carried;               // after a step; the state changes when that has succeeded
  std::optional<detail::RungeKutta<T, Dim>> runge_kutta;
  std::vector<CellGains<Dim>> gains;  // [transported]
  detail::PressureGuess<T, Dim> guess;
  bool has_last_velocity = false;
  StepSeconds seconds = {};

  Body(StaggeredGrid<Dim> const& g, SmacOptions<Dim> const& o)
      : grid(g), options(o), projection(g, pressure_options(o)), convection(g), transport(g),
        other_velocity("velocity", g.storage(), Dim, 0),
        guess(g, o.integrator == Integrator::runge_kutta, o.pressure.stop.tolerance) {
    if (o.integrator == Integrator::runge_kutta) runge_kutta.emplace(g, o);
    for (auto const& one : o.transported) gains.emplace_back(g, one);
  }

  void expect_fits(State<T, Dim> const& state) const {
    detail::expect_fits(grid, state, options.buoyancy, options.transported);
  }

  /// Ink that is traced must come from the rank's window.
  void expect_near(State<T, Dim> const& state, double time_step) const {
    if (!grid.is_shared() || options.ink != InkMethod::traced) return;
    auto const speeds = greatest_speeds(grid, state.velocity);
    for (int axis = 0; axis < Dim; ++axis)
      expects(speeds[axis] * time_step <= 0.5 * grid.domain().reach * grid.spacing()[axis],
              "incompressible: on ranks, ink that is traced cannot come from so far away");
  }

  bool is_ink(std::size_t i) const { return !detail::is_transported(options.transported, i); }

  /// Carries ink from the state to `carried`, when the velocity of the step is known.
  /// @param has_start  whether the velocity at the start is that of a step, without divergence
  void carry_ink(State<T, Dim> const& state, double time_step, bool has_start) {
    // With buoyancy, a mean of both velocities would amplify waves: the force is that of the step's start.
    bool const is_lifting = std::any_of(options.buoyancy.begin(), options.buoyancy.end(),
                                        [&](auto const& one) { return is_ink(one.carried); });
    auto const& first = has_start && !is_lifting ? state.velocity : other_velocity;
    for (std::size_t i = 0; i < state.carried.size(); ++i) {
      if (!is_ink(i)) continue;
      if (options.ink == InkMethod::traced) {
        if (!scratch) scratch.emplace(grid);
        advect(grid, other_velocity, state.carried[i], carried[i], time_step, Advection::linear, *scratch);
        grid.exchange(carried[i]);
        continue;
      }
      if (!ink) ink.emplace(grid);
      (*ink)(state.carried[i], first, other_velocity, time_step, carried[i]);
    }
  }

  /// Makes the velocity before the projection, and transports values. Source: Scheidegger, Comba, da Cunha (2005).
  void take_paper_step(State<T, Dim>& state, double time_step) {
    VelocityTerms<Dim> terms{options.viscosity, 0, options.acceleration};
    if (options.donor_cell) {
      terms.donor_cell = *options.donor_cell;
    } else {
      auto const speeds = greatest_speeds(grid, state.velocity);
      for (int axis = 0; axis < Dim; ++axis)
        terms.donor_cell = std::max(terms.donor_cell, speeds[axis] * time_step / grid.spacing()[axis]);
      terms.donor_cell = std::min(terms.donor_cell, 1.0);
    }

    for (std::size_t i = 0; i < gains.size(); ++i) {
      auto const& one = options.transported[i];
      auto& to = carried[one.carried];
      transport(state.carried[one.carried], state.velocity, time_step, one.diffusivity, terms.donor_cell, to);
      gains[i].add(time_step, to);
    }
    convection(state.velocity, time_step, terms, other_velocity);
    detail::CutStep const at_cuts{{terms.donor_cell, 0}};
    detail::convect_at_cuts(grid, state.velocity, time_step, terms, at_cuts, {state.velocity, 0, state.pressure, 0},
                            other_velocity);
    for (auto const& [i, acceleration] : options.buoyancy) {
      auto const& values = is_ink(i) ? state.carried[i] : carried[i];
      add_buoyancy(grid, values, acceleration, time_step, other_velocity);
      detail::damp_buoyancy_at_cuts(grid, values, acceleration, state.velocity, time_step, 1, terms, at_cuts,
                                    other_velocity);
    }
  }

  /// The step whose half is stable.
  double longest_stage(State<T, Dim> const& state, Vec<double, Dim> const& acceleration) const {
    constexpr double cells = detail::ShuOsher::cells, diffusion = detail::ShuOsher::diffusion;
    double const rate = std::max(detail::greatest_crossing_rate(grid, state.velocity), wall_rate);
    double gain = 0;
    for (int axis = 0; axis < Dim; ++axis) gain += acceleration[axis] / grid.spacing()[axis];
    // (rate + gain time) time = cells
    double time = 2 * cells / (rate + std::sqrt(rate * rate + 4 * gain * cells));
    time = std::fmin(time, diffusion * diffusive_time_step(grid, options.viscosity));
    for (auto const& one : options.transported)
      time = std::fmin(time, diffusion * diffusive_time_step(grid, one.diffusivity));
    return time;
  }
};

template <class T, int Dim>
Smac<T, Dim>::Smac(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options)
    : body_(std::make_unique<Body>(grid, options)) {
  expect_valid(options);
  grid.set_boundary(body_->other_velocity);  // as in all that it is swapped with
  for (auto const& part : grid.domain().parts) {
    if (part.kind == BoundaryKind::wall || part.kind == BoundaryKind::outflow) continue;
    double rate = 0;
    for (int axis = 0; axis < Dim; ++axis) rate += std::abs(part.velocity[axis]) / grid.spacing()[axis];
    body_->wall_rate = std::max(body_->wall_rate, rate);
  }
}

template <class T, int Dim>
Smac<T, Dim>::Smac(Smac&&) noexcept = default;
template <class T, int Dim>
Smac<T, Dim>& Smac<T, Dim>::operator=(Smac&&) noexcept = default;
template <class T, int Dim>
Smac<T, Dim>::~Smac() = default;

template <class T, int Dim>
StaggeredGrid<Dim> const& Smac<T, Dim>::grid() const {
  return body_->grid;
}
template <class T, int Dim>
SmacOptions<Dim> const& Smac<T, Dim>::options() const {
  return body_->options;
}
template <class T, int Dim>
StepSeconds const& Smac<T, Dim>::seconds() const {
  return body_->seconds;
}

template <class T, int Dim>
double Smac<T, Dim>::longest_step(State<T, Dim> const& state, double safety) const {
  auto const& self = *body_;
  expects(std::isfinite(safety) && safety > 0, "incompressible: the safety factor must be positive");
  self.expect_fits(state);
  auto acceleration = detail::greatest_buoyancy(self.grid, state, self.options.buoyancy);
  for (int axis = 0; axis < Dim; ++axis) acceleration[axis] += std::abs(self.options.acceleration[axis]);
  if (self.runge_kutta) return safety * self.longest_stage(state, acceleration);
  double time = std::fmin(
      diffusive_time_step(self.grid, self.options.viscosity),
      crossing_time(self.grid, detail::greatest_speeds_with_walls(self.grid, state.velocity), 1, acceleration));
  for (auto const& transport : self.options.transported)
    time = std::fmin(time, diffusive_time_step(self.grid, transport.diffusivity));
  return safety * time;
}

template <class T, int Dim>
poisson::Report Smac<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  auto& self = *body_;
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  self.expect_fits(state);
  self.expect_near(state, time_step);
  detail::Stopwatch watch(self.grid.context());
  self.grid.set_boundary(state.velocity);
  while (self.carried.size() < state.carried.size()) self.carried.emplace_back("carried", self.grid.storage(), 1, 0);
  if (self.runge_kutta)
    (*self.runge_kutta)(self.convection, self.transport, self.gains, state, time_step,
                        self.guess.step_count() > 0 ? time_step / self.guess.last_time_step() : 0, self.carried,
                        self.other_velocity);
  else
    self.take_paper_step(state, time_step);
  watch.add_to(self.seconds.advection);

  auto& pressure = self.guess.extrapolate(state.pressure, time_step);
  Index const steps_before = self.guess.step_count();
  self.guess.restart();  // if this step fails, the next is the first one
  self.has_last_velocity = false;
  auto report =
      detail::project(self.projection, self.other_velocity, pressure, time_step, self.grid, state, self.carried);
  watch.add_to(self.seconds.pressure);

  for (auto const& one : self.options.transported) self.grid.exchange(self.carried[one.carried]);
  self.carry_ink(state, time_step, steps_before > 0);
  detail::expect_finite(self.grid, state, self.other_velocity, self.carried);
  std::swap(state.velocity, self.other_velocity);
  self.guess.accept(state.pressure, time_step, steps_before + 1);
  for (std::size_t i = 0; i < state.carried.size(); ++i) assign(state.carried[i], self.carried[i]);
  self.has_last_velocity = true;
  state.time += time_step;
  ++state.step_count;
  watch.add_to(self.seconds.advection);
  return report;
}

template <class T, int Dim>
poisson::Report Smac<T, Dim>::project(State<T, Dim>& state) {
  auto& self = *body_;
  self.expect_fits(state);
  self.guess.restart();
  self.has_last_velocity = false;
  self.grid.exchange(state.velocity);
  for (auto& values : state.carried) self.grid.exchange(values);
  auto report = detail::project_start(self.grid, self.projection, state);
  if (!self.runge_kutta) return report;
  double const time_step = detail::start_time_step(longest_step(state, 1));
  auto const& options = self.options;
  detail::take_start_stage(self.grid, self.convection, state,
                           {options.viscosity, options.upstream, options.acceleration, options.buoyancy}, time_step,
                           self.other_velocity);
  auto const balance =
      detail::project(self.projection, self.other_velocity, state.pressure, time_step, self.grid, state, self.carried);
  return report.has_converged() ? balance : report;
}

template <class T, int Dim>
MethodMemory<T, Dim> Smac<T, Dim>::memory() const {
  MethodMemory<T, Dim> memory;
  body_->guess.keep(memory);
  // Transported values go along with it.
  if (body_->runge_kutta && !body_->options.transported.empty())
    memory.fields.emplace("last_velocity", clone(body_->other_velocity));
  return memory;
}

template <class T, int Dim>
void Smac<T, Dim>::restore(MethodMemory<T, Dim> const& memory) {
  body_->guess.restore(memory);
  if (body_->runge_kutta && !body_->options.transported.empty())
    assign(body_->other_velocity, detail::remembered(memory.fields, "last_velocity"));
  body_->has_last_velocity = false;
}

template <class T, int Dim>
double Smac<T, Dim>::greatest_change(State<T, Dim> const& state) const {
  auto const& self = *body_;
  self.expect_fits(state);
  if (!self.has_last_velocity) return std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    greatest = std::max(greatest, detail::greatest_difference<T, Dim>(self.grid.body().computed_plan(axis),
                                                                      state.velocity.component(axis),
                                                                      self.other_velocity.component(axis)));
  return self.grid.body().greatest(greatest) / self.guess.last_time_step();
}

template class Smac<float, 2>;
template class Smac<float, 3>;
template class Smac<double, 2>;
template class Smac<double, 3>;

}  // namespace sparse::incompressible
