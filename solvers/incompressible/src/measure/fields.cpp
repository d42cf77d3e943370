#include <sparse/incompressible/measure/fields.hpp>

#include <sparse/plans/for_each.hpp>

#include "curl.hpp"
#include "grid/body.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
using CellPoint = RunPoint<Dim, 2 + Dim>;

template <class T, int Dim>
void copy_cells(StaggeredGrid<Dim> const& grid, T const* from, T* to) {
  for_each(
      "sparse::incompressible::on_fluid", grid.body().cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p) { to[p.operand(0)] = from[p.operand(1)]; });
}

template <class T, int Dim>
void average_faces(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, FieldView<T> to) {
  for_each(
      "sparse::incompressible::cell_velocity", grid.body().cells(), KOKKOS_LAMBDA(CellPoint<Dim> const& p) {
        for (int a = 0; a < Dim; ++a)
          to(a, p.operand(0)) = T(0.5) * (velocity(a, p.operand(1)) + velocity(a, p.operand(2 + a)));
      });
}

}  // namespace

template <class T, int Dim>
Field<T, Dim> on_fluid(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  grid.expect_stored(values, 1, "cell field");
  Field<T, Dim> result(values.name(), grid.fluid());
  copy_cells(grid, values.component(0), result.component(0));
  return result;
}

template <class T, int Dim>
Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Field<T, Dim> result("velocity", grid.fluid(), Dim);
  average_faces<T, Dim>(grid, velocity.view(), result.view());
  return result;
}

template <class T, int Dim>
Field<T, Dim> vorticity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Field<T, Dim> result("vorticity", grid.fluid(), Dim == 2 ? 1 : 3);
  detail::take_curl(grid, detail::curl_plan(grid, grid.fluid()), velocity, result);
  return result;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template Field<T, Dim> on_fluid(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                    \
  template Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                               \
  template Field<T, Dim> vorticity(StaggeredGrid<Dim> const&, Field<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
