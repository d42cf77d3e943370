#include "projection.hpp"

#include <cmath>
#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <sparse/plans/for_each.hpp>

#include "grid/body.hpp"
#include "grid/pressure_problem.hpp"
#include "grid/ranks.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
using FacePoint = RunPoint<Dim, 4>;

template <class T, int Dim>
void subtract_at_open_faces(StaggeredGrid<Dim> const& grid, int axis, T const* pressure, T factor, T* velocity) {
  for_each(
      "sparse::incompressible::gradient", grid.body().open_plan(axis),
      KOKKOS_LAMBDA(FacePoint<Dim> const& p) SPARSE_INLINE_LAMBDA {
        velocity[p.operand(0)] -= factor * (pressure[p.operand(1)] - pressure[p.operand(2)]);
      });
}

/// Pressure is 0 on an outflow face, half a cell from the cell inside.
template <class T, int Dim>
void subtract_at_outflow(StaggeredGrid<Dim> const& grid, int axis, T const* pressure, T factor, T* velocity) {
  for_each(
      "sparse::incompressible::gradient_outflow", grid.body().outflow_plan(axis),
      KOKKOS_LAMBDA(FacePoint<Dim> const& p) {
        velocity[p.operand(0)] -= 2 * factor * (p.has(1) ? pressure[p.operand(1)] : -pressure[p.operand(2)]);
      });
}

}  // namespace

template <class T, int Dim>
bool detail::is_nothing(StaggeredGrid<Dim> const& grid, double divergence, Field<T, Dim> const& velocity) {
  constexpr double suspicious = 1e-16, share = 1e-20;
  if (divergence > suspicious) return false;
  if (divergence == 0) return true;  // or its square underflows
  auto const speeds = greatest_speeds(grid, velocity);
  for (int axis = 0; axis < Dim; ++axis)
    if (divergence < share * speeds[axis] / grid.spacing()[axis]) return true;
  return false;
}

template <class T, int Dim>
void subtract_gradient(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& pressure, double time_step,
                       Field<T, Dim>& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  detail::expect_on_fluid(grid, pressure, "pressure");
  for (int axis = 0; axis < Dim; ++axis) {
    auto const factor = static_cast<T>(time_step / grid.spacing()[axis]);
    subtract_at_open_faces(grid, axis, pressure.component(0), factor, velocity.component(axis));
    subtract_at_outflow(grid, axis, pressure.component(0), factor, velocity.component(axis));
  }
}

template <class T, int Dim>
Projection<T, Dim>::Projection(StaggeredGrid<Dim> const& grid, poisson::SolverOptions const& options)
    : grid_(grid), solver_(pressure_problem(grid), options.method, options.stop),
      right_side_("right side", grid.fluid()) {
  if (!grid.is_shared()) return;
  own_right_side_ = Field<T, Dim>("right side", grid.own_cells());
  own_pressure_ = Field<T, Dim>("pressure", grid.own_cells());
}

template <class T, int Dim>
poisson::Report Projection<T, Dim>::solve(Field<T, Dim>& pressure) {
  auto const& ranks = grid_.body().ranks;
  if (!ranks) return solver_.solve(right_side_, pressure);
  ranks->take(own_pressure_, pressure);
  auto report = solver_.solve(own_right_side_, own_pressure_);
  ranks->spread(pressure, own_pressure_);
  return report;
}

template <class T, int Dim>
poisson::Report Projection<T, Dim>::project(Field<T, Dim>& velocity, Field<T, Dim>& pressure, double time_step) {
  ProfilingRegion const region("sparse::incompressible::project");
  grid_.expect_stored(velocity, Dim, "velocity");
  detail::expect_on_fluid(grid_, pressure, "pressure");
  expects(std::isfinite(time_step) && time_step > 0, "incompressible: the time step must be positive and finite");
  divergence(right_side_, grid_, velocity, -1 / time_step);
  auto& right_side = grid_.is_shared() ? own_right_side_ : right_side_;
  if (auto const& ranks = grid_.body().ranks) ranks->take(own_right_side_, right_side_);
  double const size = solver_.matrix().norm(right_side);
  if (!std::isfinite(size)) throw NotFinite("incompressible: the velocity is not finite any more");
  double const mean = size / std::sqrt(static_cast<double>(solver_.matrix().problem().cells.cell_count()));
  if (detail::is_nothing(grid_, time_step * mean, velocity)) fill(right_side, 0);
  auto report = solve(pressure);
  if (report.reason == poisson::StopReason::not_finite)
    throw NotFinite("incompressible: the pressure is not finite any more");
  subtract_gradient(grid_, pressure, time_step, velocity);
  grid_.exchange(velocity);
  return report;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template bool detail::is_nothing(StaggeredGrid<Dim> const&, double, Field<T, Dim> const&);                           \
  template void subtract_gradient(StaggeredGrid<Dim> const&, Field<T, Dim> const&, double, Field<T, Dim>&);            \
  template class Projection<T, Dim>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
