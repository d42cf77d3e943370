#pragma once
/// Convection and viscosity beside curved walls.

#include "convection.hpp"
#include "grid/cut_walls.hpp"

namespace sparse::incompressible::detail {

/// How cut faces are advanced.
struct CutStep {
  Upstream upstream = {};
  /// What would be unstable is divided by 1 + damping excess, the excess being the rate beyond that of the open grid
  /// times the time step. 1: as in an implicit step of Euler.
  double damping = 1;
  /// Times the excess and the change since the step's start, is added before that. So stages keep their order.
  double of_change = 0;
};

/// The same as `Convection`, on the faces that curved walls cut and on those beside them. Does nothing without curved
/// walls.
///
/// Momentum is balanced on the fluid part of a face's volume. The closed parts contribute friction, which depends on
/// the distance of the opening's centre from the wall. Where the fluid part is so small that the step would be
/// unstable, the gain of velocity is divided, as in an implicit step. The gain includes the pressure of the last step,
/// so steady flows do not depend on the time step.
/// Source: Kirkpatrick, Armfield, Kent, A representation of curved boundaries for the solution of the Navier-Stokes
/// equations on a staggered three-dimensional Cartesian grid, J. Comput. Phys. 184 (2003).
template <class T, int Dim>
void convect_at_cuts(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double time_step,
                     VelocityTerms<Dim> const& terms, CutStep const& how, Stage<T, Dim> const& stage,
                     Field<T, Dim>& to);

/// The same as `add_buoyancy`, on cut faces and in place of it. There the gain of velocity by buoyancy is divided, as
/// all other gains are. Does nothing without curved walls.
/// @param from       the velocity that the stage started from
/// @param time_step  of convection; buoyancy acts for `part` of it
template <class T, int Dim>
void damp_buoyancy_at_cuts(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values,
                           Vec<double, Dim> const& acceleration, Field<T, Dim> const& from, double time_step,
                           double part, VelocityTerms<Dim> const& terms, CutStep const& how, Field<T, Dim>& to);

}  // namespace sparse::incompressible::detail
