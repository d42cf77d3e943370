#include <sparse/incompressible/grid/state.hpp>

#include <sparse/plans/for_each.hpp>

#include "middle_in_cells.hpp"

namespace sparse::incompressible {
namespace {

/// Writes one value per cell of a set, in its order, to the positions of these cells in a storage.
template <class T, int Dim>
void write_values(IntervalSet<Dim> const& set, IntervalSet<Dim> const& storage, std::vector<T> const& values, T* to) {
  auto const buffer = to_device(storage.context(), values);
  T const* const from = buffer.data();
  Operand const both[2] = {operand<Dim>(set.view()), operand<Dim>(storage.view())};
  using Point = RunPoint<Dim, 2>;
  for_each(
      "sparse::incompressible::write_values", Plan<Dim, 2>(set, both, 0b11),
      KOKKOS_LAMBDA(Point const& p) { to[p.operand(1)] = from[p.operand(0)]; });
}

}  // namespace

template <class T, int Dim>
State<T, Dim>::State(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names)
    : velocity("velocity", grid.storage(), Dim, 0), pressure("pressure", grid.fluid(), 1, 0) {
  grid.set_boundary(velocity);
  for (auto const& name : names) carried.emplace_back(name, grid.storage(), 1, 0);
}

template <class T, int Dim>
void set_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim>& velocity,
                  std::type_identity_t<VectorFunction<Dim>> const& function) {
  grid.expect_stored(velocity, Dim, "velocity");
  expects(static_cast<bool>(function), "incompressible: there is no function");
  for (int axis = 0; axis < Dim; ++axis) {
    std::vector<T> values;
    grid.faces(axis).to_host().for_each_cell([&](Vec<Coord, Dim> const& face, Index) {
      values.push_back(static_cast<T>(function(grid.space().to_physical(detail::middle_in_cells(face, axis)))[axis]));
    });
    write_values(grid.faces(axis), grid.storage(), values, velocity.component(axis));
  }
}

template <class T, int Dim>
void set_velocity(StaggeredGrid<Dim> const& grid, State<T, Dim>& state,
                  std::type_identity_t<VectorFunction<Dim>> const& function) {
  set_velocity(grid, state.velocity, function);
  grid.set_boundary(state.velocity);
}

template <class T, int Dim>
void set_cells(StaggeredGrid<Dim> const& grid, Field<T, Dim>& values,
               std::type_identity_t<ScalarFunction<Dim>> const& function) {
  grid.expect_stored(values, 1, "cell field");
  expects(static_cast<bool>(function), "incompressible: there is no function");
  std::vector<T> list;
  grid.fluid().to_host().for_each_cell(
      [&](Vec<Coord, Dim> const& cell, Index) { list.push_back(static_cast<T>(function(grid.space().center(cell)))); });
  write_values(grid.fluid(), grid.storage(), list, values.component(0));
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template struct State<T, Dim>;                                                                                       \
  template void set_velocity(StaggeredGrid<Dim> const&, Field<T, Dim>&, VectorFunction<Dim> const&);                   \
  template void set_velocity(StaggeredGrid<Dim> const&, State<T, Dim>&, VectorFunction<Dim> const&);                   \
  template void set_cells(StaggeredGrid<Dim> const&, Field<T, Dim>&, ScalarFunction<Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
