#pragma once
/// Convection and viscosity beside curved walls.

#include "convection.hpp"

namespace sparse::incompressible::detail {

/// What `Convection` does, on the faces that curved walls cut, or that are beside such ones; does nothing without
/// curved walls.
///
/// Momentum is balanced on the part of a face's volume that is fluid; flux through closed parts is friction, by the
/// distance of the middle of the opening from the wall. Where that part is so small that the step would not be stable,
/// what velocity gains is divided as if velocity itself were taken at the new time, pressure of the last step included,
/// so that steady flows do not depend on the time step.
/// @param pressure  of the last step, on the fluid
/// Source: Kirkpatrick, Armfield, Kent, A representation of curved boundaries for the solution of the Navier-Stokes
/// equations on a staggered three-dimensional Cartesian grid, J. Comput. Phys. 184 (2003).
template <class T, int Dim>
void convect_at_cuts(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, Field<T, Dim> const& pressure,
                     double time_step, VelocityTerms<Dim> const& terms, Field<T, Dim>& to);

}  // namespace sparse::incompressible::detail
