#pragma once
/// Solid bodies: which cells they take, and where their surface is.

#include <cmath>
#include <functional>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/grid.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/shapes/distance.hpp>

namespace sparse::amr {

/// A body as a domain uses it; see `body_from_distance` and `body_from_cells`.
template <int Dim>
struct Body {
  std::string name;
  BoundaryKind wall = BoundaryKind::wall;
  /// The cells of the body at a resolution, as far as they lie in a box.
  std::function<IntervalSet<Dim>(Grid<Dim> const&, Box<Dim> const&, Context const&)> cells;
  /// Fills a field of 1 + Dim components on `cells`: the distance from their centres to the surface [length], negative
  /// inside, and the unit normal that points into the fluid, or zero if there is none. Empty: the surface is the faces
  /// of the cells.
  std::function<void(Grid<Dim> const&, IntervalSet<Dim> const& cells, Field<double, Dim>&)> distance;
};

// ---- ready-made distances [length]; `is_exact`: they change by no more than the distance between two points

template <int Dim>
struct BallDistance {
  static constexpr bool is_exact = true;
  Vec<double, Dim> center;
  double radius;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - center[axis]) * (x[axis] - center[axis]);
    return std::sqrt(square) - radius;
  }
};

template <int Dim>
struct BoxDistance {
  static constexpr bool is_exact = true;
  Vec<double, Dim> lower, upper;
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
  static constexpr bool is_exact = true;
  Vec<double, Dim> a, b;
  double radius;
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
  static constexpr bool is_exact = true;
  Vec<double, Dim> point, normal;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double distance = 0;
    for (int axis = 0; axis < Dim; ++axis) distance += (x[axis] - point[axis]) * normal[axis];
    return distance;
  }
};

namespace detail {

/// A distance in space, asked at a point in units of the cell width; over the largest cell width if `scale` says so,
/// which makes exact distances change by no more than the distance in cells.
template <class Distance, int Dim>
struct DistanceInCells {
  Distance distance;
  Vec<double, Dim> origin, spacing;
  double scale;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& cells) const {
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + cells[axis] * spacing[axis];
    return distance(x) * scale;
  }
};

template <class Distance, int Dim>
IntervalSet<Dim> cells_inside(Distance const& distance, Grid<Dim> const& grid, Box<Dim> const& box,
                              Context const& context) {
  double widest = 0;
  for (int axis = 0; axis < Dim; ++axis) widest = std::max(widest, grid.spacing[axis]);
  DistanceInCells<Distance, Dim> const in_cells{distance, grid.origin, grid.spacing, 1 / widest};
  if constexpr (requires { Distance::is_exact; })
    return from_signed_distance<Dim>(box, in_cells, context);
  else
    return from_level_set<Dim>(box, in_cells, context);
}

/// Distance to the surface and normal, to first order, from differences over a small part of a cell. In the middle of a
/// thin body, where there is no normal, it is zero.
template <class Distance, int Dim>
struct MeasureDistance {
  Distance distance;
  Vec<double, Dim> origin, spacing;
  FieldView<double> out;
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    Vec<Coord, Dim> const cell = p.coordinates();
    Vec<double, Dim> x, gradient;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + (cell[axis] + 0.5) * spacing[axis];
    double const here = distance(x);
    double square = 0, one_sided_square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      double const step = 0.05 * spacing[axis];
      Vec<double, Dim> lower = x, upper = x;
      lower[axis] -= step;
      upper[axis] += step;
      double const below = (here - distance(lower)) / step, above = (distance(upper) - here) / step;
      gradient[axis] = 0.5 * (below + above);
      square += gradient[axis] * gradient[axis];
      one_sided_square += 0.5 * (below * below + above * above);
    }
    bool const is_kink = !(square > 1e-4 * one_sided_square);
    double const inverse = is_kink ? 0 : 1 / std::sqrt(square);
    double const slope = std::sqrt(is_kink ? one_sided_square : square);
    out(0, p.cell) = slope > 0 ? here / slope : here;
    for (int axis = 0; axis < Dim; ++axis) out(1 + axis, p.cell) = gradient[axis] * inverse;
  }
};

template <class Distance, int Dim>
void measure_distance(Distance const& distance, Grid<Dim> const& grid, IntervalSet<Dim> const& cells,
                      Field<double, Dim>& out) {
  for_each("sparse::amr::measure_distance", Subset<Dim>(cells, out.domain()),
           MeasureDistance<Distance, Dim>{distance, grid.origin, grid.spacing, out.view()});
}

}  // namespace detail

/// The body where a function of position is negative; cells belong to it when their centres do.
///
/// @param distance  device functor, `double operator()(Vec<double, Dim> x)` [length]: the signed distance to the
///                  surface, or any function that is proportional to it near the surface. With a member
///                  `static constexpr bool is_exact = true` it promises not to change by more than the distance between
///                  two points; then only cells near the surface are asked. Across periodic sides it must be periodic.
template <int Dim, class Distance>
Body<Dim> body_from_distance(std::string name, Distance const& distance, BoundaryKind wall = BoundaryKind::wall) {
  Body<Dim> body;
  body.name = std::move(name);
  body.wall = wall;
  body.cells = [distance](Grid<Dim> const& grid, Box<Dim> const& box, Context const& context) {
    return detail::cells_inside<Distance, Dim>(distance, grid, box, context);
  };
  body.distance = [distance](Grid<Dim> const& grid, IntervalSet<Dim> const& cells, Field<double, Dim>& out) {
    detail::measure_distance<Distance, Dim>(distance, grid, cells, out);
  };
  return body;
}

/// The body made of these cells of the domain's `body_level`; its walls are their faces.
template <int Dim>
Body<Dim> body_from_cells(std::string name, IntervalSet<Dim> const& cells, BoundaryKind wall = BoundaryKind::wall) {
  Body<Dim> body;
  body.name = std::move(name);
  body.wall = wall;
  body.cells = [cells](Grid<Dim> const&, Box<Dim> const& box, Context const& context) {
    return cells & sparse::box<Dim>(box.begin, box.end, context);
  };
  return body;
}

}  // namespace sparse::amr
