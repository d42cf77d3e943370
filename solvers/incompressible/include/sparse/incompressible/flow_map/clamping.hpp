#pragma once
/// Limits of what flow maps correct.

namespace sparse::incompressible {

/// Where corrected velocities are kept within those around them (a box of 3^Dim) that are not corrected. Unless there
/// is none, corrections also fade out where a map stretches or shears a cell to between sqrt(2) and 2 times its width.
enum class Clamping {
  none,
  near_bodies,  ///< two cells around what is not fluid within the bounding box of the fluid
  everywhere,
};

}  // namespace sparse::incompressible
