#pragma once
/// One projection on the leaves of all levels.

#include <optional>

#include <sparse/poisson/composite_solver.hpp>

#include "level.hpp"

namespace sparse::incompressible::detail {

/// A pressure of each level, on its grid's fluid.
template <class T, int Dim>
using PressureOf = Field<T, Dim>& (*)(Level<T, Dim>&);

template <class T, int Dim>
class CompositeProjection {
public:
  /// Gives up what is of no use to other levels.
  void make_room();
  /// Goes over to other levels. What the solver knows of levels that stay is kept.
  /// @param problem  with all but the sides
  /// @param levels   whose interfaces are made here
  /// @param stop     the same for all levels
  void change(amr::Domain<Dim> const& domain, poisson::CompositeProblem<Dim> problem, Levels<T, Dim>& levels,
              poisson::StopRule const& stop);

  /// Gives interfaces the gradient of a pressure.
  void set_gradient(Levels<T, Dim>& levels, PressureOf<T, Dim> pressure);

  /// velocity -= time_step grad pressure on all levels, then fills rings. Interfaces keep the gradient.
  /// @param velocity  filled from finer levels
  /// @param pressure  in: a guess; out: the pressure
  /// @throws std::runtime_error  as `fail_not_finite`; velocities have not changed then
  poisson::Report project(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity, PressureOf<T, Dim> pressure,
                          double time_step);

private:
  std::optional<poisson::CompositeSolver<T, Dim>> solver_;
  /// Whether velocities have a divergence worth a solution.
  bool has_divergence(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity, double size, double time_step) const;

  poisson::LevelFields<T, Dim> right_side_;
  poisson::LevelFaceFields<T, Dim> gradient_;
  double coarse_cell_count_ = 0;
  bool had_none_ = false;  // no divergence at the last time
};

}  // namespace sparse::incompressible::detail
