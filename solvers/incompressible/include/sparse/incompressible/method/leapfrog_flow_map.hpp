#pragma once
/// Cycles of time steps of an incompressible flow that carry its impulse through one long flow map.

#include <memory>

#include <sparse/base/interpolation.hpp>
#include <sparse/incompressible/flow_map/clamping.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

template <int Dim>
struct FlowMapOptions {
  int cycle = 5;  ///< steps from one start of the maps to the next, >= 1
  Interpolation interpolation = Interpolation::quadratic;
  bool error_compensation = true;
  Clamping limiter = Clamping::near_bodies;  ///< of velocities; unless none, carried values make no new extrema
  double viscosity = 0;                      ///< kinematic, >= 0 [length^2 / time]
  std::vector<Buoyancy<Dim>> buoyancy = {};
  poisson::SolverOptions pressure = {};
};

/// A method to advance a `State`: leapfrog flow maps (LFM).
///
/// A cycle begins with a velocity u0. The velocity at the middle of each step comes from a leapfrog of semi-Lagrangian
/// advection and a projection: these have large errors, but only carry. Through all of them at once, the velocity u0 is
/// pulled back as a one-form, whose change by pressure is a gradient; the projection at the end takes that away. So the
/// velocity is interpolated once in a cycle, and what that loses is compensated.
///
/// Viscosity and buoyancy act on the middles of steps over the time of the leapfrog. What they give in each step is
/// kept and added along the path: pulled back from the middle of the step to the end of the cycle. With viscosity, time
/// steps are limited. Carried values that have buoyancy are, for that, carried by the leapfrog through the cycle, too.
///
/// Where neither buoyancy nor the boundary drives the fluid, its energy never grows: what corrections add to velocities
/// that are not resolved is taken away by a factor, the same everywhere.
///
/// Second order in space, and in time but for viscosity and buoyancy, whose effect on the middles of steps is of first
/// order. Memory beside the state: that of `FlowMaps`, Dim + 2 values per cell and one for each carried field, with
/// viscosity or buoyancy Dim more and 4 for each buoyancy, and the solver's. A cycle allocates nothing once warm.
/// Source: Sun, Ni, Chen, Zhu, Leapfrog flow maps for real-time fluid simulation, ACM Trans. Graph. 44 (2025).
template <class T, int Dim>
class LeapfrogFlowMap {
public:
  /// @throws std::invalid_argument  if an option does not make sense, or walls are curved
  LeapfrogFlowMap(StaggeredGrid<Dim> const& grid, FlowMapOptions<Dim> const& options = {});
  LeapfrogFlowMap(LeapfrogFlowMap&&) noexcept;
  LeapfrogFlowMap& operator=(LeapfrogFlowMap&&) noexcept;
  ~LeapfrogFlowMap();

  /// The longest time step, of a whole cycle, of which no part carries anything further than `cells` cells at the speed
  /// of now and what buoyancy of now adds in the cycle, and that is stable with viscosity. Infinite at rest without.
  double longest_step(State<T, Dim> const& state, double cells) const;

  /// One cycle: `cycle` steps of time_step / cycle each. Given velocities on the boundary are set first. The pressure
  /// afterwards is that of the last step but a half.
  /// @return  iterations of all solves, the worst residual, and why the first one stopped that did not converge
  /// @throws std::invalid_argument  if the state does not fit to the grid, or the time step is not positive and finite
  /// @throws std::runtime_error     if the velocity is not finite any more; the state has not changed then
  poisson::Report advance(State<T, Dim>& state, double time_step);

  /// Takes the divergence out of a state's velocity without a step, for initial values. Its pressure is then 0.
  poisson::Report project(State<T, Dim>& state);

  StaggeredGrid<Dim> const& grid() const;
  FlowMapOptions<Dim> const& options() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
