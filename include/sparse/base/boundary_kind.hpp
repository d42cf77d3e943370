#pragma once
/// Kinds of boundary conditions: one vocabulary for all solvers.

namespace sparse {

/// The boundary condition on a side of a box, on a part of a side, or on the surface of a body. Each solver documents
/// the kinds that it accepts.
enum class BoundaryKind {
  wall,      ///< nothing passes, and along the wall the flow is free (slip); also a plane of symmetry
  no_slip,   ///< nothing passes, and the flow sticks to the wall
  outflow,   ///< the flow leaves undisturbed; in incompressible flow the pressure there is 0
  inflow,    ///< the state, or the velocity, is given
  periodic,  ///< what leaves enters at the opposite side; both sides of an axis must be periodic
  given,     ///< the user gives the state as a function
};

/// The lower or the upper side along an axis.
enum class FaceSide { lower, upper };

}  // namespace sparse
