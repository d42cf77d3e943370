#include <sparse/incompressible/smac/smac.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/step/buoyancy.hpp>
#include <sparse/incompressible/step/diffusion.hpp>
#include <sparse/incompressible/step/measures.hpp>
#include <sparse/plans/for_each.hpp>

#include "curved_walls/cut_convection.hpp"
#include "step/method_parts.hpp"
#include "step/stopwatch.hpp"

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

/// pressure += factor (pressure - last), last = pressure before.
template <class T, int Dim>
void extrapolate(Field<T, Dim>& pressure, Field<T, Dim>& last, T factor) {
  T *const p = pressure.component(0), *const q = last.component(0);
  parallel_for(
      pressure.context(), "sparse::incompressible::extrapolate", pressure.cell_count(), KOKKOS_LAMBDA(Index i) {
        T const now = p[i];
        p[i] = now + factor * (now - q[i]);
        q[i] = now;
      });
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
Smac<T, Dim>::Smac(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options)
    : grid_(grid), options_(options), projection_(grid, options.pressure), convection_(grid), transport_(grid),
      other_velocity_("velocity", grid.storage(), Dim), other_values_("carried", grid.storage()),
      last_pressure_("pressure", grid.fluid()) {
  expect_valid(options);
  expects(!grid.has_curved_walls() || (options.transported.empty() && options.buoyancy.empty()),
          "incompressible: beside curved walls nothing is transported, and nothing has buoyancy");
  fill(other_velocity_, 0);
  fill(other_values_, 0);
  fill(last_pressure_, 0);
  grid_.set_boundary(other_velocity_);  // as in all that it is swapped with
  for (auto const& part : grid.domain().parts) {
    if (part.kind == BoundaryKind::wall || part.kind == BoundaryKind::outflow) continue;
    for (int axis = 0; axis < Dim; ++axis)
      wall_speeds_[axis] = std::max(wall_speeds_[axis], std::abs(part.velocity[axis]));
  }
}

template <class T, int Dim>
void Smac<T, Dim>::expect_fits(State<T, Dim> const& state) const {
  detail::expect_fits(grid_, state, options_.buoyancy);
  for (auto const& transport : options_.transported)
    expects(transport.carried < state.carried.size(),
            "incompressible: transport of a field that the state does not have");
}

template <class T, int Dim>
Vec<double, Dim> Smac<T, Dim>::greatest_speeds_of(State<T, Dim> const& state) const {
  auto speeds = greatest_speeds(grid_, state.velocity);
  for (int axis = 0; axis < Dim; ++axis) speeds[axis] = std::max(speeds[axis], wall_speeds_[axis]);
  return speeds;
}

template <class T, int Dim>
double Smac<T, Dim>::longest_step(State<T, Dim> const& state, double safety) const {
  expects(std::isfinite(safety) && safety > 0, "incompressible: the safety factor must be positive");
  expect_fits(state);
  auto acceleration = detail::greatest_buoyancy(grid_, state, options_.buoyancy);
  for (int axis = 0; axis < Dim; ++axis) acceleration[axis] += std::abs(options_.acceleration[axis]);
  double time = std::fmin(diffusive_time_step(grid_, options_.viscosity),
                          crossing_time(grid_, greatest_speeds_of(state), 1, acceleration));
  for (auto const& transport : options_.transported)
    time = std::fmin(time, diffusive_time_step(grid_, transport.diffusivity));
  return safety * time;
}

template <class T, int Dim>
poisson::Report Smac<T, Dim>::advance(State<T, Dim>& state, double time_step) {
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  expect_fits(state);
  detail::Stopwatch watch(grid_.context());
  grid_.set_boundary(state.velocity);
  VelocityTerms<Dim> terms{options_.viscosity, 0, options_.acceleration};
  if (options_.donor_cell) {
    terms.donor_cell = *options_.donor_cell;
  } else {
    auto const speeds = greatest_speeds(grid_, state.velocity);
    for (int axis = 0; axis < Dim; ++axis)
      terms.donor_cell = std::max(terms.donor_cell, speeds[axis] * time_step / grid_.spacing()[axis]);
    terms.donor_cell = std::min(terms.donor_cell, 1.0);
  }
  watch.add_to(seconds_.other);

  for (auto const& [carried, diffusivity] : options_.transported) {
    transport_(state.carried[carried], state.velocity, time_step, diffusivity, terms.donor_cell, other_values_);
    assign(state.carried[carried], other_values_);
  }
  convection_(state.velocity, time_step, terms, other_velocity_);
  detail::convect_at_cuts(grid_, state.velocity, state.pressure, time_step, terms, other_velocity_);
  for (auto const& buoyancy : options_.buoyancy)
    add_buoyancy(grid_, state.carried[buoyancy.carried], buoyancy.acceleration, time_step, other_velocity_);
  watch.add_to(seconds_.advection);

  // The first pressure follows on no other one; and far away nothing can be told.
  double const ratio = steps_done_ > 1 ? std::min(time_step / last_time_step_, 2.0) : 0;
  extrapolate(state.pressure, last_pressure_, static_cast<T>(ratio));
  auto report = projection_.project(other_velocity_, state.pressure, time_step);
  std::swap(state.velocity, other_velocity_);
  ++steps_done_;
  watch.add_to(seconds_.pressure);

  for (std::size_t i = 0; i < state.carried.size(); ++i) {
    bool const is_ink = std::none_of(options_.transported.begin(), options_.transported.end(),
                                     [&](auto const& transport) { return transport.carried == i; });
    if (!is_ink) continue;
    if (!scratch_) scratch_.emplace(grid_);
    advect(grid_, state.velocity, state.carried[i], other_values_, time_step, Advection::linear, *scratch_);
    assign(state.carried[i], other_values_);
  }
  state.time += time_step;
  ++state.step_count;
  last_time_step_ = time_step;
  watch.add_to(seconds_.advection);
  return report;
}

template <class T, int Dim>
poisson::Report Smac<T, Dim>::project(State<T, Dim>& state) {
  expect_fits(state);
  grid_.set_boundary(state.velocity);
  steps_done_ = 0;
  auto report = projection_.project(state.velocity, state.pressure, 1);
  fill(state.pressure, 0);
  return report;
}

template <class T, int Dim>
double Smac<T, Dim>::greatest_change(State<T, Dim> const& state) const {
  expect_fits(state);
  if (steps_done_ == 0) return std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    greatest = std::max(greatest, greatest_difference<T, Dim>(grid_.computed(axis), state.velocity.component(axis),
                                                              other_velocity_.component(axis)));
  return greatest / last_time_step_;
}

template class Smac<float, 2>;
template class Smac<float, 3>;
template class Smac<double, 2>;
template class Smac<double, 3>;

}  // namespace sparse::incompressible
