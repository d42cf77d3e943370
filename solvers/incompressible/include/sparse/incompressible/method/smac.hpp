#pragma once
/// Time steps of an incompressible flow by a simplified marker-and-cell method (SMAC): explicit, then a projection.

#include <memory>
#include <optional>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

/// How SMAC goes from one time to the next.
enum class Integrator {
  /// Three stages of Runge and Kutta with the gradient of the last pressure, then one projection. Second order in time
  /// and space. Differences are of fourth order inside, upstream-biased where the cell Reynolds number is more than 2.
  runge_kutta,
  /// The step of Scheidegger, Comba and da Cunha (2005): Euler's method, and a share of upstream differences. First
  /// order.
  paper,
};

/// How SMAC computes a step.
template <int Dim>
struct SmacOptions {
  /// How the step is divided into stages.
  Integrator integrator = Integrator::runge_kutta;
  double viscosity = 0;  ///< kinematic, >= 0 [length^2 / time]; 1 / Re where lengths and velocities are of order 1
  /// Of the paper's step alone: the share of upstream differences in convection, from 0 to 1. With 0, central
  /// differences, the longest step may be 2 viscosity / |velocity|^2. If none is given, each step takes the least
  /// stable share: the greatest |velocity| time_step / spacing.
  std::optional<double> donor_cell = {};
  /// Of Runge and Kutta's stages alone: from 0, central differences of fourth order, to 1, with parabolas from
  /// upstream. With 0 a flow without viscosity keeps its energy, but thin layers make waves.
  double upstream = 1;
  Vec<double, Dim> acceleration = {};  ///< of all of the fluid, for example gravity [length / time^2]
  /// The fields that the energy equation transports. All other carried fields are ink.
  std::vector<Transport<Dim>> transported = {};
  /// How these are carried.
  InkMethod ink = InkMethod::fluxes;
  /// By the values after the step. With a thermal expansion coefficient beta and gravity g, acceleration = -beta g.
  std::vector<Buoyancy<Dim>> buoyancy = {};
  /// How the pressure is solved.
  poisson::SolverOptions pressure = {};
};

/// A method to advance a `State`.
///
/// A step sets boundary values and transports values. It makes a tentative velocity by convection, viscosity and
/// buoyancy, and takes its divergence out. The pressure solver starts from the last pressures, extrapolated. Ink is
/// carried last, with a velocity that changes evenly from the step's start to its end. In the first step it has that of
/// the end, and so in each step if ink has buoyancy.
///
/// The stages of `Integrator::runge_kutta` are those of Shu and Osher. Values that cross faces are those of cubic
/// polynomials. Beyond a cell Reynolds number of 2, parabolas from upstream replace these, without a limiter for
/// velocity, with Koren's for transported values. Beside curved walls differences are central up to a cell Reynolds
/// number of 10. Friction at no-slip faces is that of the parabola through the wall and two values. The solver makes at
/// least one iteration per step, so that steady flows come to rest.
///
/// Beside curved walls (`FlowDomain::distance`), transported values are those at the centres of whole cells, as if they
/// went on smoothly into the wall, and fluxes go through the open shares of faces. Small cells have a greater heat
/// capacity than their volume, so that they need no shorter steps. Steady states do not depend on it; along a wall, it
/// is like 0.03 cell widths more of fluid. Temperatures are of second order.
///
/// Memory beside the state, in values per cell: 3 + 2 Dim, 3 more for each transported field, 1 for each ink, 1 more
/// with ink (traced: 3 + Dim), and that of the solver. The paper's step needs 2 + Dim, and one for each carried field.
/// Once warm, a step allocates nothing. Sources: Shu and Osher, Efficient implementation of essentially non-oscillatory
/// shock-capturing schemes, J. Comput. Phys. 77 (1988); Koren, A robust upwind discretization method for advection,
/// diffusion and source terms (1993). The paper's step: Griebel, Dornseifer, Neunhoeffer, Numerical simulation in fluid
/// dynamics (1998), chapter 3, after Chorin (1968); Scheidegger, Comba, da Cunha, Practical CFD simulations on
/// programmable graphics hardware using SMAC, Computer Graphics Forum 24 (2005).
template <class T, int Dim>
class Smac {
public:
  /// @throws std::invalid_argument  if an option does not make sense
  Smac(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options = {});
  Smac(Smac&&) noexcept;
  Smac& operator=(Smac&&) noexcept;
  ~Smac();

  /// `safety` times the longest step that is stable with viscosity and diffusivities, and in which nothing crosses more
  /// than a cell along an axis. That holds for fluid, with what forces add to its velocity, and for walls. Infinite
  /// when no limit applies. With Runge and Kutta's stages it is up to 1.4 cells, all axes taken together, and 1.5 times
  /// the limit of Euler's method for viscosity.
  /// @param safety  > 0; with Runge and Kutta's stages up to 0.5 for a stable flow. With the paper's step less than 1:
  ///                upstream differences are diffusion, too. All is stable with safety (1 + Dim share) <= 1, `share`
  ///                being `donor_cell`: in 2D 0.5 with the least share, 1/3 with any.
  /// @throws std::invalid_argument  if `safety` is not positive, or the state does not fit
  /// Cost: a pass over the faces.
  double longest_step(State<T, Dim> const& state, double safety) const;

  /// One step. Given velocities on the boundary are set first. The report says whether the pressure solver converged;
  /// if not, the state has what it found.
  /// @throws std::invalid_argument  if the state does not fit to the grid or the options, or the time step is not
  ///                                positive and finite
  /// @throws std::runtime_error     naming the first face or cell, if a value is no longer finite; the state then has
  ///                                that before the step
  poisson::Report advance(State<T, Dim>& state, double time_step);

  /// Takes the divergence out of initial values, without a step. Afterwards the pressure is that of the start, which
  /// the stages of the first step need; with the paper's step it is 0.
  /// @return  what the pressure solver did
  /// @throws std::invalid_argument  if the state does not fit to the grid or the options
  /// @throws std::runtime_error     if a velocity is not finite
  poisson::Report project(State<T, Dim>& state);

  /// The greatest |change of velocity| per time in the last step. It tells when a flow is steady. Infinite before the
  /// first step, and after `project` and `restore`. Cost: a pass over the faces.
  /// @param state  as `advance` left it
  /// @throws std::invalid_argument  if it does not fit to the grid or the options
  double greatest_change(State<T, Dim> const& state) const;

  /// For checkpoints. `restore` takes what `memory` gave, after `advance` or `project`.
  /// @throws std::invalid_argument  if something is missing or has another domain
  MethodMemory<T, Dim> memory() const;
  void restore(MethodMemory<T, Dim> const& memory);

  /// What was given, and where the time of the steps went.
  StaggeredGrid<Dim> const& grid() const;
  SmacOptions<Dim> const& options() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
