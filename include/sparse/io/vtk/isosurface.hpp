#pragma once
/// Surfaces on which values at nodes are equal.

#include <vector>

#include <sparse/base/grid.hpp>
#include <sparse/io/pictures/poly_data.hpp>

namespace sparse::io {

/// The triangles on which the trilinear values at the nodes of a box are `value`. Where the surface meets the sides of
/// the box it is open.
/// @param count   nodes along each axis, > 1
/// @param grid    node i is at origin + i spacing
/// @param values  [node], x fastest, then y
/// @throws std::invalid_argument  if there is not a value per node, or one is not finite
/// Cost: VTK's flying edges, a few passes over the nodes.
PolyData isosurface(Vec<int, 3> const& count, Grid<3> const& grid, std::vector<double> const& values, double value);

}  // namespace sparse::io
