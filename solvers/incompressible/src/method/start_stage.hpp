#pragma once
/// From which the pressure of the start is found.

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>

#include "step/convection.hpp"

namespace sparse::incompressible::detail {

/// What acts on fluid, apart from its pressure.
template <int Dim>
struct StartForces {
  double viscosity, upstream;
  Vec<double, Dim> const& acceleration;
  std::vector<Buoyancy<Dim>> const& buoyancy;
};

/// A step of Euler's method without pressure, as stages take it. But nothing damps forces on cut faces: the pressure
/// that balances them there is the same as elsewhere.
template <class T, int Dim>
void take_start_stage(StaggeredGrid<Dim> const& grid, Convection<Dim> const& convection, State<T, Dim> const& state,
                      StartForces<Dim> const& forces, double time_step, Field<T, Dim>& to);

/// The longest step, or 1 where there is no limit.
double start_time_step(double longest);

}  // namespace sparse::incompressible::detail
