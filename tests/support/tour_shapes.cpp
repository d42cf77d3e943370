#include <cmath>

#include <sparse/base/grid.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/shapes/distance.hpp>
#include <sparse/shapes/physical.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>
#include <sparse/shapes/triangle_mesh.hpp>
#include <support/tour_parts.hpp>

namespace tour {
namespace {

using namespace sparse;

template <int Dim>
struct Checkers {
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const { return (cell[0] + cell[1]) % 3 != 0; }
};

template <int Dim>
struct Slope {
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const { return x[0] - 0.5 * x[1]; }
};

template <int Dim>
struct DistanceToBall {
  double radius;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += x[axis] * x[axis];
    return std::sqrt(square) - radius;
  }
};

/// A tetrahedron with a corner at the origin.
TriangleMesh tetrahedron(double size) {
  return {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

std::vector<Loop> triangle_with_hole(double size) {
  return {{{-size, -size}, {size, -size}, {0, size}}, {{-1, -1}, {1, -1}, {0, 1.5}}};
}

/// Bodies with corners: a polygon in 2D, a mesh in 3D, and a slice of it.
template <int Dim>
std::vector<IntervalSet<Dim>> bodies(double size) {
  Grid<Dim> grid;
  grid.spacing = Vec<double, Dim>::filled(0.5);
  if constexpr (Dim == 2) {
    return {polygon(triangle_with_hole(size)), polygon(triangle_with_hole(size), FillRule::non_zero),
            polygon(to_cells(grid, Loop{{0, 0}, {5, 0}, {5, 4}})), slice(triangle_mesh(tetrahedron(size)), 2, 2),
            slice(triangle_mesh(tetrahedron(size)), 0, 1)};
  } else {
    return {triangle_mesh(tetrahedron(size)), triangle_mesh(to_cells(grid, tetrahedron(0.3 * size))),
            extrude(polygon(triangle_with_hole(size)), -3, 4), extrude(ball<2>({0, 0}, 4), -3, 4, 0)};
  }
}

}  // namespace

template <int Dim>
std::vector<IntervalSet<Dim>> shapes(int step) {
  constexpr Coord size = Dim == 2 ? 60 : 16;
  using Point = Vec<double, Dim>;
  Box<Dim> const domain{Vec<Coord, Dim>::filled(-size / 2), Vec<Coord, Dim>::filled(size / 2)};
  Grid<Dim> grid;
  grid.spacing = Point::filled(0.5);
  auto const place = Point::filled(0.3 * (step % 7));

  std::vector<IntervalSet<Dim>> all{
      box<Dim>(domain.begin, domain.end),
      ball<Dim>(place, size / 4.0),
      from_predicate(domain, Checkers<Dim>{}),
      from_level_set(domain, Slope<Dim>{}),
      from_bitmap(domain, std::vector<std::uint8_t>(static_cast<std::size_t>(domain.cell_count()), 1)),
      from_signed_distance(domain, DistanceToBall<Dim>{size / 3.0}),
      ellipsoid<Dim>(place, Point::filled(size / 5.0) + Point::along(0, 3)),
      capsule<Dim>(-1.0 * place, Point::filled(size / 4.0), 2.5),
      half_space<Dim>(place, Point::filled(1), domain),
      checkerboard<Dim>(domain, 3),
      random_cells<Dim>(domain, 0.3, static_cast<std::uint64_t>(step % 5)),
      random_intervals<Dim>(domain, 4, 3, static_cast<std::uint64_t>(step % 5)),
      box<Dim>(grid, Point::filled(-1), Point::filled(2)),
      ball<Dim>(grid, place, 2.5),
      ellipsoid<Dim>(grid, place, Point::filled(1.5)),
      half_space<Dim>(grid, place, Point::along(1, 1), domain)};
  for (auto& body : bodies<Dim>(size / 2.5)) all.push_back(std::move(body));
  for (auto const& set : all) expects(!set.is_empty(), "a tour of shapes");
  return all;
}

template std::vector<IntervalSet<2>> shapes<2>(int);
template std::vector<IntervalSet<3>> shapes<3>(int);

}  // namespace tour
