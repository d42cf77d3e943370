#pragma once
/// Groups of cells beside curved walls. Each is large enough for steps of the open grid.

#include <sparse/base/buffer.hpp>

#include "body.hpp"

namespace sparse::incompressible::detail {

/// A cell of a group.
template <int Dim>
struct GroupCell {
  Index position;         // in storage
  double volume;          // the fluid part, or what counts for it: `CutCell::capacity`
  double share[2 * Dim];  // open shares of the faces; 0 for faces within the group
};

/// All cells with a cut face, and the neighbours that they need. A cell of less than the least volume is joined with
/// the neighbour behind its widest opening, until the group has that volume or no other neighbour.
template <int Dim>
struct CellGroups {
  Buffer<GroupCell<Dim>> cells;
  Buffer<Index> begins;  // [group count + 1] in `cells`
  IntervalSet<Dim> all;  // of these cells
};

/// @param least_volume  of a group, in whole cells; with 0 each cell with a cut face is a group
/// Cost: a pass over the storage on the host. Nothing without curved walls.
template <int Dim>
CellGroups<Dim> cell_groups(GridBody<Dim> const& body, double least_volume);

}  // namespace sparse::incompressible::detail
