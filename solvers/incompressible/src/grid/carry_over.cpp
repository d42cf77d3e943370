#include <sparse/incompressible/grid/carry_over.hpp>

#include <sparse/fields/fill.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::incompressible {

template <class T, int Dim>
State<T, Dim> carry_over(StaggeredGrid<Dim> const& to, StaggeredGrid<Dim> const& from, State<T, Dim> const& state) {
  from.expect_stored(state.velocity, Dim, "velocity");
  expects(state.pressure.domain() == from.fluid(), "carry_over: the pressure is not on the fluid");
  expects(to.spacing() == from.spacing() && to.space().origin == from.space().origin,
          "carry_over: the grids have other cells");
  State<T, Dim> result(to);
  result.time = state.time;
  result.step_count = state.step_count;
  result.velocity = remap(state.velocity, to.storage());
  to.set_boundary(result.velocity);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const fresh = to.computed_faces(axis) - from.computed_faces(axis);
    fill_from_neighbours(result.velocity, to.faces(axis) - fresh, fresh, axis);
  }
  auto const kept = to.fluid() & from.fluid(), fresh = to.fluid() - from.fluid();
  result.pressure = remap(state.pressure, to.fluid());
  fill_from_neighbours(result.pressure, kept, fresh);
  for (auto const& values : state.carried) {
    from.expect_stored(values, 1, "carried field");
    result.carried.push_back(remap(values, to.storage()));
    fill_from_neighbours(result.carried.back(), kept, fresh);
  }
  return result;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template State<T, Dim> carry_over(StaggeredGrid<Dim> const&, StaggeredGrid<Dim> const&, State<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
