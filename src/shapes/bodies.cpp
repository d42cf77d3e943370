#include <sparse/shapes/bodies.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/physical.hpp>

#include "mesh_checks.hpp"
#include "surface_tree.hpp"

namespace sparse {
namespace {

/// A body with the surface in `tree`. `shape(grid, context)` is the set of cells inside.
template <int Dim, class Shape>
Body<Dim> body_with_surface(std::string name, BoundaryKind wall, Shape const& shape,
                            std::shared_ptr<detail::SurfaceTree<Dim> const> const& tree) {
  Body<Dim> body{std::move(name), wall, {}, {}, {}};
  body.cells = [shape](Grid<Dim> const& grid, Box<Dim> const& box, Context const& context) {
    return shape(grid, context) & sparse::box<Dim>(box.begin, box.end, context);
  };
  body.distance = [tree](Vec<double, Dim> const& x) { return tree->on_host()(x); };
  body.surface = [tree](Grid<Dim> const& grid, IntervalSet<Dim> const& cells) {
    return detail::measure_surface(tree->on_device(), grid, cells);
  };
  return body;
}

template <int Dim>
void expect_finite(Vec<double, Dim> const& point, std::string const& body) {
  for (int axis = 0; axis < Dim; ++axis)
    if (!std::isfinite(point[axis])) fail("body '" + body + "': a coordinate is not finite");
}

}  // namespace

void detail::expect_wall(BoundaryKind wall, std::string const& body) {
  if (wall != BoundaryKind::wall && wall != BoundaryKind::no_slip)
    fail("body '" + body + "': its surface must be a wall, with or without friction");
}

template <int Dim>
Body<Dim> body_from_cells(std::string name, IntervalSet<Dim> const& cells, BoundaryKind wall) {
  detail::expect_wall(wall, name);
  Body<Dim> body{std::move(name), wall, {}, {}, {}};
  body.cells = [cells](Grid<Dim> const&, Box<Dim> const& box, Context const& context) {
    return cells & sparse::box<Dim>(box.begin, box.end, context);
  };
  return body;
}

Body<2> body_from_polygon(std::string name, std::vector<Loop> const& loops, FillRule rule, BoundaryKind wall,
                          Context const& context) {
  detail::expect_wall(wall, name);
  std::vector<detail::SurfaceElement<2>> edges;
  for (auto const& loop : loops) {
    if (loop.size() < 3) fail("body '" + name + "': a loop needs at least three points");
    for (std::size_t i = 0; i < loop.size(); ++i) {
      expect_finite(loop[i], name);
      edges.push_back({{loop[i], loop[(i + 1) % loop.size()]}});
    }
  }
  if (edges.empty()) fail("body '" + name + "': the polygon has no edges");
  auto const shape = [loops, rule](Grid<2> const& grid, Context const& at) {
    std::vector<Loop> in_cells;
    for (auto const& loop : loops) in_cells.push_back(to_cells(grid, loop));
    return polygon(in_cells, rule, at);
  };
  return body_with_surface<2>(std::move(name), wall, shape,
                              std::make_shared<detail::SurfaceTree<2> const>(std::move(edges), rule, context));
}

Body<3> body_from_mesh(std::string name, TriangleMesh const& mesh, BoundaryKind wall, Context const& context) {
  detail::expect_wall(wall, name);
  detail::expect_vertices(mesh);
  detail::expect_closed(mesh);
  for (auto const& vertex : mesh.vertices) expect_finite(vertex, name);
  std::vector<detail::SurfaceElement<3>> triangles;
  for (auto const& corners : mesh.triangles) {
    detail::SurfaceElement<3> triangle;
    for (int corner = 0; corner < 3; ++corner)
      triangle.corners[corner] = mesh.vertices[static_cast<std::size_t>(corners[corner])];
    triangles.push_back(triangle);
  }
  if (triangles.empty()) fail("body '" + name + "': the surface has no triangles");
  auto const shape = [mesh](Grid<3> const& grid, Context const& at) { return triangle_mesh(to_cells(grid, mesh), at); };
  return body_with_surface<3>(
      std::move(name), wall, shape,
      std::make_shared<detail::SurfaceTree<3> const>(std::move(triangles), FillRule::non_zero, context));
}

template <int Dim>
SignedDistance<Dim> distance_to(std::vector<Body<Dim>> const& bodies, Vec<double, Dim> const& period) {
  expects(!bodies.empty(), "distance_to: there is no body");
  std::vector<SignedDistance<Dim>> distances;
  for (auto const& body : bodies) {
    if (!body.distance) fail("distance_to: body '" + body.name + "' is made of cells and knows no distance");
    distances.push_back(body.distance);
  }
  SignedDistance<Dim> result = [distances](Vec<double, Dim> const& x) {
    double least = distances[0](x);
    for (auto const& distance : distances) least = std::fmin(least, distance(x));
    return least;
  };
  for (int axis = 0; axis < Dim; ++axis) {
    if (period[axis] == 0) continue;
    auto const step = Vec<double, Dim>::along(axis, period[axis]);
    result = [step, of_one = result](Vec<double, Dim> const& x) {
      return std::fmin(of_one(x), std::fmin(of_one(x - step), of_one(x + step)));
    };
  }
  return result;
}

template <int Dim>
BodyNumber<Dim> nearest_of(std::vector<Body<Dim>> const& bodies, Vec<double, Dim> const& period) {
  expects(!bodies.empty(), "nearest_of: there is no body");
  std::vector<SignedDistance<Dim>> distances;
  for (auto const& body : bodies) distances.push_back(distance_to<Dim>({body}, period));
  return [distances](Vec<double, Dim> const& x) {
    std::size_t nearest = 0;
    double least = distances[0](x);
    for (std::size_t i = 1; i < distances.size(); ++i) {
      double const distance = distances[i](x);
      if (!(distance < least)) continue;
      nearest = i;
      least = distance;
    }
    return nearest;
  };
}

template Body<2> body_from_cells(std::string, IntervalSet<2> const&, BoundaryKind);
template Body<3> body_from_cells(std::string, IntervalSet<3> const&, BoundaryKind);
template SignedDistance<2> distance_to(std::vector<Body<2>> const&, Vec<double, 2> const&);
template SignedDistance<3> distance_to(std::vector<Body<3>> const&, Vec<double, 3> const&);
template BodyNumber<2> nearest_of(std::vector<Body<2>> const&, Vec<double, 2> const&);
template BodyNumber<3> nearest_of(std::vector<Body<3>> const&, Vec<double, 3> const&);

}  // namespace sparse
