#pragma once
/// The shapes of a case as bodies with known surfaces.

#include <cmath>
#include <filesystem>
#include <optional>

#include <sparse/shapes/bodies.hpp>

#include <sparse/app/cases/case.hpp>

namespace sparse::app {

/// The distance of x from the segment between a and b.
template <int Dim>
KOKKOS_FUNCTION double distance_to_segment(sparse::Vec<double, Dim> const& x, sparse::Vec<double, Dim> const& a,
                                           sparse::Vec<double, Dim> const& b) {
  double along = 0, square = 0, result = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    along += (x[axis] - a[axis]) * (b[axis] - a[axis]);
    square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
  }
  double const part = along <= 0 ? 0 : along >= square ? 1 : along / square;
  for (int axis = 0; axis < Dim; ++axis) {
    double const apart = x[axis] - a[axis] - part * (b[axis] - a[axis]);
    result += apart * apart;
  }
  return std::sqrt(result);
}

/// Whether `curved_body` supports shapes of this kind.
bool knows_distance(CaseShape const& shape);

/// The corners of a polygon, and the surface in an STL file, as `shape` places it [length].
/// @throws std::runtime_error  with the path and the reason, if the file cannot be read
sparse::Loop loop_of(CaseShape const& shape);
sparse::TriangleMesh mesh_of(CaseShape const& shape, std::filesystem::path const& folder);

/// The body of a shape with a known surface. For ellipsoids the distance is of first order near the surface. Nothing
/// for shapes that are cells: bitmaps and expressions.
/// @param folder  folder of the case's files
/// @throws std::runtime_error     with the path and the reason, if an STL file cannot be read
/// @throws std::invalid_argument  if a surface is not closed
template <int Dim>
std::optional<sparse::Body<Dim>> curved_body(CaseShape const& shape, std::filesystem::path const& folder,
                                             sparse::BoundaryKind wall);

}  // namespace sparse::app
