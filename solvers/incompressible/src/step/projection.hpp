#pragma once
/// What makes a velocity free of divergence: the gradient of a pressure.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

/// velocity -= time_step grad pressure on the computed faces; on those of outflow pressure is 0.
/// @param pressure  over density, on the fluid
/// @throws std::invalid_argument  if a field does not fit
template <class T, int Dim>
void subtract_gradient(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& pressure, double time_step,
                       Field<T, Dim>& velocity);

/// The pressure problem: no flux through boundary faces with a given velocity, 0 on those of outflow.
template <int Dim>
poisson::Problem<Dim> pressure_problem(StaggeredGrid<Dim> const& grid);

/// Takes the divergence out of velocities. Source: Chorin, Numerical solution of the Navier-Stokes equations, Math.
/// Comp. 22 (1968).
template <class T, int Dim>
class Projection {
public:
  /// Memory: that of the solver, and a value per cell.
  /// @throws std::invalid_argument  if an option does not make sense
  explicit Projection(StaggeredGrid<Dim> const& grid, poisson::SolverOptions const& options = {});

  /// velocity -= time_step grad pressure, such that the divergence of the new velocity is at most the solver's
  /// tolerance times that of the old one, in the root mean square; at any rate that is what the report says. Where
  /// velocity is given on all sides of a part of the fluid, rounding errors of their sum are spread over that part.
  ///
  /// @param velocity  with the boundary values
  /// @param pressure  a guess, that of the last step, say; then the pressure over density
  /// @throws std::invalid_argument  if a field does not fit or the time step is not positive
  /// @throws std::runtime_error     if velocity has a NaN or an infinity; nothing has changed then
  poisson::Report project(Field<T, Dim>& velocity, Field<T, Dim>& pressure, double time_step);

  poisson::Solver<T, Dim> const& solver() const { return solver_; }

private:
  StaggeredGrid<Dim> grid_;
  poisson::Solver<T, Dim> solver_;
  Field<T, Dim> right_side_;
};

}  // namespace sparse::incompressible
