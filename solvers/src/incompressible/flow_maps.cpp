#include <sparse/solvers/incompressible/flow_maps.hpp>

#include <cmath>

#include <sparse/field_algebra.hpp>
#include <sparse/for_each.hpp>
#include <sparse/morphology.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>

#include "follow.hpp"
#include "points.hpp"

namespace sparse::incompressible {
namespace {

using detail::Follow;
using detail::PaddedView;
using detail::SplinePoint;
using detail::Traveller;

/// Calls `body(std::integral_constant)` with the interpolation as a constant.
template <class Body>
void with_interpolation(Interpolation interpolation, Body const& body) {
  if (interpolation == Interpolation::linear)
    body(std::integral_constant<Interpolation, Interpolation::linear>());
  else
    body(std::integral_constant<Interpolation, Interpolation::quadratic>());
}

template <class T, int Dim>
Vec<T, Dim> widths_of(StaggeredGrid<Dim> const& grid, double time) {
  Vec<T, Dim> widths;
  for (int b = 0; b < Dim; ++b) widths[b] = static_cast<T>(time / grid.spacing()[b]);
  return widths;
}
/// Over the one along an axis.
template <class T, int Dim>
Vec<T, Dim> spacing_over(StaggeredGrid<Dim> const& grid, int axis) {
  Vec<T, Dim> ratio;
  for (int b = 0; b < Dim; ++b) ratio[b] = static_cast<T>(grid.spacing()[b] / grid.spacing()[axis]);
  return ratio;
}

/// Semi-Lagrangian, by the midpoint rule. `from` are the values of one component alone, or of the cells.
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
    auto const here = detail::padded_middle_of<T>(view, p.cell, component);
    auto const half = detail::moved(view, here, move(here, T(-0.5)));
    auto const there = detail::moved(view, here, move(half, T(-1)));
    to[p.cell] = Point(view, there).value(from, component);
  }
};

/// The sum of the second differences around a position in the padded storage. An eighth of it is the greater part of
/// what a quadratic spline smooths, wherever between the values it is taken.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T second_differences(PaddedView<Dim> const& view, Index position, T const* values) {
  auto const rows = view.rows_near(position);
  constexpr int z = Dim == 3 ? 1 : 0;
  T const here = values[position];
  T sum = (values[position - 1] - here) + (values[position + 1] - here) + (values[rows.position[z][0]] - here) +
          (values[rows.position[z][2]] - here);
  if constexpr (Dim == 3) sum += (values[rows.position[0][1]] - here) + (values[rows.position[2][1]] - here);
  return sum;
}

/// What a spline will smooth is added; to a component of velocity, but for faces where it is given, or to the cells.
template <class T, int Dim>
void sharpen(PaddedView<Dim> const& view, Subset<Dim> const& where, int component, T const* from, T* to) {
  for_each(
      "sparse::incompressible::sharpen", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        Index const here = view.padded[p.cell];
        T const share = view.is_given(component, p.cell) ? T(0) : T(0.125);
        to[here] = from[here] - share * second_differences(view, here, from);
      });
}

template <Interpolation interpolation, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T smoothing_twice(PaddedView<Dim> const& view, Index position, T const* values) {
  return interpolation == Interpolation::quadratic ? T(0.25) * second_differences(view, position, values) : T(0);
}

/// Keeps where travellers are, for each place they come from.
template <class T, int Dim>
struct Kept {
  Index* position;
  FieldView<T> at, tangent;

  KOKKOS_FORCEINLINE_FUNCTION void store(Index cell, Traveller<T, Dim> const& traveller) const {
    position[cell] = traveller.place.position;
    at.store(cell, traveller.place.at);
    if (tangent.data != nullptr) tangent.store(cell, traveller.tangent);
  }
  KOKKOS_FORCEINLINE_FUNCTION Traveller<T, Dim> load(Index cell) const {
    Traveller<T, Dim> traveller{{position[cell], at.template load<Dim>(cell)}, {}};
    if (tangent.data != nullptr) traveller.tangent = tangent.template load<Dim>(cell);
    return traveller;
  }
};

/// The one-form at the start on the faces normal to an axis.
template <Interpolation interpolation, class T, int Dim>
struct PullBack {
  Follow<interpolation, T, Dim> follow;
  FieldView<T const> start;
  Kept<T, Dim> kept;
  Vec<T, Dim> spacing;
  int axis;
  T *to, *impulse;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    T gained = 0;
    auto const here = detail::padded_middle_of<T>(follow.view, p.cell, axis);
    auto const there = follow.template backward<true>({here, Vec<T, Dim>::along(axis, 1)}, spacing, gained);
    kept.store(p.cell, there);
    to[p.cell] = follow.along(there, start, spacing);
    if (impulse != nullptr) impulse[p.cell] = gained;
  }
};

/// What comes back of the start, less the start; 0 on walls. From where fluid leaves nothing comes back: there stands
/// what two splines smooth.
template <Interpolation interpolation, class T, int Dim>
struct LoseOnTheWay {
  Follow<interpolation, T, Dim> follow;
  FieldView<T const> start, end;
  Vec<T, Dim> spacing;
  int axis;
  T* lost;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const& view = follow.view;
    Index const padded = view.padded[p.cell];
    lost[padded] = 0;
    int const kind = view.grid.kind(axis, p.cell);
    if (view.is_given(axis, p.cell) && view.grid.condition(kind).kind != BoundaryKind::inflow) return;
    T const* const before = start.data + axis * start.stride;
    auto const here = detail::padded_middle_of<T>(view, p.cell, axis);
    auto const there = follow.template forward<true>({here, Vec<T, Dim>::along(axis, 1)});
    lost[padded] = there.left_along < 0 ? follow.along(there, end, spacing) - before[padded]
                                        : smoothing_twice<interpolation>(view, padded, before);
  }
};

/// Bounds of the values in the box of 3^Dim around a position in the padded storage.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T limited(PaddedView<Dim> const& view, T const* around, Index position, T value) {
  auto const rows = view.rows_near(position);
  T least = around[position], greatest = least;
  for (int z = 0; z < (Dim == 3 ? 3 : 1); ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = -1; x <= 1; ++x) {
        T const beside = around[rows.position[z][y] + x];
        least = beside < least ? beside : least;
        greatest = beside > greatest ? beside : greatest;
      }
  return value < least ? least : value > greatest ? greatest : value;
}

/// How much of a correction is made where a map turns a face's normal into this vector: all of it while that is less
/// than sqrt(2) times as long, nothing if it is more than twice as long. Velocities that are not resolved, which maps
/// distort in one cycle, would gain energy.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T trust(Vec<T, Dim> const& tangent) {
  T square = 0;
  SPARSE_UNROLL
  for (int b = 0; b < Dim; ++b) square += tangent[b] * tangent[b];
  T const share = T(0.5) * (4 - square);
  return share > 1 ? T(1) : share > 0 ? share : T(0);  // 0 for NaN
}

template <Interpolation interpolation, class T, int Dim>
struct Compensate {
  Follow<interpolation, T, Dim> follow;
  FieldView<T const> lost, end;
  Kept<T, Dim> kept;
  Vec<T, Dim> spacing;
  int axis;
  bool is_always_trusted, is_limited;
  T* to;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    Index const padded = follow.view.padded[p.cell];
    T const* const uncorrected = end.data + axis * end.stride;
    auto const there = kept.load(p.cell);
    T const share = is_always_trusted ? T(1) : trust(there.tangent);
    T const value = uncorrected[padded] - T(0.5) * share * follow.along(there, lost, spacing);
    to[p.cell] = is_limited ? limited(follow.view, uncorrected, padded, value) : value;
  }
};

template <Interpolation interpolation, class T, int Dim>
struct MapCells {
  Follow<interpolation, T, Dim> follow;
  Kept<T, Dim> back, forth;
  bool goes_forth;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const here = detail::padded_middle_of<T>(follow.view, p.cell, Dim);
    T gained = 0;
    back.store(p.cell, follow.template backward<false>({here, {}}, {}, gained));
    if (!goes_forth) return;
    auto there = follow.template forward<false>({here, {}});
    if (there.left_along >= 0) there.place.position = -1;
    forth.store(p.cell, there);
  }
};

template <Interpolation interpolation, class T, int Dim>
struct TakeCells {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  Kept<T, Dim> kept;
  T const* from;
  T* to;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    to[p.cell] = Point(view, kept.load(p.cell).place).value(from, Dim);
  }
};

template <Interpolation interpolation, class T, int Dim>
struct LoseCells {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  Kept<T, Dim> kept;
  T const *start, *end;
  T* lost;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const place = kept.load(p.cell).place;
    Index const here = view.padded[p.cell];
    lost[here] = place.position < 0 ? smoothing_twice<interpolation>(view, here, start)
                                    : Point(view, place).value(end, Dim) - start[here];
  }
};

template <Interpolation interpolation, class T, int Dim>
struct CompensateCells {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  Kept<T, Dim> kept;
  T const *start, *lost, *end;
  bool is_limited;
  T* to;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const place = kept.load(p.cell).place;
    T const value = end[view.padded[p.cell]] - T(0.5) * Point(view, place).value(lost, Dim);
    to[p.cell] = is_limited ? limited(view, start, place.position, value) : value;
  }
};

/// The integral of |velocity|^2 / 2 along the path to an outflow.
template <Interpolation interpolation, class T, int Dim>
struct FindHead {
  using Point = SplinePoint<interpolation, T, Dim>;
  Follow<interpolation, T, Dim> follow;
  int axis;
  double time_step;
  T* head;

  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 4> const& p) const {
    Traveller<T, Dim> traveller{detail::padded_middle_of<T>(follow.view, p.operand(0), axis), {}}, middle = traveller;
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
double sum_of_heads(typename StaggeredGrid<Dim>::FacePlan const& faces, T const* head) {
  using Point = RunPoint<Dim, 4>;
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::sum_of_heads", faces,
      KOKKOS_LAMBDA(Point const& p, double& sum) { sum += static_cast<double>(head[p.operand(0)]); });
}

/// What is pulled back to an outflow has the gradient of -head in it, of which the head on the face, half a cell from
/// that inside, is taken as a boundary value of the potential that the projection finds; a mean head does not matter.
template <class T, int Dim>
void give_back_head(typename StaggeredGrid<Dim>::FacePlan const& faces, T const* head, T mean, T factor, T* velocity) {
  using Point = RunPoint<Dim, 4>;
  for_each(
      "sparse::incompressible::give_back_head", faces, KOKKOS_LAMBDA(Point const& p) {
        T const part = factor * (head[p.operand(0)] - mean);
        velocity[p.operand(0)] += p.has(1) ? -part : part;  // has: the fluid lies above
      });
}

template <class T, int Dim>
void add_to(Subset<Dim> const& faces, T const* impulse, T* to) {
  for_each(
      "sparse::incompressible::add_impulse", faces,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { to[p.cell] += impulse[p.cell]; });
}

/// A point and a vector, and what becomes of them.
template <int Dim>
struct MappedPlace {
  Index position;  // in the grid's storage
  Vec<double, Dim> at, tangent;
  bool has_left;
};

template <Interpolation interpolation, class T, int Dim>
struct MapPoints {
  Follow<interpolation, T, Dim> follow;
  Vec<double, Dim> const *points, *vectors;
  MappedPlace<Dim>* out;
  bool is_backward;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const& grid = follow.view.grid;
    Traveller<T, Dim> traveller{detail::place_of<T>(grid, points[i]), {}};
    traveller.place.position = follow.view.padded[traveller.place.position];
    for (int b = 0; b < Dim; ++b) traveller.tangent[b] = static_cast<T>(vectors[i][b] / grid.spacing[b]);
    T gained = 0;
    traveller =
        is_backward ? follow.template backward<true>(traveller, {}, gained) : follow.template forward<true>(traveller);
    out[i].position = follow.view.stored[traveller.place.position];
    out[i].has_left = traveller.left_along >= 0;
    for (int b = 0; b < Dim; ++b) {
      out[i].at[b] = static_cast<double>(traveller.place.at[b]);
      out[i].tangent[b] = static_cast<double>(traveller.tangent[b]) * grid.spacing[b];
    }
  }
};

template <int Dim>
struct VelocityThere {
  Vec<double, Dim> velocity, change;
};

template <Interpolation interpolation, class T, int Dim>
struct SamplePoints {
  PaddedView<Dim> view;
  FieldView<T const> velocity;
  Vec<double, Dim> const *points, *vectors;
  VelocityThere<Dim>* out;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto place = detail::place_of<T>(view.grid, points[i]);
    place.position = view.padded[place.position];
    Vec<T, Dim> direction;
    for (int b = 0; b < Dim; ++b) direction[b] = static_cast<T>(vectors[i][b] / view.grid.spacing[b]);
    SplinePoint<interpolation, T, Dim> const point(view, place);
    for (int a = 0; a < Dim; ++a) {
      auto const jet = point.jet(velocity.data + a * velocity.stride, a, direction);
      out[i].velocity[a] = static_cast<double>(jet.value);
      out[i].change[a] = static_cast<double>(jet.change);
    }
  }
};

/// Cells within two cells of what is not fluid between the fluid's bounds.
template <int Dim>
IntervalSet<Dim> near_bodies(StaggeredGrid<Dim> const& grid) {
  auto const bounds = grid.fluid().bounds();
  auto const bodies = box<Dim>(bounds.begin, bounds.end, grid.context()) - grid.fluid();
  return bodies.is_empty() ? bodies : expand(bodies, 2);
}

template <class T, int Dim>
Kept<T, Dim> kept_in(Field<Index, Dim>& position, Field<T, Dim>& at, std::type_identity_t<Field<T, Dim>>* tangent,
                     int number) {
  auto const part = [&](Field<T, Dim>& field) {
    return FieldView<T>{field.component(number * Dim), field.view().stride};
  };
  return {position.component(number), part(at), tangent == nullptr ? FieldView<T>{} : part(*tangent)};
}

}  // namespace

template <class T, int Dim>
FlowMaps<T, Dim>::FlowMaps(StaggeredGrid<Dim> const& grid, int step_count, Interpolation interpolation, Limiter limiter,
                           bool has_increments)
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
  for (int axis = 0; axis <= Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    auto const& all = axis < Dim ? grid.computed_faces(axis) : grid.fluid();
    auto const within = limiter == Limiter::everywhere ? all
                        : limiter == Limiter::none     ? IntervalSet<Dim>()
                                                       : all & (axis < Dim ? faces(near, axis) : near);
    limited_[a] = Subset<Dim>(within, grid.storage());
    free_[a] = Subset<Dim>(all - within, grid.storage());
  }
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
      sharpen<T, Dim>(padded_.view(), grid.all_faces(axis), axis, from.data + axis * from.stride,
                      back_.component(axis));
    padded_.extend_velocity(Beyond::velocity, back_);
    from = back_.view();
  }
  with_interpolation(interpolation_, [&](auto kind) {
    for (int axis = 0; axis < Dim; ++axis)
      for_each("sparse::incompressible::advect_by_spline", grid.computed(axis),
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
    sharpen<T, Dim>(padded_.view(), grid.computed(Dim), Dim, from, back_.component(0));
    padded_.extend_cells(back_, 0);
    from = back_.component(0);
  }
  with_interpolation(interpolation_, [&](auto kind) {
    for_each(
        "sparse::incompressible::advect_cells_by_spline", grid.computed(Dim),
        Advect<kind(), T, Dim>{padded_.view(), carrier(step), from, to.component(0), Dim, widths_of<T>(grid, time)});
  });
}

template <class T, int Dim>
template <Interpolation interpolation>
detail::Follow<interpolation, T, Dim> FlowMaps<T, Dim>::follow(double time_step) const {
  return {padded_.view(), velocities_.view(), increments_.view(), step_count_, widths_of<T>(padded_.grid(), time_step)};
}

template <class T, int Dim>
void FlowMaps<T, Dim>::pull_back(double time_step, bool has_compensation, Field<T, Dim>& to) {
  ProfilingRegion const region("sparse::incompressible::pull_back");
  auto const& grid = padded_.grid();
  grid.expect_stored(to, Dim, "velocity that is pulled back");
  bool const has_increments = increments_.component_count() > 0;
  with_interpolation(interpolation_, [&](auto kind) {
    auto const through = follow<kind()>(time_step);
    for (int axis = 0; axis < Dim; ++axis)
      for_each("sparse::incompressible::pull_back", grid.computed(axis),
               PullBack<kind(), T, Dim>{through, start_.view(), kept_in(position_, at_, &tangent_, axis),
                                        spacing_over<T>(grid, axis), axis, to.component(axis),
                                        has_increments ? impulse_.component(axis) : nullptr});
    if (has_compensation) {
      grid.set_boundary(to);
      padded_.load_velocity(to, Beyond::velocity, back_);
      for (int axis = 0; axis < Dim; ++axis)
        for_each("sparse::incompressible::lose_on_the_way", grid.all_faces(axis),
                 LoseOnTheWay<kind(), T, Dim>{through, start_.view(), back_.view(), spacing_over<T>(grid, axis), axis,
                                              lost_.component(axis)});
      padded_.extend_velocity(Beyond::error, lost_);
      for (int axis = 0; axis < Dim; ++axis)
        for (bool const is_limited : {false, true})
          for_each("sparse::incompressible::compensate",
                   (is_limited ? limited_ : free_)[static_cast<std::size_t>(axis)],
                   Compensate<kind(), T, Dim>{through, lost_.view(), back_.view(),
                                              kept_in(position_, at_, &tangent_, axis), spacing_over<T>(grid, axis),
                                              axis, limiter_ == Limiter::none, is_limited, to.component(axis)});
    }
  });
  for (int axis = 0; has_increments && axis < Dim; ++axis)
    add_to(grid.computed(axis), impulse_.component(axis), to.component(axis));
  if (grid.has_outflow()) give_back_heads(time_step, to);
}

template <class T, int Dim>
void FlowMaps<T, Dim>::give_back_heads(double time_step, Field<T, Dim>& to) {
  auto const& grid = padded_.grid();
  double sum = 0;  // heads are kept where the places of the maps were, which have done their work
  Index count = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = grid.outflow_plan(axis);
    with_interpolation(interpolation_, [&](auto kind) {
      for_each("sparse::incompressible::head", faces,
               FindHead<kind(), T, Dim>{follow<kind()>(time_step), axis, time_step, at_.component(axis)});
    });
    sum += sum_of_heads<T, Dim>(faces, at_.component(axis));
    count += faces.cell_count();
  }
  for (int axis = 0; axis < Dim; ++axis)
    give_back_head<T, Dim>(grid.outflow_plan(axis), at_.component(axis),
                           static_cast<T>(sum / static_cast<double>(count)), static_cast<T>(2 / grid.spacing()[axis]),
                           to.component(axis));
}

template <class T, int Dim>
void FlowMaps<T, Dim>::map_cells(double time_step, bool has_compensation) {
  with_interpolation(interpolation_, [&](auto kind) {
    for_each("sparse::incompressible::map_cells", padded_.grid().computed(Dim),
             MapCells<kind(), T, Dim>{follow<kind()>(time_step), kept_in<T>(position_, at_, nullptr, 0),
                                      kept_in<T>(position_, at_, nullptr, 1), has_compensation});
  });
}

template <class T, int Dim>
void FlowMaps<T, Dim>::pull_back_cells(Field<T, Dim> const& from, bool has_compensation, Field<T, Dim>& to) {
  auto const& grid = padded_.grid();
  grid.expect_stored(from, 1, "carried field");
  grid.expect_stored(to, 1, "field that is pulled back");
  auto const view = padded_.view();
  auto const back = kept_in<T>(position_, at_, nullptr, 0), forth = kept_in<T>(position_, at_, nullptr, 1);
  // The velocities at both ends have done their work.
  padded_.load_cells(from, start_);
  with_interpolation(interpolation_, [&](auto kind) {
    for_each("sparse::incompressible::take_cells", grid.computed(Dim),
             TakeCells<kind(), T, Dim>{view, back, start_.component(0), to.component(0)});
    if (!has_compensation) return;
    padded_.load_cells(to, back_);
    for_each("sparse::incompressible::lose_cells", grid.computed(Dim),
             LoseCells<kind(), T, Dim>{view, forth, start_.component(0), back_.component(0), lost_.component(0)});
    padded_.extend_cells(lost_);
    for_each("sparse::incompressible::compensate_cells", grid.computed(Dim),
             CompensateCells<kind(), T, Dim>{view, back, start_.component(0), lost_.component(0), back_.component(0),
                                             limiter_ != Limiter::none, to.component(0)});
  });
}

template <class T, int Dim>
std::vector<MappedPoint<Dim>> FlowMaps<T, Dim>::map(std::vector<Vec<double, Dim>> const& points,
                                                    std::vector<Vec<double, Dim>> const& vectors, double time_step,
                                                    Direction direction) const {
  auto const& grid = padded_.grid();
  expects(points.size() == vectors.size(), "incompressible: there must be a vector for each point");
  auto const from = detail::points_inside(grid, points), along = to_device(grid.context(), vectors);
  Buffer<MappedPlace<Dim>> const out(grid.context(), from.size());
  with_interpolation(interpolation_, [&](auto kind) {
    parallel_for(grid.context(), "sparse::incompressible::map_points", from.size(),
                 MapPoints<kind(), T, Dim>{follow<kind()>(time_step), from.data(), along.data(), out.data(),
                                           direction == Direction::backward});
  });
  std::vector<Vec<Coord, Dim>> cells;
  grid.storage().to_host().for_each_cell([&](Vec<Coord, Dim> const& cell, Index) { cells.push_back(cell); });
  std::vector<MappedPoint<Dim>> result;
  for (auto const& place : to_host(grid.context(), static_cast<MappedPlace<Dim> const*>(out.data()), out.size())) {
    result.push_back({{}, place.tangent, place.has_left});
    for (int b = 0; b < Dim; ++b)
      result.back().position[b] =
          grid.spacing()[b] * (cells[static_cast<std::size_t>(place.position)][b] + place.at[b]);
  }
  return result;
}

template <class T, int Dim>
std::vector<typename FlowMaps<T, Dim>::Sample>
FlowMaps<T, Dim>::sample_start(std::vector<Vec<double, Dim>> const& points,
                               std::vector<Vec<double, Dim>> const& vectors) const {
  auto const& grid = padded_.grid();
  expects(points.size() == vectors.size(), "incompressible: there must be a vector for each point");
  auto const from = detail::points_inside(grid, points), along = to_device(grid.context(), vectors);
  Buffer<VelocityThere<Dim>> const out(grid.context(), from.size());
  with_interpolation(interpolation_, [&](auto kind) {
    parallel_for(grid.context(), "sparse::incompressible::sample_by_spline", from.size(),
                 SamplePoints<kind(), T, Dim>{padded_.view(), start_.view(), from.data(), along.data(), out.data()});
  });
  std::vector<Sample> result;
  for (auto const& there : to_host(grid.context(), static_cast<VelocityThere<Dim> const*>(out.data()), out.size()))
    result.push_back({there.velocity, there.change});
  return result;
}

template class FlowMaps<float, 2>;
template class FlowMaps<float, 3>;
template class FlowMaps<double, 2>;
template class FlowMaps<double, 3>;

}  // namespace sparse::incompressible
