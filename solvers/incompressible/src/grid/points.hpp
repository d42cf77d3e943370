#pragma once
/// Looks up points that callers give.

#include <cmath>
#include <string>
#include <vector>

#include "place.hpp"
#include "ranks.hpp"

namespace sparse::incompressible::detail {

/// The cell of a point, and the place in the cell. The position is -1 if the point is not in the fluid.
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> place_of(GridView<Dim> const& grid, Vec<double, Dim> const& point) {
  Place<T, Dim> place{-1, {}};
  Vec<Coord, Dim> cell;
  for (int axis = 0; axis < Dim; ++axis) {
    double const x = (point[axis] - grid.origin[axis]) / grid.spacing[axis], base = std::floor(x);
    if (!(base > -coord_limit && base < coord_limit)) return place;  // also for NaN
    cell[axis] = static_cast<Coord>(base);
    place.at[axis] = static_cast<T>(x - base);
  }
  place.position = grid.find(cell);
  if (!grid.is_fluid(place.position)) place.position = -1;
  return place;
}

/// Copies points to device memory. Over ranks, those of a level take points in their own leaves.
/// @throws std::invalid_argument  naming the first point that is in no cell of the fluid
template <int Dim>
Buffer<Vec<double, Dim>> points_inside(StaggeredGrid<Dim> const& grid, std::vector<Vec<double, Dim>> const& points) {
  if (!grid.body().ranks || !grid.body().ranks->is_of_level()) expect_alone(grid, "a sample");
  auto const view = grid.body().view();
  auto buffer = to_device(grid.context(), points);
  Vec<double, Dim> const* const point = buffer.data();
  Index const count = buffer.size();
  Index const first = parallel_reduce<Kokkos::Min, Index>(
      grid.context(), "sparse::incompressible::first_outside", count, KOKKOS_LAMBDA(Index i, Index & least) {
        if (i < least && place_of<double>(view, point[i]).position < 0) least = i;
      });
  if (first < count) {
    auto const& x = points[static_cast<std::size_t>(first)];
    std::string text;
    for (int axis = 0; axis < Dim; ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(x[axis]);
    fail("incompressible: number " + std::to_string(first) + " of the points, (" + text + "), is not in the fluid");
  }
  return buffer;
}

}  // namespace sparse::incompressible::detail
