#include <sparse/incompressible/measure/sample.hpp>

#include "grid/points.hpp"

namespace sparse::incompressible {
namespace {

template <class T, int Dim>
void sample_component(StaggeredGrid<Dim> const& grid, T const* values, int component,
                      Buffer<Vec<double, Dim>> const& points, T* out) {
  auto const view = grid.body().view();
  Vec<double, Dim> const* const point = points.data();
  parallel_for(
      grid.context(), "sparse::incompressible::sample", points.size(), KOKKOS_LAMBDA(Index i) {
        out[i] = detail::corners_at(view, values, component, detail::place_of<T>(view, point[i])).mean();
      });
}

}  // namespace

template <class T, int Dim>
std::vector<Vec<T, Dim>> sample_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                                         std::vector<Vec<double, Dim>> const& points) {
  grid.expect_stored(velocity, Dim, "velocity");
  auto const buffer = detail::points_inside(grid, points);
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
  auto const buffer = detail::points_inside(grid, points);
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
