#pragma once
/// How far points are from the shapes of a case.

#include "support/flow_scene.hpp"

namespace examples {

/// The signed distance to the surface of a shape, negative inside, of an ellipsoid to first order near it; nothing for
/// shapes that are cells: bitmaps, STL files and expressions.
template <int Dim>
sparse::incompressible::SignedDistance<Dim> distance_of(CaseShape const& shape);

}  // namespace examples
