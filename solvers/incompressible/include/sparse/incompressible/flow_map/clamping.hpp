#pragma once
/// Limits for the corrections of flow maps.

namespace sparse::incompressible {

/// Where corrected velocities are clamped to the uncorrected values around them (a box of 3^Dim). Except with `none`,
/// corrections also fade where a map stretches a cell: from sqrt(2) times its width on, and to nothing at twice its
/// width.
enum class Clamping {
  none,
  near_bodies,  ///< within two cells of non-fluid cells, in the bounding box of the fluid
  everywhere,
};

}  // namespace sparse::incompressible
