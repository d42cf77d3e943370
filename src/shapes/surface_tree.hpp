#pragma once
/// Polygons and surfaces of triangles as trees of boxes. They find the nearest element and count the crossings of a
/// ray.

#include <cmath>
#include <vector>

#include <sparse/base/buffer.hpp>
#include <sparse/base/vec_products.hpp>
#include <sparse/shapes/polygon.hpp>

#include "exact.hpp"

namespace sparse::detail {

/// An edge of a polygon, or a triangle.
template <int Dim>
struct SurfaceElement {
  Vec<double, Dim> corners[Dim];
};

/// A box around elements. The first half of an inner node follows it in the array.
template <int Dim>
struct SurfaceNode {
  Vec<double, Dim> lower, upper;
  int first, count;  ///< elements of a leaf; count is 0 for an inner node
  int second;        ///< index of an inner node's second half
};

KOKKOS_FORCEINLINE_FUNCTION double clamped(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x; }

template <int Dim>
KOKKOS_FUNCTION double square_to_segment(Vec<double, Dim> const& x, Vec<double, Dim> const& a,
                                         Vec<double, Dim> const& b) {
  Vec<double, Dim> const edge = b - a;
  double const length = dot(edge, edge), along = dot(x - a, edge);
  Vec<double, Dim> const apart = x - a - (length > 0 ? clamped(along / length) : 0) * edge;
  return dot(apart, apart);
}

/// Square of the distance from a point to an element.
KOKKOS_FUNCTION inline double square_to(Vec<double, 2> const& x, SurfaceElement<2> const& edge) {
  return square_to_segment(x, edge.corners[0], edge.corners[1]);
}
/// The distance is that to the plane if the point lies above the triangle's inside, else that to an edge.
KOKKOS_FUNCTION inline double square_to(Vec<double, 3> const& x, SurfaceElement<3> const& triangle) {
  Vec<double, 3> const &a = triangle.corners[0], &b = triangle.corners[1], &c = triangle.corners[2];
  Vec<double, 3> const u = b - a, v = c - a, w = x - a;
  double const uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  double const area = uu * vv - uv * uv, s = vv * uw - uv * vw, t = uu * vw - uv * uw;
  if (area > 0 && s >= 0 && t >= 0 && s + t <= area) {
    Vec<double, 3> const apart = w - (s / area) * u - (t / area) * v;
    return dot(apart, apart);
  }
  return std::fmin(square_to_segment(x, a, b), std::fmin(square_to_segment(x, b, c), square_to_segment(x, c, a)));
}

/// How an element turns around a point, as seen by a ray from it along x: 1, -1, or 0 if the ray misses it. Decided
/// without rounding, and consistently for elements that share a corner or an edge.
KOKKOS_FUNCTION inline int turn_on_ray(Vec<double, 2> const& x, Vec<double, 2> const& a, Vec<double, 2> const& b) {
  bool const up = a[1] <= x[1] && x[1] < b[1], down = b[1] <= x[1] && x[1] < a[1];
  if (up) return exact::side(a, b, x) > 0 ? 1 : 0;
  return down && exact::side(b, a, x) > 0 ? -1 : 0;
}
KOKKOS_FUNCTION inline int turn_on_ray(Vec<double, 2> const& x, SurfaceElement<2> const& edge) {
  return turn_on_ray(x, edge.corners[0], edge.corners[1]);
}
KOKKOS_FUNCTION inline int turn_on_ray(Vec<double, 3> const& x, SurfaceElement<3> const& triangle) {
  Vec<double, 2> shadow[3];
  for (int corner = 0; corner < 3; ++corner)
    shadow[corner] = {triangle.corners[corner][1], triangle.corners[corner][2]};
  Vec<double, 2> const point{x[1], x[2]};
  int turn = 0;
  for (int corner = 0; corner < 3; ++corner) turn += turn_on_ray(point, shadow[corner], shadow[(corner + 1) % 3]);
  if (turn == 0) return 0;
  return exact::side(triangle.corners[0], triangle.corners[1], triangle.corners[2], x) * turn < 0 ? turn : 0;
}

/// The signed distance of any point to a surface.
template <int Dim>
struct SurfaceDistance {
  static constexpr bool is_exact = true;
  SurfaceNode<Dim> const* nodes;
  SurfaceElement<Dim> const* elements;
  FillRule rule;

  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double const distance = std::sqrt(least_square(x));
    int const turns = turns_around(x);
    bool const is_inside = rule == FillRule::even_odd ? turns % 2 != 0 : turns != 0;
    return is_inside ? -distance : distance;
  }

private:
  static constexpr int depth = 64;  ///< enough: halving 2^31 elements takes fewer steps

  KOKKOS_FUNCTION static double square_to_box(Vec<double, Dim> const& x, SurfaceNode<Dim> const& node) {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      double const out = std::fmax(node.lower[axis] - x[axis], x[axis] - node.upper[axis]);
      square += out > 0 ? out * out : 0;
    }
    return square;
  }
  KOKKOS_FUNCTION double least_square(Vec<double, Dim> const& x) const {
    int stack[depth], height = 0;
    double least = HUGE_VAL;
    stack[height++] = 0;
    while (height > 0) {
      int const n = stack[--height];
      SurfaceNode<Dim> const& node = nodes[n];
      if (square_to_box(x, node) >= least) continue;
      for (int e = node.first; e < node.first + node.count; ++e) least = std::fmin(least, square_to(x, elements[e]));
      if (node.count > 0) continue;
      bool const is_first_nearer = square_to_box(x, nodes[n + 1]) <= square_to_box(x, nodes[node.second]);
      stack[height++] = is_first_nearer ? node.second : n + 1;
      stack[height++] = is_first_nearer ? n + 1 : node.second;
    }
    return least;
  }
  KOKKOS_FUNCTION int turns_around(Vec<double, Dim> const& x) const {
    int stack[depth], height = 0, turns = 0;
    stack[height++] = 0;
    while (height > 0) {
      int const n = stack[--height];
      SurfaceNode<Dim> const& node = nodes[n];
      bool is_crossed = node.upper[0] >= x[0];
      for (int axis = 1; axis < Dim; ++axis)
        is_crossed = is_crossed && node.lower[axis] <= x[axis] && x[axis] <= node.upper[axis];
      if (!is_crossed) continue;
      for (int e = node.first; e < node.first + node.count; ++e) turns += turn_on_ray(x, elements[e]);
      if (node.count > 0) continue;
      stack[height++] = node.second;
      stack[height++] = n + 1;
    }
    return turns;
  }
};

/// The tree over a surface, for the host and for kernels.
template <int Dim>
class SurfaceTree {
public:
  SurfaceTree(std::vector<SurfaceElement<Dim>> elements, FillRule rule, Context const& context);
  SurfaceDistance<Dim> on_host() const { return {nodes_.data(), elements_.data(), rule_}; }
  SurfaceDistance<Dim> on_device() const { return {device_nodes_.data(), device_elements_.data(), rule_}; }

private:
  void build(std::size_t first, std::size_t count);

  std::vector<SurfaceElement<Dim>> elements_;
  std::vector<SurfaceNode<Dim>> nodes_;
  Buffer<SurfaceElement<Dim>> device_elements_;
  Buffer<SurfaceNode<Dim>> device_nodes_;
  FillRule rule_;
};

}  // namespace sparse::detail
