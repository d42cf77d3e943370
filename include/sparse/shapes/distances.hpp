#pragma once
/// Signed distances of points to shapes, for kernels: negative inside, in the unit of their numbers.
///
/// With `is_exact`, a distance never changes by more than the distance between two points.

#include <cmath>

#include <sparse/base/vec.hpp>

namespace sparse {

/// The signed distance to the surface of a ball [m]: negative inside. Exact.
template <int Dim>
struct BallDistance {
  /// Whether the value is the distance itself, not a bound of it; the centre and the radius [m].
  static constexpr bool is_exact = true;
  Vec<double, Dim> center;
  double radius;
  /// The signed distance of x [m].
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - center[axis]) * (x[axis] - center[axis]);
    return std::sqrt(square) - radius;
  }
};

/// The signed distance to the surface of a box [m]: negative inside. Exact.
template <int Dim>
struct BoxDistance {
  /// Whether the value is the distance itself; the corners [m].
  static constexpr bool is_exact = true;
  Vec<double, Dim> lower, upper;
  /// The signed distance of x [m].
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0, inside = -1e300;
    for (int axis = 0; axis < Dim; ++axis) {
      double const below = lower[axis] - x[axis], above = x[axis] - upper[axis], out = below > above ? below : above;
      square += out > 0 ? out * out : 0;
      inside = out > inside ? out : inside;
    }
    return inside < 0 ? inside : std::sqrt(square);
  }
};

/// All points at most `radius` away from the segment from `a` to `b`.
template <int Dim>
struct CapsuleDistance {
  /// Whether the value is the distance itself; the ends of the middle line and the radius [m].
  static constexpr bool is_exact = true;
  Vec<double, Dim> a, b;
  double radius;
  /// The signed distance of x [m].
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double along = 0, length = 0, square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      along += (x[axis] - a[axis]) * (b[axis] - a[axis]);
      length += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    }
    double const part = length > 0 ? along / length : 0, clamped = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int axis = 0; axis < Dim; ++axis) {
      double const apart = x[axis] - a[axis] - clamped * (b[axis] - a[axis]);
      square += apart * apart;
    }
    return std::sqrt(square) - radius;
  }
};

/// The points behind the plane through `point`, a line in 2D; `normal` has length 1 and points into the fluid.
template <int Dim>
struct HalfSpaceDistance {
  /// Whether the value is the distance itself; a point of the surface, and its unit normal out of the body.
  static constexpr bool is_exact = true;
  Vec<double, Dim> point, normal;
  /// The signed distance of x [m].
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double distance = 0;
    for (int axis = 0; axis < Dim; ++axis) distance += (x[axis] - point[axis]) * normal[axis];
    return distance;
  }
};

}  // namespace sparse
