#pragma once
/// Projection: subtracts the gradient of a pressure from a velocity, so that it becomes free of divergence.

#include <stdexcept>

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::incompressible {

/// velocity -= time_step grad pressure on the computed faces. On outflow faces pressure is 0.
/// @param pressure  over density, on the fluid
/// @throws std::invalid_argument  if a field does not fit
template <class T, int Dim>
void subtract_gradient(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& pressure, double time_step,
                       Field<T, Dim>& velocity);

namespace detail {
/// Whether a divergence is far below the rounding errors of a velocity. A flow that becomes parallel reaches such
/// divergences, and even numbers that the solver's single-precision cycles cannot represent. A divergence of more than
/// 1e-16 needs no further test.
template <class T, int Dim>
bool is_nothing(StaggeredGrid<Dim> const& grid, double divergence, Field<T, Dim> const& velocity);
}  // namespace detail

/// A velocity or its pressure has a NaN or an infinity.
struct NotFinite : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes the divergence out of velocities. Source: Chorin, Numerical solution of the Navier-Stokes equations, Math.
/// Comp. 22 (1968).
template <class T, int Dim>
class Projection {
public:
  /// Memory: that of the solver, and a value per cell.
  /// @throws std::invalid_argument  if an option does not make sense
  explicit Projection(StaggeredGrid<Dim> const& grid, poisson::SolverOptions const& options = {});

  /// velocity -= time_step grad pressure. The root mean square of the new divergence is at most the solver's tolerance
  /// times that of the old one; the report says what was reached. If velocity is given on all sides of a part of the
  /// fluid, the rounding error of the total flux is spread over that part.
  ///
  /// Over ranks, velocities and pressures of the whole window are right afterwards.
  /// @param velocity  with the boundary values
  /// @param pressure  in: a guess, for example that of the last step; out: the pressure over density
  /// @throws std::invalid_argument  if a field does not fit or the time step is not positive
  /// @throws NotFinite              if velocity has a NaN or an infinity, or its divergence overflows; nothing has
  ///                                changed then. If pressure overflows; velocity has not changed then
  poisson::Report project(Field<T, Dim>& velocity, Field<T, Dim>& pressure, double time_step);

  poisson::Solver<T, Dim> const& solver() const { return solver_; }

private:
  poisson::Report solve(Field<T, Dim>& pressure);

  StaggeredGrid<Dim> grid_;
  poisson::Solver<T, Dim> solver_;
  Field<T, Dim> right_side_;
  Field<T, Dim> own_right_side_, own_pressure_;  // over ranks
};

}  // namespace sparse::incompressible
