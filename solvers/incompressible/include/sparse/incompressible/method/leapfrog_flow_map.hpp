#pragma once
/// Cycles of time steps of an incompressible flow. One long flow map carries its impulse through a cycle.

#include <memory>

#include <sparse/base/interpolation.hpp>
#include <sparse/incompressible/flow_map/clamping.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

/// How flow maps are computed.
template <int Dim>
struct FlowMapOptions {
  int cycle = 5;  ///< steps from one start of the maps to the next, >= 1
  /// Between values of the grid.
  Interpolation interpolation = Interpolation::quadratic;
  /// Whether the error of going there and back is taken away.
  bool error_compensation = true;
  /// For velocities. Except with none, carried values that are traced are clamped, too.
  Clamping limiter = Clamping::near_bodies;
  double viscosity = 0;  ///< kinematic, >= 0 [length^2 / time]
  /// What lifts or sinks the fluid.
  std::vector<Buoyancy<Dim>> buoyancy = {};
  /// These fields do not go through the maps. They take finite-volume steps, as with `Smac`, with the velocity at the
  /// middle of each step of the cycle: as many as it takes until they are stable.
  std::vector<Transport<Dim>> transported = {};
  /// How each pressure is solved.
  poisson::SolverOptions pressure = {};
  InkMethod ink = InkMethod::fluxes;  ///< of all carried values; traced: through the map of the cycle
};

/// A method to advance a `State`: leapfrog flow maps (LFM).
///
/// A cycle begins with a velocity u0. A leapfrog of semi-Lagrangian advection and projection computes the velocity at
/// the middle of each step. These velocities have large errors, but they only carry other values. Through all of them
/// at once, u0 is pulled back as a one-form. Pressure changes a one-form by a gradient, which the projection at the end
/// removes. So the velocity is interpolated only once in a cycle, and that loss is compensated.
///
/// In the leapfrog, viscosity and buoyancy act on the velocity at the middle of each step. Their increment over the
/// step is also kept. It is pulled back from the middle of the step to the end of the cycle. Viscosity limits time
/// steps. The leapfrog also carries the values that have buoyancy, unless these are transported. Ink is carried in each
/// step, with the velocity at its middle.
///
/// Where neither buoyancy nor the boundary drives the fluid, its energy never grows. Corrections may add energy to
/// unresolved velocities; then one factor for all velocities removes it. This factor is not in the paper.
///
/// Second order in space and time. The effect of viscosity and buoyancy on the middles of steps is of first order.
/// Memory beside the state, in values per cell: (cycle + 3) Dim of velocity, 2 Dim^2 + Dim of the map, Dim + 2 more,
/// two for each carried field and one for all of them. Viscosity or buoyancy take (cycle + 2) Dim more, and 4 for each
/// buoyancy; transport takes 2, and 1 for each field. The memory of the pressure solver comes on top. Once warm, a
/// cycle allocates nothing. Source: Sun, Ni, Chen, Zhu, Leapfrog flow maps for real-time fluid simulation, ACM Trans.
/// Graph. 44 (2025).
template <class T, int Dim>
class LeapfrogFlowMap {
public:
  /// @throws std::invalid_argument  if an option does not make sense, or walls are curved
  LeapfrogFlowMap(StaggeredGrid<Dim> const& grid, FlowMapOptions<Dim> const& options = {});
  LeapfrogFlowMap(LeapfrogFlowMap&&) noexcept;
  LeapfrogFlowMap& operator=(LeapfrogFlowMap&&) noexcept;
  ~LeapfrogFlowMap();

  /// The longest time step of a whole cycle. It is stable with viscosity. In no part of the cycle is anything carried
  /// further than `cells` cells, at the present speed plus the effect of the present buoyancy. Infinite when no limit
  /// applies. Cost: a pass over the faces.
  /// @throws std::invalid_argument  if `cells` is not positive, or the state does not fit
  double longest_step(State<T, Dim> const& state, double cells) const;

  /// One cycle: `cycle` steps of time_step / cycle each. Given velocities on the boundary are set first. The pressure
  /// afterwards is that half a step before the end.
  /// @return  iterations of all solves, the worst residual, and the reason of the first solve that did not converge
  /// @throws std::invalid_argument  if the state does not fit to the grid, or the time step is not positive and finite;
  ///                                over ranks, if fluid comes from beyond `FlowDomain::reach`
  /// @throws std::runtime_error     naming the first face or cell, if a value is no longer finite; the state has not
  ///                                changed then
  poisson::Report advance(State<T, Dim>& state, double time_step);

  /// Removes the divergence of initial values, without a step. The pressure is 0 afterwards.
  /// @return  what the pressure solver did
  /// @throws std::invalid_argument  if the state does not fit to the grid
  /// @throws std::runtime_error     if a velocity is not finite
  poisson::Report project(State<T, Dim>& state);

  /// For checkpoints. `restore` takes the result of `memory`, after `advance` or `project`.
  /// @throws std::invalid_argument  if something is missing or has another domain
  MethodMemory<T, Dim> memory() const;
  void restore(MethodMemory<T, Dim> const& memory);

  /// What was given, and where the time of the steps went.
  StaggeredGrid<Dim> const& grid() const;
  FlowMapOptions<Dim> const& options() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
