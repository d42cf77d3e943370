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
#include "step/advect.hpp"
#include "step/buoyancy.hpp"
#include "step/convection.hpp"
#include "step/cut_convection.hpp"
#include "step/transport.hpp"
#include "stopwatch.hpp"

namespace sparse::incompressible {
namespace {

template <class T, int Dim>
double greatest_difference(Subset<Dim> const& where, T const* x, T const* y) {
  return reduce<Kokkos::Max, double>(
      "sparse::incompressible::greatest_change", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, double& greatest) {
        auto const change = static_cast<double>(x[p.cell] - y[p.cell]), size = change < 0 ? -change : change;
        if (size > greatest) greatest = size;
      });
}

/// last = pressure + factor (pressure - last)
template <class T, int Dim>
void extrapolate(Field<T, Dim>& last, Field<T, Dim> const& pressure, T factor) {
  T const* const p = pressure.component(0);
  T* const q = last.component(0);
  parallel_for(
      pressure.context(), "sparse::incompressible::extrapolate", pressure.cell_count(),
      KOKKOS_LAMBDA(Index i) { q[i] = p[i] + factor * (p[i] - q[i]); });
}

template <int Dim>
void expect_valid(SmacOptions<Dim> const& options) {
  detail::expect_valid(options.viscosity, options.buoyancy);
  double const share = options.donor_cell.value_or(0);
  expects(share >= 0 && share <= 1, "incompressible: the donor-cell share must be from 0 to 1");
  for (int axis = 0; axis < Dim; ++axis)
    expects(std::isfinite(options.acceleration[axis]), "incompressible: an acceleration is not finite");
  for (auto const& one : options.transported) {
    expects(std::isfinite(one.diffusivity) && one.diffusivity >= 0,
            "incompressible: a diffusivity must not be negative");
    for (auto const& other : options.transported)
      expects(&one == &other || one.carried != other.carried, "incompressible: a field is transported twice");
  }
}

}  // namespace

template <class T, int Dim>
struct Smac<T, Dim>::Body {
  StaggeredGrid<Dim> grid;
  SmacOptions<Dim> options;
  Projection<T, Dim> projection;
  Convection<Dim> convection;
  CellTransport<Dim> transport;
  Vec<double, Dim> wall_speeds = {};
  std::optional<AdvectionScratch<T, Dim>> scratch;  // if there is ink
  Field<T, Dim> other_velocity;                     // the last one after a step
  std::vector<Field<T, Dim>> carried;               // after a step; the state changes when that has succeeded
  Field<T, Dim> last_pressure;                      // within a step the new one
  double last_time_step = 0;
  Index steps_done = 0;  // since velocity was projected
  bool has_last_velocity = false;
  StepSeconds seconds = {};

  Body(StaggeredGrid<Dim> const& g, SmacOptions<Dim> const& o)
      : grid(g), options(o), projection(g, o.pressure), convection(g), transport(g),
        other_velocity("velocity", g.storage(), Dim, 0), last_pressure("pressure", g.fluid(), 1, 0) {}

  void expect_fits(State<T, Dim> const& state) const {
    detail::expect_fits(grid, state, options.buoyancy);
    for (auto const& one : options.transported)
      expects(one.carried < state.carried.size(), "incompressible: transport of a field that the state does not have");
  }

  bool is_ink(std::size_t i) const {
    return std::none_of(options.transported.begin(), options.transported.end(),
                        [&](auto const& one) { return one.carried == i; });
  }

  /// Of the fluid and of walls.
  Vec<double, Dim> greatest_speeds_of(State<T, Dim> const& state) const {
    auto speeds = greatest_speeds(grid, state.velocity);
    for (int axis = 0; axis < Dim; ++axis) speeds[axis] = std::max(speeds[axis], wall_speeds[axis]);
    return speeds;
  }
};

template <class T, int Dim>
Smac<T, Dim>::Smac(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options)
    : body_(std::make_unique<Body>(grid, options)) {
  expect_valid(options);
  expects(!grid.has_curved_walls() || (options.transported.empty() && options.buoyancy.empty()),
          "incompressible: beside curved walls nothing is transported, and nothing has buoyancy");
  grid.set_boundary(body_->other_velocity);  // as in all that it is swapped with
  for (auto const& part : grid.domain().parts) {
    if (part.kind == BoundaryKind::wall || part.kind == BoundaryKind::outflow) continue;
    for (int axis = 0; axis < Dim; ++axis)
      body_->wall_speeds[axis] = std::max(body_->wall_speeds[axis], std::abs(part.velocity[axis]));
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
  double time = std::fmin(diffusive_time_step(self.grid, self.options.viscosity),
                          crossing_time(self.grid, self.greatest_speeds_of(state), 1, acceleration));
  for (auto const& transport : self.options.transported)
    time = std::fmin(time, diffusive_time_step(self.grid, transport.diffusivity));
  return safety * time;
}

template <class T, int Dim>
poisson::Report Smac<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  auto& self = *body_;
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  self.expect_fits(state);
  detail::Stopwatch watch(self.grid.context());
  self.grid.set_boundary(state.velocity);
  VelocityTerms<Dim> terms{self.options.viscosity, 0, self.options.acceleration};
  if (self.options.donor_cell) {
    terms.donor_cell = *self.options.donor_cell;
  } else {
    auto const speeds = greatest_speeds(self.grid, state.velocity);
    for (int axis = 0; axis < Dim; ++axis)
      terms.donor_cell = std::max(terms.donor_cell, speeds[axis] * time_step / self.grid.spacing()[axis]);
    terms.donor_cell = std::min(terms.donor_cell, 1.0);
  }
  watch.add_to(self.seconds.other);

  while (self.carried.size() < state.carried.size()) self.carried.emplace_back("carried", self.grid.storage(), 1, 0);
  for (auto const& [i, diffusivity] : self.options.transported)
    self.transport(state.carried[i], state.velocity, time_step, diffusivity, terms.donor_cell, self.carried[i]);
  self.convection(state.velocity, time_step, terms, self.other_velocity);
  detail::convect_at_cuts(self.grid, state.velocity, state.pressure, time_step, terms, self.other_velocity);
  for (auto const& [i, acceleration] : self.options.buoyancy)
    add_buoyancy(self.grid, self.is_ink(i) ? state.carried[i] : self.carried[i], acceleration, time_step,
                 self.other_velocity);
  watch.add_to(self.seconds.advection);

  // The first pressure follows on no other one; and far away nothing can be told.
  if (self.steps_done > 1)
    extrapolate(self.last_pressure, state.pressure, static_cast<T>(std::min(time_step / self.last_time_step, 2.0)));
  else
    assign(self.last_pressure, state.pressure);
  Index const steps_before = std::exchange(self.steps_done, 0);  // if this step fails, the next is the first one
  self.has_last_velocity = false;
  auto report = detail::project(self.projection, self.other_velocity, self.last_pressure, time_step, self.grid, state,
                                self.carried);
  watch.add_to(self.seconds.pressure);

  for (std::size_t i = 0; i < state.carried.size(); ++i) {
    if (!self.is_ink(i)) continue;
    if (!self.scratch) self.scratch.emplace(self.grid);
    advect(self.grid, self.other_velocity, state.carried[i], self.carried[i], time_step, Advection::linear,
           *self.scratch);
  }
  detail::expect_finite(self.grid, state, self.other_velocity, self.carried);
  std::swap(state.velocity, self.other_velocity);
  std::swap(state.pressure, self.last_pressure);
  for (std::size_t i = 0; i < state.carried.size(); ++i) assign(state.carried[i], self.carried[i]);
  self.steps_done = steps_before + 1;
  self.has_last_velocity = true;
  state.time += time_step;
  ++state.step_count;
  self.last_time_step = time_step;
  watch.add_to(self.seconds.advection);
  return report;
}

template <class T, int Dim>
poisson::Report Smac<T, Dim>::project(State<T, Dim>& state) {
  auto& self = *body_;
  self.expect_fits(state);
  self.steps_done = 0;
  self.has_last_velocity = false;
  return detail::project_start(self.grid, self.projection, state);
}

template <class T, int Dim>
MethodMemory<T, Dim> Smac<T, Dim>::memory() const {
  MethodMemory<T, Dim> memory;
  memory.fields.emplace("last_pressure", clone(body_->last_pressure));
  memory.numbers = {{"last_time_step", body_->last_time_step}, {"steps_done", static_cast<double>(body_->steps_done)}};
  return memory;
}

template <class T, int Dim>
void Smac<T, Dim>::restore(MethodMemory<T, Dim> const& memory) {
  assign(body_->last_pressure, detail::remembered(memory.fields, "last_pressure"));
  body_->last_time_step = detail::remembered(memory.numbers, "last_time_step");
  body_->steps_done = static_cast<Index>(detail::remembered(memory.numbers, "steps_done"));
  body_->has_last_velocity = false;
}

template <class T, int Dim>
double Smac<T, Dim>::greatest_change(State<T, Dim> const& state) const {
  auto const& self = *body_;
  self.expect_fits(state);
  if (!self.has_last_velocity) return std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    greatest = std::max(greatest, greatest_difference<T, Dim>(self.grid.body().computed_plan[axis],
                                                              state.velocity.component(axis),
                                                              self.other_velocity.component(axis)));
  return greatest / self.last_time_step;
}

template class Smac<float, 2>;
template class Smac<float, 3>;
template class Smac<double, 2>;
template class Smac<double, 3>;

}  // namespace sparse::incompressible
