#include <sparse/solvers/incompressible/sample.hpp>

#include <cmath>
#include <string>

namespace sparse::incompressible {
namespace {

/// Where a point is, seen from the cells; its position is -1 if it is not in the fluid.
template <class T, int Dim>
KOKKOS_FUNCTION Place<T, Dim> place_of(GridView<Dim> const& grid, Vec<double, Dim> const& point) {
  Place<T, Dim> place{-1, {}};
  Vec<Coord, Dim> cell;
  for (int axis = 0; axis < Dim; ++axis) {
    double const x = point[axis] / grid.spacing[axis], base = std::floor(x);
    if (!(base > -coord_limit && base < coord_limit)) return place;  // nor a NaN
    cell[axis] = static_cast<Coord>(base);
    place.at[axis] = static_cast<T>(x - base);
  }
  place.position = grid.find(cell);
  if (!grid.is_fluid(place.position)) place.position = -1;
  return place;
}

template <class T, int Dim>
void sample_component(StaggeredGrid<Dim> const& grid, T const* values, int component,
                      Buffer<Vec<double, Dim>> const& points, T* out) {
  auto const view = grid.view();
  Vec<double, Dim> const* const point = points.data();
  parallel_for(
      grid.context(), "sparse::incompressible::sample", points.size(), KOKKOS_LAMBDA(Index i) {
        out[i] = detail::corners_at(view, values, component, place_of<T>(view, point[i])).mean();
      });
}

template <int Dim>
Buffer<Vec<double, Dim>> points_inside(StaggeredGrid<Dim> const& grid, std::vector<Vec<double, Dim>> const& points) {
  auto const view = grid.view();
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

}  // namespace

template <class T, int Dim>
std::vector<Vec<T, Dim>> sample_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                                         std::vector<Vec<double, Dim>> const& points) {
  grid.expect_stored(velocity, Dim, "velocity");
  auto const buffer = points_inside(grid, points);
  Buffer<T> const out(grid.context(), buffer.size());
  std::vector<Vec<T, Dim>> result(points.size());
  for (int a = 0; a < Dim; ++a) {
    sample_component(grid, velocity.component(a), a, buffer, out.data());
    auto const values = to_host(grid.context(), static_cast<T const*>(out.data()), out.size());
    for (std::size_t i = 0; i < values.size(); ++i) result[i][a] = values[i];
  }
  return result;
}

template <class T, int Dim>
std::vector<T> sample_cells(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values,
                            std::vector<Vec<double, Dim>> const& points) {
  grid.expect_stored(values, 1, "cell field");
  auto const buffer = points_inside(grid, points);
  Buffer<T> const out(grid.context(), buffer.size());
  sample_component(grid, values.component(0), Dim, buffer, out.data());
  return to_host(grid.context(), static_cast<T const*>(out.data()), out.size());
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template std::vector<Vec<T, Dim>> sample_velocity(StaggeredGrid<Dim> const&, Field<T, Dim> const&,                   \
                                                    std::vector<Vec<double, Dim>> const&);                             \
  template std::vector<T> sample_cells(StaggeredGrid<Dim> const&, Field<T, Dim> const&,                                \
                                       std::vector<Vec<double, Dim>> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
