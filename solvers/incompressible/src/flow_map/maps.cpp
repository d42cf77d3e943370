#include "maps.hpp"

#include <limits>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>

#include "kernels.hpp"

namespace sparse::incompressible {
namespace {

using namespace detail;

/// Semi-Lagrangian advection by the midpoint rule. `from` has the values of one velocity component, or of the cells.
template <Interpolation interpolation, class T, int Dim>
struct Advect {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  FieldView<T const> velocity;
  T const* from;
  T* to;
  int component;
  Vec<T, Dim> widths;

  KOKKOS_FORCEINLINE_FUNCTION Vec<T, Dim> move(Place<T, Dim> const& place, T share) const {
    auto result = Point(view, place).velocity(velocity);
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) result[b] *= share * widths[b];
    return result;
  }
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const here = padded_middle_of<T>(view, p.cell, component);
    auto const half = moved(view, here, move(here, T(-0.5)));
    auto const there = moved(view, here, move(half, T(-1)));
    to[p.cell] = Point(view, there).value(from, component);
  }
};

/// Sharpens values by what a spline will smooth. They belong to a velocity component, or to the cells. Faces with given
/// velocity stay as they are.
template <class T, int Dim>
void sharpen(PaddedView<Dim> const& view, Subset<Dim> const& where, int component, T const* from, T* to) {
  for_each(
      "sparse::incompressible::sharpen", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        Index const here = view.padded[p.cell];
        T const share = view.is_given(component, p.cell) ? T(0) : T(0.125);
        to[here] = from[here] - share * second_differences(view, here, from);
      });
}

/// Cells within two cells of non-fluid cells in the fluid's bounding box.
template <int Dim>
IntervalSet<Dim> near_bodies(StaggeredGrid<Dim> const& grid) {
  auto const& fluid = grid.whole_fluid();
  auto const bounds = fluid.bounds();
  auto const bodies = box<Dim>(bounds.begin, bounds.end, grid.context()) - fluid;
  return bodies.is_empty() ? bodies : expand(bodies, 2);
}

}  // namespace

template <class T, int Dim>
FlowMaps<T, Dim>::FlowMaps(StaggeredGrid<Dim> const& grid, int step_count, Interpolation interpolation,
                           Clamping limiter, bool has_increments)
    : padded_(grid), step_count_(step_count), interpolation_(interpolation), limiter_(limiter) {
  expects(step_count >= 1, "incompressible: a flow map needs at least one step");
  auto const& storage = padded_.storage();
  start_ = Field<T, Dim>("start", storage, Dim);
  velocities_ = Field<T, Dim>("velocities", storage, step_count * Dim);
  if (has_increments) increments_ = Field<T, Dim>("increments", storage, step_count * Dim);
  back_ = Field<T, Dim>("pulled back", storage, Dim);
  lost_ = Field<T, Dim>("lost", storage, Dim);
  position_ = Field<Index, Dim>("position", grid.storage(), Dim);
  at_ = Field<T, Dim>("at", grid.storage(), Dim * Dim);
  tangent_ = Field<T, Dim>("tangent", grid.storage(), Dim * Dim);
  if (has_increments) impulse_ = Field<T, Dim>("impulse", grid.storage(), Dim);
  auto const near = near_bodies(grid);
  auto const& periodicity = grid.body().periodicity;
  auto const own = grid.is_shared() ? expand(grid.own_cells(), 1) : grid.fluid();
  for (int axis = 0; axis <= Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    auto const of_own = [&](IntervalSet<Dim> const& set) {
      return !grid.is_shared() ? set : set & periodicity.stored(axis < Dim ? faces(own, axis) : own);
    };
    auto const all = of_own(axis < Dim ? grid.computed_faces(axis) : grid.fluid());
    auto const within = limiter == Clamping::everywhere ? all
                        : limiter == Clamping::none     ? IntervalSet<Dim>()
                                                        : all & (axis < Dim ? faces(near, axis) : near);
    begun_[a] = Subset<Dim>(all, grid.storage());
    limited_[a] = Subset<Dim>(within, grid.storage());
    free_[a] = Subset<Dim>(all - within, grid.storage());
    if (axis < Dim) with_given_[a] = Subset<Dim>(of_own(grid.faces(axis)), grid.storage());
  }
}

template <class T, int Dim>
double FlowMaps<T, Dim>::farthest() const {
  // Places begin one cell beyond own ones. Where they come to, there must be as much room as there is for all ranks.
  static_assert(flow_map_margin == PaddedGrid<Dim>::greatest_room + 2);
  auto const& grid = padded_.grid();
  return grid.is_shared() ? grid.domain().reach - flow_map_margin : std::numeric_limits<double>::infinity();
}

template <class T, int Dim>
void FlowMaps<T, Dim>::expect_step(int step) const {
  expects(step >= 0 && step < step_count_, "incompressible: a flow map does not have this step");
}

template <class T, int Dim>
void FlowMaps<T, Dim>::set_start(Field<T, Dim> const& velocity) {
  padded_.load_velocity(velocity, Beyond::velocity, start_);
}
template <class T, int Dim>
void FlowMaps<T, Dim>::set_velocity(int step, Field<T, Dim> const& velocity) {
  expect_step(step);
  padded_.load_velocity(velocity, Beyond::velocity, velocities_, step * Dim);
}
template <class T, int Dim>
void FlowMaps<T, Dim>::set_increment(int step, Field<T, Dim> const& increment) {
  expect_step(step);
  expects(increments_.component_count() > 0, "incompressible: these flow maps were made without increments");
  padded_.load_velocity(increment, Beyond::force, increments_, step * Dim);
}

template <class T, int Dim>
FieldView<T const> FlowMaps<T, Dim>::carrier(int step) const {
  if (step == 0) return start_.view();
  return {velocities_.component((step - 1) * Dim), velocities_.view().stride};
}

template <class T, int Dim>
void FlowMaps<T, Dim>::advect(int step, double time, Field<T, Dim>& to) {
  expect_step(step);
  auto const& grid = padded_.grid();
  grid.expect_stored(to, Dim, "result of advection");
  auto from = carrier(step < 2 ? step : step - 1);
  if (interpolation_ == Interpolation::quadratic) {
    for (int axis = 0; axis < Dim; ++axis)
      sharpen<T, Dim>(padded_.view(), grid.body().all_faces(axis), axis, from.data + axis * from.stride,
                      back_.component(axis));
    padded_.extend_velocity(Beyond::velocity, back_);
    from = back_.view();
  }
  with_interpolation(interpolation_, [&](auto kind) {
    for (int axis = 0; axis < Dim; ++axis)
      for_each("sparse::incompressible::advect_by_spline", begun_[static_cast<std::size_t>(axis)],
               Advect<kind(), T, Dim>{padded_.view(), carrier(step), from.data + axis * from.stride, to.component(axis),
                                      axis, widths_of<T>(grid, time)});
  });
}

template <class T, int Dim>
void FlowMaps<T, Dim>::advect_cells(int step, double time, Field<T, Dim> const& values, Field<T, Dim>& to) {
  expect_step(step);
  auto const& grid = padded_.grid();
  grid.expect_stored(to, 1, "result of advection");
  expects(values.domain() == padded_.storage(), "incompressible: padded cell values must live on the padded storage");
  T const* from = values.component(0);
  if (interpolation_ == Interpolation::quadratic) {
    sharpen<T, Dim>(padded_.view(), grid.body().computed_plan(Dim), Dim, from, back_.component(0));
    padded_.extend_cells(back_, 0);
    from = back_.component(0);
  }
  with_interpolation(interpolation_, [&](auto kind) {
    for_each(
        "sparse::incompressible::advect_cells_by_spline", begun_[Dim],
        Advect<kind(), T, Dim>{padded_.view(), carrier(step), from, to.component(0), Dim, widths_of<T>(grid, time)});
  });
  grid.exchange(to);
}

template class FlowMaps<float, 2>;
template class FlowMaps<float, 3>;
template class FlowMaps<double, 2>;
template class FlowMaps<double, 3>;

}  // namespace sparse::incompressible
