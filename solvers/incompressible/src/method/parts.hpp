#pragma once
/// Helpers that methods share.

#include <algorithm>
#include <cmath>
#include <vector>

#include <sparse/base/error.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/incompressible/step/time_step.hpp>

#include "finite.hpp"

namespace sparse::incompressible::detail {

/// Throws unless the options that all methods share make sense.
template <int Dim>
void expect_valid(double viscosity, std::vector<Buoyancy<Dim>> const& buoyancy) {
  expects(std::isfinite(viscosity) && viscosity >= 0, "incompressible: the viscosity must not be negative");
  for (auto const& one : buoyancy)
    for (int axis = 0; axis < Dim; ++axis)
      expects(std::isfinite(one.acceleration[axis]), "incompressible: an acceleration is not finite");
}

/// Throws unless the share of what comes from upstream is one.
inline void expect_share(double upstream) {
  expects(upstream >= 0 && upstream <= 1, "incompressible: the share from upstream must be from 0 to 1");
}

/// Throws unless transport makes sense.
template <int Dim>
void expect_valid(std::vector<Transport<Dim>> const& transported) {
  for (auto const& one : transported) {
    expects(std::isfinite(one.diffusivity) && one.diffusivity >= 0,
            "incompressible: a diffusivity must not be negative");
    for (auto const& other : transported)
      expects(&one == &other || one.carried != other.carried, "incompressible: a field is transported twice");
  }
}

template <int Dim>
bool is_transported(std::vector<Transport<Dim>> const& transported, std::size_t carried) {
  for (auto const& one : transported)
    if (one.carried == carried) return true;
  return false;
}

/// Throws unless a state lives on the grid and has all fields with buoyancy, and those that are transported.
template <class T, int Dim>
void expect_fits(StaggeredGrid<Dim> const& grid, State<T, Dim> const& state, std::vector<Buoyancy<Dim>> const& buoyancy,
                 std::vector<Transport<Dim>> const& transported = {}) {
  grid.expect_stored(state.velocity, Dim, "velocity");
  for (auto const& values : state.carried) grid.expect_stored(values, 1, "carried field");
  for (auto const& one : buoyancy)
    expects(one.carried < state.carried.size(), "incompressible: buoyancy of a field that the state does not have");
  for (auto const& one : transported)
    expects(one.carried < state.carried.size(), "incompressible: transport of a field that the state does not have");
}

/// The greatest acceleration along each axis.
template <class T, int Dim>
Vec<double, Dim> greatest_buoyancy(StaggeredGrid<Dim> const& grid, State<T, Dim> const& state,
                                   std::vector<Buoyancy<Dim>> const& buoyancy) {
  Vec<double, Dim> acceleration{};
  for (auto const& one : buoyancy) {
    double const value = greatest_value(grid, state.carried[one.carried]);
    for (int axis = 0; axis < Dim; ++axis) acceleration[axis] += value * std::abs(one.acceleration[axis]);
  }
  return acceleration;
}

/// Whether the boundary may give energy to the fluid: moving walls, inflows and outflows.
template <int Dim>
bool is_driven(StaggeredGrid<Dim> const& grid) {
  if (grid.has_outflow()) return true;
  for (auto const& part : grid.domain().parts)
    if (part.kind == BoundaryKind::inflow || part.profile || !(part.velocity == Vec<double, Dim>{})) return true;
  return false;
}

/// The greatest speeds along each axis of the fluid, of walls that move and of what flows in. Collective.
template <class T, int Dim>
Vec<double, Dim> greatest_speeds_with_walls(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  auto speeds = greatest_speeds(grid, velocity);
  for (auto const& part : grid.domain().parts)
    for (int axis = 0; axis < Dim; ++axis)
      if (part.kind != BoundaryKind::wall && part.kind != BoundaryKind::outflow)
        speeds[axis] = std::max(speeds[axis], std::abs(part.velocity[axis]));
  return speeds;
}

/// The value that a method stored under a name.
template <class Value>
Value const& remembered(std::map<std::string, Value> const& kept, std::string const& name) {
  auto const found = kept.find(name);
  if (found == kept.end()) fail("incompressible: there is no '" + name + "' in what a method remembers");
  return found->second;
}

/// Takes the divergence out of initial values.
template <class T, int Dim>
poisson::Report project_start(StaggeredGrid<Dim> const& grid, Projection<T, Dim>& projection, State<T, Dim>& state) {
  grid.set_boundary(state.velocity);
  auto report = project(projection, state.velocity, state.pressure, 1, grid, state, state.carried);
  fill(state.pressure, 0);
  return report;
}

}  // namespace sparse::incompressible::detail
