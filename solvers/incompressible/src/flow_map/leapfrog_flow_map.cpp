#include <sparse/incompressible/flow_map/leapfrog_flow_map.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/step/buoyancy.hpp>
#include <sparse/incompressible/step/diffusion.hpp>
#include <sparse/incompressible/step/measures.hpp>

#include "step/method_parts.hpp"
#include "step/stopwatch.hpp"

namespace sparse::incompressible {
namespace {

/// `all` and one more solve.
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
LeapfrogFlowMap<T, Dim>::LeapfrogFlowMap(StaggeredGrid<Dim> const& grid, FlowMapOptions<Dim> const& options)
    : grid_(grid), options_(valid(options)), projection_(grid, options.pressure),
      is_driven_(!options.buoyancy.empty() || detail::is_driven(grid)),
      maps_(grid, options.cycle, options.interpolation, options.limiter, has_forces()),
      velocity_(detail::zero<T>("velocity", grid.storage(), Dim)), pressure_(detail::zero<T>("pressure", grid.fluid())),
      impulse_(detail::zero<T>("impulse", grid.fluid())) {
  expects(!grid.has_curved_walls(), "incompressible: of all methods, Smac alone knows curved walls");
  if (has_forces()) increment_ = detail::zero<T>("increment", grid.storage(), Dim);
  for (std::size_t i = 0; i < options.buoyancy.size(); ++i) {
    auto const& storage = maps_.padded().storage();
    lifted_.push_back(
        {detail::zero<T>("start", storage), {detail::zero<T>("middle", storage), detail::zero<T>("middle", storage)}});
    lifted_now_.push_back(detail::zero<T>("lifted", grid.storage()));
  }
}

template <class T, int Dim>
double LeapfrogFlowMap<T, Dim>::longest_step(State<T, Dim> const& state, double cells) const {
  expects(std::isfinite(cells) && cells > 0, "incompressible: a number of cells per step must be positive");
  detail::expect_fits(grid_, state, options_.buoyancy);
  // What buoyancy adds in a step, at the end of the cycle.
  auto const gained = static_cast<double>(options_.cycle) * detail::greatest_buoyancy(grid_, state, options_.buoyancy);
  // The leapfrog takes two steps at once.
  return options_.cycle * std::fmin(crossing_time(grid_, state.velocity, cells, gained),
                                    0.5 * diffusive_time_step(grid_, options_.viscosity));
}

template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::carry_lifted(int step, double time) {
  for (std::size_t i = 0; i < lifted_.size(); ++i) {
    auto& [start, middles] = lifted_[i];
    maps_.advect_cells(step, time, step == 0 ? start : middles[step == 1 ? 0 : step % 2], lifted_now_[i]);
    maps_.padded().load_cells(lifted_now_[i], middles[step % 2]);
  }
}

template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::keep_increment(int step, double time_step) {
  if (options_.viscosity > 0) {
    grid_.set_boundary(increment_);
    diffuse(grid_, velocity_, options_.viscosity * time_step, increment_);
    add(increment_, -1, velocity_);
  } else {
    fill(increment_, 0);
  }
  for (std::size_t i = 0; i < lifted_.size(); ++i)
    add_buoyancy(grid_, lifted_now_[i], options_.buoyancy[i].acceleration, time_step, increment_);
  maps_.set_increment(step, increment_);
}

/// Makes a velocity smaller that has more energy than there was; with its boundary values, which are 0.
template <class T, int Dim>
void LeapfrogFlowMap<T, Dim>::bound_energy(Field<T, Dim> const& before) {
  double const had = kinetic_energy(grid_, before), has = kinetic_energy(grid_, velocity_);
  if (has > had) scale(velocity_, static_cast<T>(std::sqrt(had / has)));
}

template <class T, int Dim>
poisson::Report LeapfrogFlowMap<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  ProfilingRegion const region("sparse::incompressible::leapfrog_flow_map");
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  detail::expect_fits(grid_, state, options_.buoyancy);
  detail::Stopwatch watch(grid_.context());
  double const step = time_step / options_.cycle;
  grid_.set_boundary(state.velocity);
  grid_.set_boundary(velocity_);
  assign(pressure_, state.pressure);
  maps_.set_start(state.velocity);
  for (std::size_t i = 0; i < lifted_.size(); ++i)
    maps_.padded().load_cells(state.carried[options_.buoyancy[i].carried], lifted_[i].start);
  watch.add_to(seconds_.other);

  poisson::Report report;
  report.reason = poisson::StopReason::converged;
  for (int i = 0; i < options_.cycle; ++i) {
    double const time = i == 0 ? 0.5 * step : i == 1 ? step : 2 * step;
    maps_.advect(i, time, velocity_);
    carry_lifted(i, time);
    watch.add_to(seconds_.advection);
    for (std::size_t k = 0; k < lifted_.size(); ++k)
      add_buoyancy(grid_, lifted_now_[k], options_.buoyancy[k].acceleration, time, velocity_);
    if (options_.viscosity > 0) {
      grid_.set_boundary(increment_);
      diffuse(grid_, velocity_, options_.viscosity * time, increment_);
      std::swap(velocity_, increment_);
    }
    watch.add_to(seconds_.other);
    add_to(report, projection_.project(velocity_, pressure_, time));
    watch.add_to(seconds_.pressure);
    maps_.set_velocity(i, velocity_);
    if (has_forces()) keep_increment(i, step);
    watch.add_to(seconds_.other);
  }

  maps_.pull_back(step, options_.error_compensation, velocity_);
  grid_.set_boundary(velocity_);
  watch.add_to(seconds_.maps);
  add_to(report, projection_.project(velocity_, impulse_, time_step));
  watch.add_to(seconds_.pressure);
  if (!is_driven_) bound_energy(state.velocity);
  watch.add_to(seconds_.other);

  if (!state.carried.empty()) maps_.map_cells(step, options_.error_compensation);
  while (carried_.size() < state.carried.size()) carried_.push_back(detail::zero<T>("carried", grid_.storage()));
  for (std::size_t i = 0; i < state.carried.size(); ++i)
    maps_.pull_back_cells(state.carried[i], options_.error_compensation, carried_[i]);
  watch.add_to(seconds_.maps);

  std::swap(state.velocity, velocity_);
  assign(state.pressure, pressure_);
  for (std::size_t i = 0; i < state.carried.size(); ++i) assign(state.carried[i], carried_[i]);
  state.time += time_step;
  state.step_count += options_.cycle;
  watch.add_to(seconds_.other);
  return report;
}

template <class T, int Dim>
poisson::Report LeapfrogFlowMap<T, Dim>::project(State<T, Dim>& state) {
  detail::expect_fits(grid_, state, options_.buoyancy);
  return detail::project_start(grid_, projection_, state);
}

template class LeapfrogFlowMap<float, 2>;
template class LeapfrogFlowMap<float, 3>;
template class LeapfrogFlowMap<double, 2>;
template class LeapfrogFlowMap<double, 3>;

}  // namespace sparse::incompressible
