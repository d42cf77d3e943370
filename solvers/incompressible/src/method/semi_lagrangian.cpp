#include <sparse/incompressible/method/semi_lagrangian.hpp>

#include <cmath>
#include <optional>

#include <sparse/fields/algebra.hpp>

#include "finite.hpp"
#include "heat_steps.hpp"
#include "parts.hpp"
#include "step/advect.hpp"
#include "step/buoyancy.hpp"
#include "step/diffusion.hpp"
#include "step/ink_transport.hpp"
#include "stopwatch.hpp"

namespace sparse::incompressible {

template <class T, int Dim>
struct SemiLagrangian<T, Dim>::Body {
  StaggeredGrid<Dim> grid;
  StepOptions<Dim> options;
  Projection<T, Dim> projection;
  AdvectionScratch<T, Dim> scratch;
  Field<T, Dim> next_velocity, viscous_velocity, pressure;  // the state changes when a step has succeeded
  std::vector<Field<T, Dim>> carried;
  std::optional<InkTransport<T, Dim>> ink;
  std::optional<detail::HeatSteps<T, Dim>> heat;  // if there is something to transport
  StepSeconds seconds = {};

  Body(StaggeredGrid<Dim> const& g, StepOptions<Dim> const& o)
      : grid(g), options(o), projection(g, o.pressure), scratch(g), next_velocity("velocity", g.storage(), Dim, 0),
        pressure("pressure", g.fluid(), 1, 0) {
    if (o.viscosity > 0) viscous_velocity = Field<T, Dim>("velocity", g.storage(), Dim, 0);
    if (!o.transported.empty()) heat.emplace(g, o.transported);
  }

  void expect_fits(State<T, Dim> const& state) const {
    detail::expect_fits(grid, state, options.buoyancy, options.transported);
  }
};

template <class T, int Dim>
SemiLagrangian<T, Dim>::SemiLagrangian(StaggeredGrid<Dim> const& grid, StepOptions<Dim> const& options)
    : body_(std::make_unique<Body>(grid, options)) {
  expects(!grid.has_curved_walls(), "incompressible: of all methods, Smac alone knows curved walls");
  expects(!grid.is_shared(), "incompressible: of all methods, Smac and LeapfrogFlowMap alone run on ranks");
  detail::expect_valid(options.viscosity, options.buoyancy);
}

template <class T, int Dim>
SemiLagrangian<T, Dim>::SemiLagrangian(SemiLagrangian&&) noexcept = default;
template <class T, int Dim>
SemiLagrangian<T, Dim>& SemiLagrangian<T, Dim>::operator=(SemiLagrangian&&) noexcept = default;
template <class T, int Dim>
SemiLagrangian<T, Dim>::~SemiLagrangian() = default;

template <class T, int Dim>
StaggeredGrid<Dim> const& SemiLagrangian<T, Dim>::grid() const {
  return body_->grid;
}
template <class T, int Dim>
StepOptions<Dim> const& SemiLagrangian<T, Dim>::options() const {
  return body_->options;
}
template <class T, int Dim>
StepSeconds const& SemiLagrangian<T, Dim>::seconds() const {
  return body_->seconds;
}

template <class T, int Dim>
double SemiLagrangian<T, Dim>::longest_step(State<T, Dim> const& state, double cells) const {
  auto const& self = *body_;
  expects(std::isfinite(cells) && cells > 0, "incompressible: a number of cells per step must be positive");
  self.expect_fits(state);
  auto const acceleration = detail::greatest_buoyancy(self.grid, state, self.options.buoyancy);
  return std::fmin(crossing_time(self.grid, state.velocity, cells, acceleration),
                   diffusive_time_step(self.grid, self.options.viscosity));
}

template <class T, int Dim>
poisson::Report SemiLagrangian<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  auto& self = *body_;
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  self.expect_fits(state);
  detail::Stopwatch watch(self.grid.context());
  self.grid.set_boundary(state.velocity);
  self.grid.set_boundary(self.next_velocity);
  while (self.carried.size() < state.carried.size()) self.carried.emplace_back("carried", self.grid.storage(), 1, 0);
  watch.add_to(self.seconds.other);

  advect(self.grid, state.velocity, state.velocity, self.next_velocity, time_step, self.options.advection,
         self.scratch);
  for (std::size_t i = 0; i < state.carried.size(); ++i) {
    if (detail::is_transported(self.options.transported, i)) continue;
    if (self.options.ink == InkMethod::traced) {
      advect(self.grid, state.velocity, state.carried[i], self.carried[i], time_step, self.options.advection,
             self.scratch);
      continue;
    }
    if (!self.ink) self.ink.emplace(self.grid);
    (*self.ink)(state.carried[i], state.velocity, state.velocity, time_step, self.carried[i]);
  }
  for (std::size_t k = 0; k < self.options.transported.size(); ++k) {
    std::size_t const i = self.options.transported[k].carried;
    (*self.heat)(k, state.carried[i], state.velocity, time_step, self.carried[i]);
  }
  watch.add_to(self.seconds.advection);

  for (auto const& buoyancy : self.options.buoyancy)
    add_buoyancy(self.grid, self.carried[buoyancy.carried], buoyancy.acceleration, time_step, self.next_velocity);
  if (self.options.viscosity > 0) {
    self.grid.set_boundary(self.viscous_velocity);
    diffuse(self.grid, self.next_velocity, self.options.viscosity * time_step, self.viscous_velocity);
    std::swap(self.next_velocity, self.viscous_velocity);
  }
  assign(self.pressure, state.pressure);
  watch.add_to(self.seconds.other);

  auto report =
      detail::project(self.projection, self.next_velocity, self.pressure, time_step, self.grid, state, self.carried);
  watch.add_to(self.seconds.pressure);
  detail::expect_finite(self.grid, state, self.next_velocity, self.carried);
  std::swap(state.velocity, self.next_velocity);
  std::swap(state.pressure, self.pressure);
  for (std::size_t i = 0; i < state.carried.size(); ++i) assign(state.carried[i], self.carried[i]);
  state.time += time_step;
  ++state.step_count;
  watch.add_to(self.seconds.other);
  return report;
}

template <class T, int Dim>
poisson::Report SemiLagrangian<T, Dim>::project(State<T, Dim>& state) {
  auto& self = *body_;
  self.expect_fits(state);
  return detail::project_start(self.grid, self.projection, state);
}

#define SPARSE_DEFINE(T, Dim) template class SemiLagrangian<T, Dim>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
