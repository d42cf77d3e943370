#pragma once
/// Time steps of an incompressible flow: semi-Lagrangian advection, forces, viscosity, projection.

#include <memory>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/incompressible/step/advection.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

/// How a step is computed.
template <int Dim>
struct StepOptions {
  /// How velocity is carried.
  Advection advection = Advection::maccormack;
  double viscosity = 0;  ///< kinematic, >= 0 [length^2 / time]
  /// What lifts or sinks the fluid.
  std::vector<Buoyancy<Dim>> buoyancy = {};
  /// These fields are not advected with the others. They take finite-volume steps with the velocity at the start of the
  /// step, as with `Smac`: as many as it takes until they are stable.
  std::vector<Transport<Dim>> transported = {};
  /// How the pressure is solved.
  poisson::SolverOptions pressure = {};
  InkMethod ink = InkMethod::fluxes;  ///< of all carried values; traced: by `advection`
};

/// A method to advance a `State`. First order in time. In space it has the order of the advection; viscosity is of
/// second order. Memory beside the state: 3 + 2 Dim values per cell, one more for each carried field and for all of
/// them, Dim more with viscosity, 2 more if something is transported, and that of the solver. Once warm, a step
/// allocates nothing. Source: Stam, Stable fluids (1999).
template <class T, int Dim>
class SemiLagrangian {
public:
  /// @throws std::invalid_argument  if an option does not make sense, or walls are curved
  SemiLagrangian(StaggeredGrid<Dim> const& grid, StepOptions<Dim> const& options = {});
  SemiLagrangian(SemiLagrangian&&) noexcept;
  SemiLagrangian& operator=(SemiLagrangian&&) noexcept;
  ~SemiLagrangian();

  /// The longest time step that is stable with viscosity and carries nothing further than `cells` cells, buoyancy
  /// included. Advection itself is stable whatever the step. Infinite when no limit applies. Cost: a pass over the
  /// faces.
  /// @throws std::invalid_argument  if `cells` is not positive, or the state does not fit
  double longest_step(State<T, Dim> const& state, double cells) const;

  /// One step. Given velocities on the boundary are set first. The report says whether the pressure solver converged;
  /// if not, the state has what it found.
  /// @throws std::invalid_argument  if the state does not fit to the grid, or the time step is not positive and finite
  /// @throws std::runtime_error     naming the first face or cell, if a value is no longer finite; the state then has
  ///                                that before the step
  poisson::Report advance(State<T, Dim>& state, double time_step);

  /// Removes the divergence of initial values, without a step. The pressure is 0 afterwards.
  /// @return  what the pressure solver did
  /// @throws std::invalid_argument  if the state does not fit to the grid
  /// @throws std::runtime_error     if a velocity is not finite
  poisson::Report project(State<T, Dim>& state);

  /// For checkpoints: empty, because everything is in the state.
  MethodMemory<T, Dim> memory() const { return {}; }
  void restore(MethodMemory<T, Dim> const&) {}

  /// What was given, and where the time of the steps went.
  StaggeredGrid<Dim> const& grid() const;
  StepOptions<Dim> const& options() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
