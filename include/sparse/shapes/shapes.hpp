#pragma once
/// Sets from shapes, functions and bitmaps.
///
/// **A cell belongs to a shape when its centre does.** Cell i's centre is at i + 1/2 in units of the cell width. So {8,
/// 8} is the corner between cells 7 and 8, and cell 8 has its centre at 8.5. All lengths here are in cell widths.
/// `Grid` (base/grid.hpp) converts from metres; physical.hpp takes metres directly.
///
/// Round shapes and half-spaces are closed: a centre exactly on the boundary belongs. Where two polygons or meshes
/// share a boundary, a centre on it belongs to the one on its right or above it (polygon.hpp).

#include <vector>

#include <sparse/sets/assemble.hpp>

namespace sparse {
namespace detail {

template <class T, int N>
Vec<T, N> vec(T const (&values)[N]) {
  Vec<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = values[i];
  return result;
}

}  // namespace detail

/// The cells with begin <= cell < end. Cost: that of its rows.
/// @throws std::invalid_argument  if an end lies before its begin, or a coordinate is out of range
template <int Dim>
IntervalSet<Dim> box(Vec<Coord, Dim> const& begin, Vec<Coord, Dim> const& end, Context const& context = Context());
/// The same for lists in braces; their length is the dimension: `box({0, 0}, {400, 160})`.
template <int Dim>
IntervalSet<Dim> box(Coord const (&begin)[Dim], Coord const (&end)[Dim], Context const& context = Context()) {
  return box(detail::vec(begin), detail::vec(end), context);
}

/// The cells whose centres are at most `radius` away from `center`. The cost of all round shapes grows with their rows,
/// not their area.
/// @throws std::invalid_argument  if radius is negative or not finite, or a coordinate is out of range
template <int Dim>
IntervalSet<Dim> ball(Vec<double, Dim> const& center, double radius, Context const& context = Context());
/// The same for a list in braces: `ball({80, 80}, 20)`.
/// @throws std::invalid_argument  as above
template <int Dim>
IntervalSet<Dim> ball(double const (&center)[Dim], double radius, Context const& context = Context()) {
  return ball(detail::vec(center), radius, context);
}

/// The cells with centres in the ellipsoid (ellipse) with these semi-axes along x, y (and z): a sum of ((x - center) /
/// radius)^2 of at most 1. Along an axis with radius 0, only x == center belongs. Equal radii give `ball`.
/// @throws std::invalid_argument  if a radius is negative or not finite, or a coordinate is out of range
template <int Dim>
IntervalSet<Dim> ellipsoid(Vec<double, Dim> const& center, Vec<double, Dim> const& radii,
                           Context const& context = Context());
template <int Dim>
IntervalSet<Dim> ellipsoid(double const (&center)[Dim], double const (&radii)[Dim],
                           Context const& context = Context()) {
  return ellipsoid(detail::vec(center), detail::vec(radii), context);
}

/// The cells whose centres are at most `radius` away from the segment from `a` to `b`; with a == b, `ball`.
/// @throws std::invalid_argument  if radius is negative or not finite, or a coordinate is out of range
template <int Dim>
IntervalSet<Dim> capsule(Vec<double, Dim> const& a, Vec<double, Dim> const& b, double radius,
                         Context const& context = Context());
template <int Dim>
IntervalSet<Dim> capsule(double const (&a)[Dim], double const (&b)[Dim], double radius,
                         Context const& context = Context()) {
  return capsule(detail::vec(a), detail::vec(b), radius, context);
}

/// The cells of `domain` whose centres lie on or behind the plane (line) through `point`: (x - point) . normal <= 0.
/// The normal points outwards and may have any length.
/// @throws std::invalid_argument  if the normal is zero, a number is not finite, or the domain is not valid (see `box`)
template <int Dim>
IntervalSet<Dim> half_space(Vec<double, Dim> const& point, Vec<double, Dim> const& normal, Box<Dim> const& domain,
                            Context const& context = Context());

/// The cells of every other square (cube) of side `width` in `domain`. The squares are anchored at the origin. A square
/// belongs when the sum of its square coordinates is even, as for the square from {0, 0}.
/// @throws std::invalid_argument  if width is not positive, or the domain is not valid
template <int Dim>
IntervalSet<Dim> checkerboard(Box<Dim> const& domain, Coord width, Context const& context = Context());

/// The cells of `domain` whose byte is not zero.
/// @param bytes  one per cell of the box, x fastest, then y, then z
/// @throws std::invalid_argument  if the number of bytes is not that of the cells, or the domain is not valid
/// Cost: a copy of the bytes to the device and a pass over them.
template <int Dim>
IntervalSet<Dim> from_bitmap(Box<Dim> const& domain, std::vector<std::uint8_t> const& bytes,
                             Context const& context = Context());

namespace detail {

template <int Dim, class Predicate>
struct PredicateRow {
  RowKey const* keys;
  Coord begin, end;
  Predicate predicate;
  KOKKOS_FUNCTION Index bound(Index) const { return (Index{end} - begin + 1) / 2; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    bool is_inside = false;
    for (Coord x = begin; x < end; ++x) {
      bool const was_inside = is_inside;
      is_inside = predicate(cell_at<Dim>(keys[r], x));
      if (is_inside && !was_inside) out->begin = x;
      if (!is_inside && was_inside) (out++)->end = x;
    }
    if (is_inside) (out++)->end = end;
    return out;
  }
};

template <class Function, int Dim>
struct IsNegative {
  Function function;
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const {
    Vec<double, Dim> center;
    for (int axis = 0; axis < Dim; ++axis) center[axis] = cell[axis] + 0.5;
    return function(center) < 0;
  }
};

}  // namespace detail

/// The cells of `domain` for which `predicate(Vec<Coord, Dim> cell)` is true. Cost: one call per cell of the box.
/// @throws std::invalid_argument  if the domain is not valid (see `box`); here and in `from_level_set`
template <int Dim, class Predicate>
IntervalSet<Dim> from_predicate(Box<Dim> const& domain, Predicate const& predicate,
                                Context const& context = Context()) {
  detail::expect_valid(domain, "from_predicate");
  if (domain.is_empty()) return {};
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::shapes::predicate", keys.data(), keys.size(),
                       detail::PredicateRow<Dim, Predicate>{keys.data(), domain.begin[0], domain.end[0], predicate});
}

/// The cells of `domain` at whose centres `function(Vec<double, Dim> x)` is negative, as a signed distance is inside.
/// Cost: as `from_predicate`.
template <int Dim, class Function>
IntervalSet<Dim> from_level_set(Box<Dim> const& domain, Function const& function, Context const& context = Context()) {
  return from_predicate(domain, detail::IsNegative<Function, Dim>{function}, context);
}

}  // namespace sparse
