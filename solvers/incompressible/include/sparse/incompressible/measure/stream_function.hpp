#pragma once
/// The stream function of a flow in 2D.

#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// psi on the nodes of the fluid, with velocity = (d psi / dy, -d psi / dx). Between two nodes psi grows by the flux
/// through the face that joins them. So it is exact except for rounding if the velocity has no divergence, and constant
/// on every body at rest. Node c is the lower left corner of cell c.
///
/// psi is 0 at the first node of each part of the fluid: the lowest, then the leftmost. In a box that is the lower left
/// corner. Cost: a pass over the nodes on the device, and one on the host.
/// @param velocity  two components on the grid's storage [length / time]
/// @return          one component on `nodes(fluid)` [length^2 / time]
/// @throws std::invalid_argument  if the field does not fit
template <class T>
Field<double, 2> stream_function(StaggeredGrid<2> const& grid, Field<T, 2> const& velocity);

/// A stream function at cell centres: the means of their four nodes.
/// @param psi  from `stream_function`
/// @return     one component on the fluid
/// @throws std::invalid_argument  if the field is not on the grid's nodes
Field<double, 2> on_cells(StaggeredGrid<2> const& grid, Field<double, 2> const& psi);

/// An extremum and its point in space.
struct StreamExtremum {
  /// The value [m^2/s], and where it is [m].
  double value;
  Vec<double, 2> at;
};
/// The least and the greatest value.
struct StreamExtrema {
  /// The two extrema.
  StreamExtremum least, greatest;
};

/// The least and the greatest value of a stream function. Where a node has neighbours on both sides of an axis, a
/// parabola through them moves the extremum between nodes.
/// @param psi  from `stream_function`
/// @throws std::invalid_argument  if the field is not on the grid's nodes
StreamExtrema stream_extrema(StaggeredGrid<2> const& grid, Field<double, 2> const& psi);

/// The centre of an eddy: a local extremum of the stream function.
struct Eddy {
  /// Where the stream function has its extremum.
  StreamExtremum centre;
  bool is_counterclockwise;  ///< psi is greatest there, otherwise least
};

/// The centres of all eddies, in the order of their nodes: from the bottom up, in a row from left to right. There psi
/// is greater, or less, than at all eight nodes around, by more than rounding errors. Parabolas move centres between
/// nodes as `stream_extrema` does. Eddies that are less than about three cells wide have no centre. Cost: nine passes
/// over the nodes, and one on the host.
/// @param psi  from `stream_function`
/// @throws std::invalid_argument  if the field is not on the grid's nodes
std::vector<Eddy> eddies(StaggeredGrid<2> const& grid, Field<double, 2> const& psi);

}  // namespace sparse::incompressible
