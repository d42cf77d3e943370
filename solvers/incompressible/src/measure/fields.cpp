#include <sparse/incompressible/measure/fields.hpp>

#include <sparse/plans/for_each.hpp>

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

/// The mean of a velocity component on the faces around a cell's neighbour. Where there is no neighbour, the mirror
/// image beyond the wall.
template <class T, int Dim>
KOKKOS_FUNCTION T beside(GridView<Dim> const& grid, FieldView<T const> const& velocity, Index position, int component,
                         int across, bool is_upper) {
  Index const there = grid.beside(position, across, is_upper);
  int const kind = grid.kind(across, is_upper ? there : position);
  bool const is_open = kind == FaceKind::open;
  Index const low = is_open ? there : position, high = grid.beside(low, component, true);
  T const mean = T(0.5) * (velocity(component, low) + velocity(component, high));
  if (is_open) return mean;
  Mirror const mirror = mirror_of(grid.condition(kind), component);
  return static_cast<T>(mirror.slope) * mean + static_cast<T>(mirror.offset);
}

template <class T, int Dim>
void take_curl(StaggeredGrid<Dim> const& of, FieldView<T const> velocity, FieldView<T> to) {
  auto const grid = of.body().view();
  for_each(
      "sparse::incompressible::vorticity", of.body().cells(), KOKKOS_LAMBDA(CellPoint<Dim> const& p) {
        Index const position = p.operand(1);
        for (int c = 0; c < (Dim == 2 ? 1 : 3); ++c) {
          int const first = Dim == 2 ? 0 : (c + 1) % 3, second = Dim == 2 ? 1 : (c + 2) % 3;
          T const up = beside(grid, velocity, position, second, first, true) -
                       beside(grid, velocity, position, second, first, false);
          T const right = beside(grid, velocity, position, first, second, true) -
                          beside(grid, velocity, position, first, second, false);
          to(c, p.operand(0)) =
              T(0.5) * (up / static_cast<T>(grid.spacing[first]) - right / static_cast<T>(grid.spacing[second]));
        }
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
  take_curl<T, Dim>(grid, velocity.view(), result.view());
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
