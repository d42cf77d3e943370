#pragma once
/// Time steps of an incompressible flow: semi-Lagrangian advection, forces, viscosity, projection.

#include <memory>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/incompressible/step/advection.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

template <int Dim>
struct StepOptions {
  Advection advection = Advection::maccormack;
  double viscosity = 0;  ///< kinematic, >= 0 [length^2 / time]
  std::vector<Buoyancy<Dim>> buoyancy = {};
  poisson::SolverOptions pressure = {};
};

/// A method to advance a `State`. First order in time; in space that of the advection, with viscosity of second order.
/// Memory beside the state: 3 + 2 Dim values per cell, and the solver's. A step allocates nothing once warm.
/// Source: Stam, Stable fluids (1999).
template <class T, int Dim>
class SemiLagrangian {
public:
  /// @throws std::invalid_argument  if an option does not make sense, or walls are curved
  SemiLagrangian(StaggeredGrid<Dim> const& grid, StepOptions<Dim> const& options = {});
  SemiLagrangian(SemiLagrangian&&) noexcept;
  SemiLagrangian& operator=(SemiLagrangian&&) noexcept;
  ~SemiLagrangian();

  /// The longest time step that is stable and carries nothing further than `cells` cells, buoyancy included. (Advection
  /// is stable whatever the step.) Infinite at rest, without viscosity and buoyancy.
  double longest_step(State<T, Dim> const& state, double cells) const;

  /// One step. Given velocities on the boundary are set first. A pressure solver that has not converged says so in what
  /// is returned, and the state has what it found.
  /// @throws std::invalid_argument  if the state does not fit to the grid, or the time step is not positive and finite
  /// @throws std::runtime_error     if the velocity is not finite any more
  poisson::Report advance(State<T, Dim>& state, double time_step);

  /// Takes the divergence out of a state's velocity without a step, for initial values. Its pressure is then 0.
  poisson::Report project(State<T, Dim>& state);

  StaggeredGrid<Dim> const& grid() const;
  StepOptions<Dim> const& options() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
