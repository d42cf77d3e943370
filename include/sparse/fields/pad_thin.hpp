#pragma once
/// Thickens bodies that are only one cell thick.

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// Solid cells without thin walls.
template <int Dim>
struct PaddedSolid {
  IntervalSet<Dim> solid;  ///< the body with the added cells
  Index added_count;       ///< number of added cells
};

/// Thickens a body until none of its cells has fluid on two opposite sides. Such a cell would have to hold the ghost
/// values of two walls. (Where values belong to faces, as in the flow solvers here, thin walls need no padding.)
///
/// Every added cell lies in the box of 2^Dim cells whose lower corner is a cell that is too thin. No added cell is
/// superfluous: without any one or several of them, some cell would again have fluid on two opposite sides.
/// @param fluid  the cells that the body may grow into; shares no cell with it. Cells in neither set are no fluid
/// Cost: a pass over the sets, and one on the host over the cells that are too thin.
/// @throws std::invalid_argument  if the two share a cell, or a cell would leave the range of coordinates
/// Source: Scheidegger, Comba, da Cunha, Practical CFD simulations on programmable graphics hardware using SMAC,
/// Computer Graphics Forum 24 (2005), section 5.6.
template <int Dim>
PaddedSolid<Dim> pad_thin(IntervalSet<Dim> const& solid, IntervalSet<Dim> const& fluid);

/// The same, with fluid everywhere outside of the body.
template <int Dim>
PaddedSolid<Dim> pad_thin(IntervalSet<Dim> const& solid);

}  // namespace sparse
