#pragma once
/// Time steps of an incompressible flow by a simplified marker-and-cell method (SMAC): explicit, then a projection.

#include <memory>
#include <optional>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

template <int Dim>
struct SmacOptions {
  double viscosity = 0;  ///< kinematic, >= 0 [length^2 / time]; 1 / Re where lengths and velocities are of order 1
  /// How much of what is carried comes from upstream: from 0, central differences, which may need time steps up to
  /// 2 viscosity / |velocity|^2, to 1. If none is given: in each step the least that is stable, the greatest |velocity|
  /// time_step / spacing.
  std::optional<double> donor_cell = {};
  Vec<double, Dim> acceleration = {};  ///< of all of the fluid, by gravity, say [length / time^2]
  struct Transport {
    std::size_t carried = 0;  ///< number in `State::carried`
    double diffusivity = 0;   ///< >= 0 [length^2 / time]
  };
  /// What the energy equation transports. All else that is carried is ink, semi-Lagrangian and linear.
  std::vector<Transport> transported = {};
  /// By values after the step. For a coefficient of thermal expansion beta and gravity g: acceleration = -beta g.
  std::vector<Buoyancy<Dim>> buoyancy = {};
  poisson::SolverOptions pressure = {};
};

/// A method to advance a `State`. First order in time; in space of second order as far as differences are central.
/// Memory beside the state: 2 + Dim values per cell, with ink 3 + Dim more, and the solver's. A step allocates nothing
/// once warm.
///
/// A step sets boundary values, transports values, makes a tentative velocity (`Convection`, buoyancy), takes its
/// divergence out (`Projection`; the guess is what the last two pressures lead to), and carries ink.
/// Source: Griebel, Dornseifer, Neunhoeffer, Numerical simulation in fluid dynamics (1998), chapter 3, after Chorin
/// (1968); Scheidegger, Comba, da Cunha, Practical CFD simulations on programmable graphics hardware using SMAC,
/// Computer Graphics Forum 24 (2005).
template <class T, int Dim>
class Smac {
public:
  /// @throws std::invalid_argument  if an option does not make sense, or with curved walls (`FlowDomain::distance`)
  ///                                something is transported or has buoyancy
  Smac(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options = {});
  Smac(Smac&&) noexcept;
  Smac& operator=(Smac&&) noexcept;
  ~Smac();

  /// `safety` times the longest step that viscosity and diffusivities leave stable, and in which nothing crosses more
  /// than a cell along an axis, neither fluid, what forces add to its velocity included, nor walls. Infinite if
  /// there is nothing of all this.
  /// @param safety  > 0. Less than 1 for a stable flow; upstream differences are diffusion, too, and all is well with
  ///                safety (1 + Dim share of the donor cell) <= 1: in 2D 0.5 with the least share, 1/3 with any
  double longest_step(State<T, Dim> const& state, double safety) const;

  /// One step. Given velocities on the boundary are set first. A pressure solver that has not converged says so in what
  /// is returned, and the state has what it found.
  /// @throws std::invalid_argument  if the state does not fit to the grid or the options, or the time step is not
  ///                                positive and finite
  /// @throws std::runtime_error     if the velocity is not finite any more; the state still has that before the step
  poisson::Report advance(State<T, Dim>& state, double time_step);

  /// Takes the divergence out of a state's velocity without a step, for initial values. Its pressure is then 0.
  poisson::Report project(State<T, Dim>& state);

  /// The greatest |change of velocity| per time of a face in the last step, which tells when a flow is steady.
  /// Infinite before the first step, and after `project`. Cost: a pass over the faces.
  /// @param state  as `advance` left it
  double greatest_change(State<T, Dim> const& state) const;

  StaggeredGrid<Dim> const& grid() const;
  SmacOptions<Dim> const& options() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
