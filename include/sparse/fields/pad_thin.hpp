#pragma once
/// Bodies without parts that are thinner than two cells.

#include <sparse/sets/interval_set.hpp>

namespace sparse {

template <int Dim>
struct PaddedSolid {
  IntervalSet<Dim> solid;  ///< with what was added
  Index added_count;       ///< cells
};

/// Thickens a body where it is too thin for a cell of it to stand for what lies beyond a wall: until no cell of it has
/// fluid on two opposite sides. (Where values belong to faces, as in the flow solvers here, thin walls need no
/// padding.)
///
/// Every added cell lies in the box of 2^Dim cells whose lower corner is such a cell, and none is too many: without any
/// of the added cells, or several of them, some cell would have fluid on two opposite sides again.
/// @param fluid  what the body may grow into; shares no cell with it. Cells in neither, beyond a domain, are no fluid
/// Cost: a pass over the sets, and one on the host over the cells that are too thin.
/// @throws std::invalid_argument  if the two share a cell, or a cell would leave the range of coordinates
/// Source: Scheidegger, Comba, da Cunha, Practical CFD simulations on programmable graphics hardware using SMAC,
/// Computer Graphics Forum 24 (2005), section 5.6.
template <int Dim>
PaddedSolid<Dim> pad_thin(IntervalSet<Dim> const& solid, IntervalSet<Dim> const& fluid);

/// The same with fluid wherever the body is not.
template <int Dim>
PaddedSolid<Dim> pad_thin(IntervalSet<Dim> const& solid);

}  // namespace sparse
