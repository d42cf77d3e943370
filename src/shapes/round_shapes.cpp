#include <algorithm>
#include <cmath>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "sets/range.hpp"

namespace sparse {
namespace {

/// Corrects an interval whose ends were rounded: the ends move to where `contains` changes.
template <class Contains>
KOKKOS_FUNCTION Interval corrected(Interval guess, Contains const& contains) {
  while (contains(guess.begin - 1)) --guess.begin;
  while (guess.begin < guess.end && !contains(guess.begin)) ++guess.begin;
  while (contains(guess.end)) ++guess.end;
  while (guess.begin < guess.end && !contains(guess.end - 1)) --guess.end;
  return guess;
}

/// The cells with centres from `low` to `high`.
KOKKOS_FORCEINLINE_FUNCTION Interval centres_between(double low, double high) {
  return {static_cast<Coord>(std::ceil(low - 0.5)), static_cast<Coord>(std::floor(high - 0.5)) + 1};
}

/// Stretches distances along each axis until the ellipsoid is a ball of the largest radius.
template <int Dim>
struct EllipsoidRow {
  RowKey const* keys;
  Vec<double, Dim> center, stretch;
  double radius, shrink_x;  // shrink_x = 1 / stretch[0], also if that is infinite

  KOKKOS_FORCEINLINE_FUNCTION static double square(double distance, double stretch) {
    double const d = distance * stretch;
    return distance == 0 ? 0 : d * d;  // a radius of 0 stretches infinitely
  }
  /// This test alone decides about every cell.
  struct Contains {
    double off_axis, center, stretch, radius;
    KOKKOS_FORCEINLINE_FUNCTION bool operator()(Coord x) const {
      return off_axis + square(x + 0.5 - center, stretch) <= radius * radius;
    }
  };
  KOKKOS_FUNCTION Index bound(Index) const { return 1; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Vec<Coord, Dim> const cell = cell_at<Dim>(keys[r], 0);
    double off_axis = 0;
    for (int axis = 1; axis < Dim; ++axis) off_axis += square(cell[axis] + 0.5 - center[axis], stretch[axis]);
    if (off_axis > radius * radius) return out;
    double const half = std::sqrt(radius * radius - off_axis) * shrink_x;
    Interval const row = corrected(centres_between(center[0] - half, center[0] + half),
                                   Contains{off_axis, center[0], stretch[0], radius});
    if (row.begin < row.end) *out++ = row;
    return out;
  }
};

/// In a row, the capsule is the hull of three intervals: those of both balls and of the cylinder between them.
template <int Dim>
struct CapsuleRow {
  RowKey const* keys;
  Vec<double, Dim> a, ab;
  double radius, length_squared, across_squared;  // |ab|^2, and without its x part

  /// This test alone decides about every cell. It has no divisions, so short numbers are not rounded.
  struct Contains {
    CapsuleRow const& capsule;
    Vec<double, Dim> from_a;  // vector to the row; the first entry is not used
    double off_a, off_b;      // squared distances of the row from a and b, without the x part
    double along, turn;       // from_a . ab, and the x part of from_a x ab
    KOKKOS_FUNCTION bool operator()(Coord x) const {
      Vec<double, Dim> const& to_b = capsule.ab;
      double const dx = x + 0.5 - capsule.a[0], square = capsule.radius * capsule.radius;
      double const s = dx * to_b[0] + along;
      if (s <= 0) return off_a + dx * dx <= square;
      if (s >= capsule.length_squared) return off_b + (dx - to_b[0]) * (dx - to_b[0]) <= square;
      double cross = turn * turn;
      for (int axis = 1; axis < Dim; ++axis) {
        double const c = dx * to_b[axis] - from_a[axis] * to_b[0];
        cross += c * c;
      }
      return cross <= square * capsule.length_squared;
    }
  };
  KOKKOS_FUNCTION Index bound(Index) const { return 1; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Vec<Coord, Dim> const cell = cell_at<Dim>(keys[r], 0);
    Contains row{*this, {}, 0, 0, 0, 0};
    for (int axis = 1; axis < Dim; ++axis) {
      double const d = cell[axis] + 0.5 - a[axis];
      row.from_a[axis] = d;
      row.off_a += d * d;
      row.off_b += (d - ab[axis]) * (d - ab[axis]);
      row.along += d * ab[axis];
    }
    if (Dim == 3) row.turn = row.from_a[1] * ab[Dim - 1] - row.from_a[Dim - 1] * ab[1];

    double const square = radius * radius;
    double low = HUGE_VAL, high = -HUGE_VAL;  // relative to a
    if (row.off_a <= square) {
      high = std::sqrt(square - row.off_a);
      low = -high;
    }
    if (row.off_b <= square) {
      double const half = std::sqrt(square - row.off_b);
      low = std::fmin(low, ab[0] - half);
      high = std::fmax(high, ab[0] + half);
    }
    // The cylinder's interval is centred where the row passes the axis, and ends at the planes through a and b. Rows
    // that miss it only by rounding are left to `contains`.
    double const depth = square * across_squared - row.turn * row.turn;
    bool const hits = across_squared > 0 ? depth >= -1e-12 * square * across_squared : row.off_a <= square;
    bool const is_between = ab[0] != 0 || (across_squared > 0 && row.along >= 0 && row.along <= length_squared);
    if (hits && is_between) {
      double from = -HUGE_VAL, to = HUGE_VAL;
      if (across_squared > 0) {
        double const middle = ab[0] * row.along / across_squared;
        double const half = std::sqrt(length_squared * std::fmax(depth, 0.0)) / across_squared;
        from = middle - half;
        to = middle + half;
      }
      if (ab[0] != 0) {
        double const at_a = -row.along / ab[0], at_b = (length_squared - row.along) / ab[0];
        from = std::fmax(from, std::fmin(at_a, at_b));
        to = std::fmin(to, std::fmax(at_a, at_b));
      }
      if (from <= to) {
        low = std::fmin(low, from);
        high = std::fmax(high, to);
      }
    }
    if (low > high) return out;
    Interval const cells = corrected(centres_between(a[0] + low, a[0] + high), row);
    if (cells.begin < cells.end) *out++ = cells;
    return out;
  }
};

/// The rows of the cells whose centres lie between two corners. One more row on each side covers rounding of the
/// corners.
template <int Dim>
Buffer<RowKey> rows_between(Context const& context, Vec<double, Dim> const& low, Vec<double, Dim> const& high,
                            char const* operation) {
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    double const first = std::ceil(low[axis] - 0.5), last = std::floor(high[axis] - 0.5);
    if (!(first > -2.0 * coord_limit && last < 2.0 * coord_limit))
      fail(std::string(operation) + ": the shape leaves the range of coordinates, -2^30 < x < 2^30, or is not finite");
    begin[axis] = static_cast<std::int64_t>(first);
    end[axis] = static_cast<std::int64_t>(last) + 1;
  }
  detail::expect_in_range<Dim>(begin, end, operation);
  Box<Dim> domain;
  for (int axis = 0; axis < Dim; ++axis) {
    domain.begin[axis] = std::max(static_cast<Coord>(begin[axis]) - 1, -coord_limit + 1);
    domain.end[axis] = std::min(static_cast<Coord>(end[axis]) + 1, coord_limit);
  }
  return detail::keys_of(context, domain);
}

}  // namespace

template <int Dim>
IntervalSet<Dim> ball(Vec<double, Dim> const& center, double radius, Context const& context) {
  expects(std::isfinite(radius) && radius >= 0, "ball: the radius must be finite and not negative");
  auto const radii = Vec<double, Dim>::filled(radius);
  Buffer<RowKey> const keys = rows_between<Dim>(context, center - radii, center + radii, "ball");
  return assemble<Dim>(context, "sparse::shapes::ball", keys.data(), keys.size(),
                       EllipsoidRow<Dim>{keys.data(), center, Vec<double, Dim>::filled(1), radius, 1});
}

template <int Dim>
IntervalSet<Dim> ellipsoid(Vec<double, Dim> const& center, Vec<double, Dim> const& radii, Context const& context) {
  double largest = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    expects(std::isfinite(radii[axis]) && radii[axis] >= 0, "ellipsoid: radii must be finite and not negative");
    largest = std::max(largest, radii[axis]);
  }
  Vec<double, Dim> stretch;
  for (int axis = 0; axis < Dim; ++axis) stretch[axis] = radii[axis] == largest ? 1 : largest / radii[axis];
  Buffer<RowKey> const keys = rows_between<Dim>(context, center - radii, center + radii, "ellipsoid");
  double const shrink_x = radii[0] == largest ? 1 : radii[0] / largest;
  return assemble<Dim>(context, "sparse::shapes::ellipsoid", keys.data(), keys.size(),
                       EllipsoidRow<Dim>{keys.data(), center, stretch, largest, shrink_x});
}

template <int Dim>
IntervalSet<Dim> capsule(Vec<double, Dim> const& a, Vec<double, Dim> const& b, double radius, Context const& context) {
  expects(std::isfinite(radius) && radius >= 0, "capsule: the radius must be finite and not negative");
  Vec<double, Dim> low, high;
  double length_squared = 0, across_squared = 0;
  for (int axis = Dim - 1; axis >= 0; --axis) {
    // Each end is tested by itself, because a minimum drops NaN.
    expects(std::isfinite(a[axis]) && std::isfinite(b[axis]), "capsule: the ends must be finite");
    low[axis] = std::min(a[axis], b[axis]) - radius;
    high[axis] = std::max(a[axis], b[axis]) + radius;
    across_squared = length_squared;
    length_squared += (b[axis] - a[axis]) * (b[axis] - a[axis]);
  }
  Buffer<RowKey> const keys = rows_between<Dim>(context, low, high, "capsule");
  return assemble<Dim>(context, "sparse::shapes::capsule", keys.data(), keys.size(),
                       CapsuleRow<Dim>{keys.data(), a, b - a, radius, length_squared, across_squared});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> ball(Vec<double, Dim> const&, double, Context const&);                                     \
  template IntervalSet<Dim> ellipsoid(Vec<double, Dim> const&, Vec<double, Dim> const&, Context const&);               \
  template IntervalSet<Dim> capsule(Vec<double, Dim> const&, Vec<double, Dim> const&, double, Context const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
