#include <sparse/solvers/incompressible/semi_lagrangian.hpp>

#include <cmath>

#include <sparse/field_algebra.hpp>
#include <sparse/solvers/incompressible/buoyancy.hpp>
#include <sparse/solvers/incompressible/diffusion.hpp>
#include <sparse/solvers/incompressible/measures.hpp>

#include "stopwatch.hpp"

namespace sparse::incompressible {
namespace {

template <class T, int Dim>
Field<T, Dim> zero(char const* name, IntervalSet<Dim> const& domain, int component_count = 1) {
  Field<T, Dim> field(name, domain, component_count);
  fill(field, 0);
  return field;
}

}  // namespace

template <class T, int Dim>
State<T, Dim>::State(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names)
    : velocity(zero<T>("velocity", grid.storage(), Dim)), pressure(zero<T>("pressure", grid.fluid())) {
  grid.set_boundary(velocity);
  for (auto const& name : names) carried.push_back(zero<T>(name.c_str(), grid.storage()));
}

template <class T, int Dim>
SemiLagrangian<T, Dim>::SemiLagrangian(StaggeredGrid<Dim> const& grid, StepOptions<Dim> const& options)
    : grid_(grid), options_(options), projection_(grid, options.pressure), scratch_(grid),
      next_velocity_(zero<T>("velocity", grid.storage(), Dim)), next_values_(zero<T>("carried", grid.storage())) {
  expects(std::isfinite(options.viscosity) && options.viscosity >= 0,
          "incompressible: the viscosity must not be negative");
  for (auto const& buoyancy : options.buoyancy)
    for (int axis = 0; axis < Dim; ++axis)
      expects(std::isfinite(buoyancy.acceleration[axis]), "incompressible: an acceleration is not finite");
}

template <class T, int Dim>
double SemiLagrangian<T, Dim>::longest_step(State<T, Dim> const& state, double cells) const {
  expects(std::isfinite(cells) && cells > 0, "incompressible: a number of cells per step must be positive");
  expect_fits(state);
  Vec<double, Dim> acceleration{};
  for (auto const& buoyancy : options_.buoyancy) {
    double const value = greatest_value(grid_, state.carried[buoyancy.carried]);
    for (int axis = 0; axis < Dim; ++axis) acceleration[axis] += value * std::abs(buoyancy.acceleration[axis]);
  }
  return std::fmin(crossing_time(grid_, state.velocity, cells, acceleration),
                   diffusive_time_step(grid_, options_.viscosity));
}

template <class T, int Dim>
void SemiLagrangian<T, Dim>::expect_fits(State<T, Dim> const& state) const {
  grid_.expect_stored(state.velocity, Dim, "velocity");
  for (auto const& values : state.carried) grid_.expect_stored(values, 1, "carried field");
  for (auto const& buoyancy : options_.buoyancy)
    expects(buoyancy.carried < state.carried.size(),
            "incompressible: buoyancy of a field that the state does not have");
}

template <class T, int Dim>
poisson::Report SemiLagrangian<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  expect_fits(state);
  detail::Stopwatch watch(grid_.context());
  grid_.set_boundary(state.velocity);
  grid_.set_boundary(next_velocity_);
  watch.add_to(seconds_.other);

  advect(grid_, state.velocity, state.velocity, next_velocity_, time_step, options_.advection, scratch_);
  for (auto& values : state.carried) {
    advect(grid_, state.velocity, values, next_values_, time_step, options_.advection, scratch_);
    copy(next_values_, values);
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
  expect_fits(state);
  grid_.set_boundary(state.velocity);
  auto report = projection_.project(state.velocity, state.pressure, 1);
  fill(state.pressure, 0);
  return report;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template struct State<T, Dim>;                                                                                       \
  template class SemiLagrangian<T, Dim>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
