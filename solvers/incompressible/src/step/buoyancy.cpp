#include "buoyancy.hpp"

#include <sparse/plans/for_each.hpp>

#include "grid/body.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
using FacePoint = RunPoint<Dim, 4>;

template <class T, int Dim>
void lift_open_faces(detail::FacePlan<Dim> const& faces, T const* values, T factor, T* velocity) {
  for_each(
      "sparse::incompressible::buoyancy", faces, KOKKOS_LAMBDA(FacePoint<Dim> const& p) SPARSE_INLINE_LAMBDA {
        velocity[p.operand(0)] += factor * T(0.5) * (values[p.operand(0)] + values[p.operand(3)]);
      });
}

template <class T, int Dim>
void lift_outflow(detail::FacePlan<Dim> const& faces, T const* values, T factor, T* velocity) {
  for_each(
      "sparse::incompressible::buoyancy_outflow", faces, KOKKOS_LAMBDA(FacePoint<Dim> const& p) {
        velocity[p.operand(0)] += factor * values[p.operand(p.has(1) ? 0 : 3)];
      });
}

template <class T, int Dim>
void accelerate(detail::FacePlan<Dim> const& faces, T change, T* velocity) {
  for_each(
      "sparse::incompressible::acceleration", faces,
      KOKKOS_LAMBDA(FacePoint<Dim> const& p) { velocity[p.operand(0)] += change; });
}

}  // namespace

template <class T, int Dim>
void add_buoyancy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values, Vec<double, Dim> const& acceleration,
                  double time_step, Field<T, Dim>& velocity) {
  grid.expect_stored(values, 1, "buoyant field");
  grid.expect_stored(velocity, Dim, "velocity");
  for (int axis = 0; axis < Dim; ++axis) {
    if (acceleration[axis] == 0) continue;
    auto const factor = static_cast<T>(time_step * acceleration[axis]);
    lift_open_faces<T, Dim>(grid.body().open_plan(axis), values.component(0), factor, velocity.component(axis));
    lift_outflow<T, Dim>(grid.body().outflow_plan(axis), values.component(0), factor, velocity.component(axis));
  }
}

template <class T, int Dim>
void add_acceleration(StaggeredGrid<Dim> const& grid, Vec<double, Dim> const& acceleration, double time_step,
                      Field<T, Dim>& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  for (int axis = 0; axis < Dim; ++axis) {
    if (acceleration[axis] == 0) continue;
    auto const change = static_cast<T>(time_step * acceleration[axis]);
    accelerate<T, Dim>(grid.body().open_plan(axis), change, velocity.component(axis));
    accelerate<T, Dim>(grid.body().outflow_plan(axis), change, velocity.component(axis));
  }
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void add_buoyancy(StaggeredGrid<Dim> const&, Field<T, Dim> const&, Vec<double, Dim> const&, double,         \
                             Field<T, Dim>&);                                                                          \
  template void add_acceleration(StaggeredGrid<Dim> const&, Vec<double, Dim> const&, double, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
#undef SPARSE_DEFINE

}  // namespace sparse::incompressible
