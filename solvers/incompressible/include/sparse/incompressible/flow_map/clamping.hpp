#pragma once
/// Limits of what flow maps correct.

namespace sparse::incompressible {

/// Where corrected velocities are clamped to the uncorrected ones around them (a box of 3^Dim). Except with `none`,
/// corrections also fade where a map stretches a cell: from sqrt(2) times its width, to nothing at twice its width.
enum class Clamping {
  none,
  near_bodies,  ///< within two cells of cells that are not fluid, in the bounding box of the fluid
  everywhere,
};

}  // namespace sparse::incompressible
