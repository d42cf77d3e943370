#include "kernels.hpp"
#include "measure/sum_over.hpp"

namespace sparse::incompressible {
namespace {

using namespace detail;

/// The integral of |velocity|^2 / 2 along the path to an outflow.
template <Interpolation interpolation, class T, int Dim>
struct FindHead {
  using Point = SplinePoint<interpolation, T, Dim>;
  Follow<interpolation, T, Dim> follow;
  int axis;
  double time_step;
  T* head;

  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 4> const& p) const {
    Traveller<T, Dim> traveller{padded_middle_of<T>(follow.view, p.operand(0), axis), {}}, middle = traveller;
    double sum = 0;
    for (int i = follow.step_count - 1; i >= 0; --i) {
      follow.template step<false>(i, -1, traveller, middle);
      auto const u = Point(follow.view, middle.place).velocity(follow.of_step(follow.velocities, i));
      for (int b = 0; b < Dim; ++b) sum += 0.5 * time_step * static_cast<double>(u[b]) * static_cast<double>(u[b]);
    }
    head[p.operand(0)] = static_cast<T>(sum);
  }
};

template <class T, int Dim>
double sum_of_heads(StaggeredGrid<Dim> const& grid, int axis, T const* head) {
  using Point = RunPoint<Dim, 4>;
  return sum_over(
      grid, "sparse::incompressible::sum_of_heads", grid.body().own_outflow_plan(axis),
      KOKKOS_LAMBDA(Point const& p, double& sum) { sum += static_cast<double>(head[p.operand(0)]); });
}

/// Adds the gradient of the head at outflows. A velocity that is pulled back contains the gradient of -head, and the
/// projection removes it with a potential. At an outflow, the boundary value of this potential is the head on the face,
/// half a cell from the cell inside. The mean head has no effect.
template <class T, int Dim>
void give_back_head(detail::FacePlan<Dim> const& faces, T const* head, T mean, T factor, T* velocity) {
  using Point = RunPoint<Dim, 4>;
  for_each(
      "sparse::incompressible::give_back_head", faces, KOKKOS_LAMBDA(Point const& p) {
        T const part = factor * (head[p.operand(0)] - mean);
        velocity[p.operand(0)] += p.has(1) ? -part : part;  // has(1): the fluid lies above
      });
}

}  // namespace

template <class T, int Dim>
void FlowMaps<T, Dim>::give_back_heads(double time_step, Field<T, Dim>& to) {
  auto const& grid = padded_.grid();
  double sum = 0;  // heads overwrite the places of the maps, which are no longer needed
  double count = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = grid.body().own_outflow_plan(axis);
    with_interpolation(interpolation_, [&](auto kind) {
      for_each("sparse::incompressible::head", faces,
               FindHead<kind(), T, Dim>{follow<kind()>(time_step), axis, time_step, at_.component(axis)});
    });
    sum += sum_of_heads<T, Dim>(grid, axis, at_.component(axis));
    count += static_cast<double>(faces.cell_count());
  }
  auto const mean = static_cast<T>(sum / grid.body().sum(count));
  for (int axis = 0; axis < Dim; ++axis)
    give_back_head<T, Dim>(grid.body().own_outflow_plan(axis), at_.component(axis), mean,
                           static_cast<T>(2 / grid.spacing()[axis]), to.component(axis));
}

#define SPARSE_DEFINE(T, Dim) template void FlowMaps<T, Dim>::give_back_heads(double, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
