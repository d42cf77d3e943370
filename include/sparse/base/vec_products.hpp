#pragma once
/// Products of short vectors.

#include <cmath>

#include <sparse/base/vec.hpp>

namespace sparse {

/// The scalar product.
template <int Dim>
KOKKOS_FUNCTION double dot(Vec<double, Dim> const& a, Vec<double, Dim> const& b) {
  double sum = 0;
  for (int axis = 0; axis < Dim; ++axis) sum += a[axis] * b[axis];
  return sum;
}

/// The Euclidean length.
template <int Dim>
KOKKOS_FUNCTION double length(Vec<double, Dim> const& a) {
  return std::sqrt(dot(a, a));
}

/// The vector product.
KOKKOS_FUNCTION inline Vec<double, 3> cross(Vec<double, 3> const& a, Vec<double, 3> const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace sparse
