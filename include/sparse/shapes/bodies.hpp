#pragma once
/// Solid bodies: which cells they cover, and where their surface is.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/grid.hpp>
#include <sparse/shapes/distance.hpp>
#include <sparse/shapes/distances.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/triangle_mesh.hpp>

namespace sparse {

/// The signed distance of a point from the surface of a solid [length], negative inside. Called on the host. It must
/// not change by more than the distance between two points. Across a period it must repeat itself.
template <int Dim>
using SignedDistance = std::function<double(Vec<double, Dim> const& position)>;

/// The surface as seen from a point.
template <int Dim>
struct SurfacePoint {
  double distance;          ///< from the point to the surface [length], negative inside
  Vec<double, Dim> normal;  ///< of length 1, out of the body; zero if there is none, as in the middle of a thin body
};

/// A body in space. Flow on levels and incompressible flow use the same type; the functions below make bodies.
template <int Dim>
struct Body {
  /// For messages and results.
  std::string name;
  BoundaryKind wall = BoundaryKind::wall;  ///< or `no_slip`
  /// The cells of the body at a resolution, limited to a box.
  std::function<IntervalSet<Dim>(Grid<Dim> const&, Box<Dim> const&, Context const&)> cells;
  /// The distance of a point to the surface. If empty, the faces of the cells are the surface.
  SignedDistance<Dim> distance;
  /// [position in `cells`] the surface as seen from the centres of cells, in device memory.
  std::function<Buffer<SurfacePoint<Dim>>(Grid<Dim> const&, IntervalSet<Dim> const& cells)> surface;
};

/// The body where a function of position is negative. A cell belongs to it when its centre does.
///
/// @param distance  device functor, `double operator()(Vec<double, Dim> x)` [length]: the signed distance to the
///                  surface, or any function that is proportional to it near the surface. With a member
///                  `static constexpr bool is_exact = true` it promises not to change by more than the distance between
///                  two points; then it is called only near the surface. Across periodic sides it must be periodic.
/// @throws std::invalid_argument  if `wall` is neither `wall` nor `no_slip`
template <int Dim, class Distance>
Body<Dim> body_from_distance(std::string name, Distance const& distance, BoundaryKind wall = BoundaryKind::wall);

/// The body made of these cells. They count as cells of every grid that asks for the body. The walls are their faces.
/// @throws std::invalid_argument  if `wall` is neither `wall` nor `no_slip`
template <int Dim>
Body<Dim> body_from_cells(std::string name, IntervalSet<Dim> const& cells, BoundaryKind wall = BoundaryKind::wall);

/// The inside of a polygon [length], with its edges as walls.
///
/// The distance of a point is that to the nearest edge. `polygon` defines the inside. Across periodic sides the polygon
/// must repeat itself. Cost: a search tree of the edges; then the logarithm of their number for each point.
/// @throws std::invalid_argument  if a loop has fewer than three points, a coordinate is not finite, or `wall` is
///                                neither `wall` nor `no_slip`
Body<2> body_from_polygon(std::string name, std::vector<Loop> const& loops, FillRule rule = FillRule::even_odd,
                          BoundaryKind wall = BoundaryKind::wall, Context const& context = Context());

/// The inside of a closed surface of triangles [length]. `triangle_mesh` defines the inside; the rest is as for
/// polygons.
/// @throws std::invalid_argument  if the surface is not closed, or as `body_from_polygon`
Body<3> body_from_mesh(std::string name, TriangleMesh const& mesh, BoundaryKind wall = BoundaryKind::wall,
                       Context const& context = Context());

/// The same body with the faces of its cells as walls.
template <int Dim>
Body<Dim> as_staircase(Body<Dim> body) {
  body.distance = nullptr;
  body.surface = nullptr;
  return body;
}

/// The distance to the nearest of the bodies or of their periodic images. Cost per call: one of each body's distance,
/// and three of it for each periodic axis, multiplied.
/// @param period  [axis] length of the period; 0 along axes that are not periodic
/// @throws std::invalid_argument  if there is no body, or a body has no distance function
template <int Dim>
SignedDistance<Dim> distance_to(std::vector<Body<Dim>> const& bodies, Vec<double, Dim> const& period = {});

/// The number of a body.
template <int Dim>
using BodyNumber = std::function<std::size_t(Vec<double, Dim> const& position)>;

/// Which body is the nearest one to a point, also by its periodic images. Of some that are equally near it is the
/// first. Cost per call, period and errors: as of `distance_to`.
/// @throws std::invalid_argument  if there is no body, or a body has no distance function
template <int Dim>
BodyNumber<Dim> nearest_of(std::vector<Body<Dim>> const& bodies, Vec<double, Dim> const& period = {});

namespace detail {

void expect_wall(BoundaryKind wall, std::string const& body);

/// A distance in space, as a function of a point in units of the cell width. It is multiplied by `scale`: with one over
/// the largest cell width, an exact distance changes by no more than the distance in cells.
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
struct MeasureSurface {
  Distance distance;
  Vec<double, Dim> origin, spacing;
  SetView cells;
  SurfacePoint<Dim>* out;

  // Not inlined: within a loop along a row, compilers contract products and sums in vectors not always as behind the
  // last one. Then the surface that a cell sees would depend on where its row is cut.
  KOKKOS_FUNCTION __attribute__((noinline)) SurfacePoint<Dim> seen_from(Vec<Coord, Dim> const& cell) const {
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
    return {slope > 0 ? here / slope : here, inverse * gradient};
  }
  /// For row r of the cells.
  KOKKOS_FUNCTION void operator()(Index r) const {
    for (Index i = cells.row_ptr[r]; i < cells.row_ptr[r + 1]; ++i) {
      Interval const interval = cells.intervals[i];
      for (Coord x = interval.begin; x < interval.end; ++x)
        out[cells.cell_offsets[i] + (x - interval.begin)] = seen_from(cell_at<Dim>(cells.row_keys[r], x));
    }
  }
};

template <class Distance, int Dim>
Buffer<SurfacePoint<Dim>> measure_surface(Distance const& distance, Grid<Dim> const& grid,
                                          IntervalSet<Dim> const& cells) {
  Buffer<SurfacePoint<Dim>> result(cells.context(), cells.cell_count());
  SetView const view = cells.view();
  parallel_for(cells.context(), "sparse::bodies::measure_surface", view.row_count,
               MeasureSurface<Distance, Dim>{distance, grid.origin, grid.spacing, view, result.data()});
  return result;
}

}  // namespace detail

template <int Dim, class Distance>
Body<Dim> body_from_distance(std::string name, Distance const& distance, BoundaryKind wall) {
  detail::expect_wall(wall, name);
  Body<Dim> body{std::move(name), wall, {}, {}, {}};
  body.cells = [distance](Grid<Dim> const& grid, Box<Dim> const& box, Context const& context) {
    return detail::cells_inside<Distance, Dim>(distance, grid, box, context);
  };
  body.distance = [distance](Vec<double, Dim> const& x) { return distance(x); };
  body.surface = [distance](Grid<Dim> const& grid, IntervalSet<Dim> const& cells) {
    return detail::measure_surface<Distance, Dim>(distance, grid, cells);
  };
  return body;
}

}  // namespace sparse
