#include <sparse/incompressible/semi_lagrangian/semi_lagrangian.hpp>

#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/step/buoyancy.hpp>
#include <sparse/incompressible/step/diffusion.hpp>
#include <sparse/incompressible/step/measures.hpp>

#include "step/method_parts.hpp"
#include "step/stopwatch.hpp"

namespace sparse::incompressible {
template <class T, int Dim>
SemiLagrangian<T, Dim>::SemiLagrangian(StaggeredGrid<Dim> const& grid, StepOptions<Dim> const& options)
    : grid_(grid), options_(options), projection_(grid, options.pressure), scratch_(grid),
      next_velocity_(detail::zero<T>("velocity", grid.storage(), Dim)),
      next_values_(detail::zero<T>("carried", grid.storage())) {
  expects(!grid.has_curved_walls(), "incompressible: of all methods, Smac alone knows curved walls");
  detail::expect_valid(options.viscosity, options.buoyancy);
}

template <class T, int Dim>
double SemiLagrangian<T, Dim>::longest_step(State<T, Dim> const& state, double cells) const {
  expects(std::isfinite(cells) && cells > 0, "incompressible: a number of cells per step must be positive");
  detail::expect_fits(grid_, state, options_.buoyancy);
  auto const acceleration = detail::greatest_buoyancy(grid_, state, options_.buoyancy);
  return std::fmin(crossing_time(grid_, state.velocity, cells, acceleration),
                   diffusive_time_step(grid_, options_.viscosity));
}

template <class T, int Dim>
poisson::Report SemiLagrangian<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  detail::expect_fits(grid_, state, options_.buoyancy);
  detail::Stopwatch watch(grid_.context());
  grid_.set_boundary(state.velocity);
  grid_.set_boundary(next_velocity_);
  watch.add_to(seconds_.other);

  advect(grid_, state.velocity, state.velocity, next_velocity_, time_step, options_.advection, scratch_);
  for (auto& values : state.carried) {
    advect(grid_, state.velocity, values, next_values_, time_step, options_.advection, scratch_);
    assign(values, next_values_);
  }
  std::swap(state.velocity, next_velocity_);
  watch.add_to(seconds_.advection);

  for (auto const& buoyancy : options_.buoyancy)
    add_buoyancy(grid_, state.carried[buoyancy.carried], buoyancy.acceleration, time_step, state.velocity);
  if (options_.viscosity > 0) {
    diffuse(grid_, state.velocity, options_.viscosity * time_step, next_velocity_);
    std::swap(state.velocity, next_velocity_);
  }
  watch.add_to(seconds_.other);

  auto report = projection_.project(state.velocity, state.pressure, time_step);
  state.time += time_step;
  ++state.step_count;
  watch.add_to(seconds_.pressure);
  return report;
}

template <class T, int Dim>
poisson::Report SemiLagrangian<T, Dim>::project(State<T, Dim>& state) {
  detail::expect_fits(grid_, state, options_.buoyancy);
  return detail::project_start(grid_, projection_, state);
}

#define SPARSE_DEFINE(T, Dim) template class SemiLagrangian<T, Dim>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
