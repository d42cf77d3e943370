#pragma once
/// Shapes given in metres. A cell belongs when its centre, in space, lies in the shape.

#include <sparse/base/grid.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/shapes.hpp>
#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse {

/// The cells with centres in [lower, upper) [m] on every axis. So boxes that touch share no cell.
/// @throws std::invalid_argument  if a bound is not finite, lies above the other one, or is out of the range of cells
template <int Dim>
IntervalSet<Dim> box(Grid<Dim> const& grid, Vec<double, Dim> const& lower, Vec<double, Dim> const& upper,
                     Context const& context = Context());

/// The ball of radius `radius` [m]. With unequal spacings it is an ellipsoid of cells.
/// @throws std::invalid_argument  if the radius is negative or not finite, a coordinate is out of range, or the grid
///                                has no valid spacing
template <int Dim>
IntervalSet<Dim> ball(Grid<Dim> const& grid, Vec<double, Dim> const& center, double radius,
                      Context const& context = Context()) {
  return ellipsoid<Dim>(grid.to_cells(center), grid.lengths_to_cells(Vec<double, Dim>::filled(radius)), context);
}

/// The ellipsoid with these semi-axes [m].
/// @throws std::invalid_argument  as `ball`
template <int Dim>
IntervalSet<Dim> ellipsoid(Grid<Dim> const& grid, Vec<double, Dim> const& center, Vec<double, Dim> const& radii,
                           Context const& context = Context()) {
  return ellipsoid<Dim>(grid.to_cells(center), grid.lengths_to_cells(radii), context);
}

/// The cells of `domain` on or behind the plane through `point` [m]. The normal is a vector in space, of any length,
/// and points outwards.
/// @throws std::invalid_argument  as `half_space` in cells, or if the grid has no valid spacing
template <int Dim>
IntervalSet<Dim> half_space(Grid<Dim> const& grid, Vec<double, Dim> const& point, Vec<double, Dim> const& normal,
                            Box<Dim> const& domain, Context const& context = Context()) {
  Vec<double, Dim> stretched;  // normals scale with the inverse of lengths
  for (int axis = 0; axis < Dim; ++axis) stretched[axis] = normal[axis] * grid.spacing[axis];
  return half_space<Dim>(grid.to_cells(point), stretched, domain, context);
}

/// Converts the points of loops and meshes [m] to units of the cell width, for `polygon` and `triangle_mesh`.
/// @throws std::invalid_argument  if the grid has no valid spacing
Loop to_cells(Grid<2> const& grid, Loop loop);
TriangleMesh to_cells(Grid<3> const& grid, TriangleMesh mesh);

}  // namespace sparse
