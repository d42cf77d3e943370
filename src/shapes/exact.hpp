#pragma once
/// Exact tests for the side of a line or plane on which a point lies.
///
/// Source: Shewchuk (1997), "Adaptive precision floating-point arithmetic and fast robust geometric predicates". A
/// quick value has a bound on its error. Where that does not decide, the sum of all products is computed exactly.

#include <cmath>

#include <sparse/base/vec.hpp>

namespace sparse::exact {

/// Smaller numbers count as 0, so that products of three neither underflow nor lose digits.
inline constexpr double least = 0x1p-200;

/// An exact sum of doubles and of their products, as an expansion: parts of increasing magnitude that do not overlap.
/// It has at most `capacity` parts: one for each double added, two for a product of two, four for a product of three.
template <int capacity>
class Sum {
public:
  KOKKOS_FUNCTION void add(double value) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      double const sum = value + parts_[i], part = sum - value;
      double const error = (value - (sum - part)) + (parts_[i] - part);
      if (error != 0) parts_[kept++] = error;
      value = sum;
    }
    count_ = kept;
    if (value != 0) parts_[count_++] = value;
  }
  KOKKOS_FUNCTION void add_product(double a, double b) {
    // Uses fma, so that no compiler fuses the multiplication with the addition after it.
    double const product = std::fma(a, b, 0.0);
    add(product);
    add(std::fma(a, b, -product));
  }
  KOKKOS_FUNCTION void add_product(double a, double b, double c) {
    double const product = std::fma(a, b, 0.0);
    add_product(product, c);
    add_product(std::fma(a, b, -product), c);
  }
  /// -1, 0 or 1; the largest part decides.
  KOKKOS_FUNCTION int sign() const { return count_ == 0 ? 0 : parts_[count_ - 1] < 0 ? -1 : 1; }

private:
  double parts_[capacity];
  int count_ = 0;
};

using Point2 = Vec<double, 2>;
using Point3 = Vec<double, 3>;

KOKKOS_FORCEINLINE_FUNCTION int sign(double x) { return (x > 0) - (x < 0); }

/// 1 when p lies to the left of the line from a to b, -1 to the right, 0 on it.
KOKKOS_FUNCTION inline int side(Point2 const& a, Point2 const& b, Point2 const& p) {
  double const left = (b[0] - a[0]) * (p[1] - a[1]), right = (b[1] - a[1]) * (p[0] - a[0]);
  double const det = left - right;
  if (std::abs(det) > 1e-15 * (std::abs(left) + std::abs(right))) return sign(det);

  Sum<12> sum;
  auto const add_minor = [&](Point2 const& u, Point2 const& v) {
    sum.add_product(u[0], v[1]);
    sum.add_product(-u[1], v[0]);
  };
  add_minor(a, b);
  add_minor(b, p);
  add_minor(p, a);
  return sum.sign();
}

/// 1 when p lies on the side to which the normal (b - a) x (c - a) of the plane through a, b, c points; -1 on the other
/// side, 0 on the plane.
KOKKOS_FUNCTION inline int side(Point3 const& a, Point3 const& b, Point3 const& c, Point3 const& p) {
  Point3 const u = b - a, v = c - a, w = p - a;
  double det = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    int const j = (i + 1) % 3, k = (i + 2) % 3;
    double const left = u[j] * v[k], right = u[k] * v[j];
    det += w[i] * (left - right);
    size += std::abs(w[i]) * (std::abs(left) + std::abs(right));
  }
  if (std::abs(det) > 4e-15 * size) return sign(det);

  // det(b - a, c - a, p - a) = |b c p| - |a c p| + |a b p| - |a b c|. Each determinant has six products.
  Sum<96> sum;
  auto const add_determinant = [&](double factor, Point3 const& q, Point3 const& r, Point3 const& s) {
    for (int i = 0; i < 3; ++i) {
      int const j = (i + 1) % 3, k = (i + 2) % 3;
      sum.add_product(factor * q[i], r[j], s[k]);
      sum.add_product(-factor * q[i], r[k], s[j]);
    }
  };
  add_determinant(1, b, c, p);
  add_determinant(-1, a, c, p);
  add_determinant(1, a, b, p);
  add_determinant(-1, a, b, c);
  return sum.sign();
}

}  // namespace sparse::exact
