#include "advect.hpp"

#include <cmath>
#include <string>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "trace.hpp"

namespace sparse::incompressible {
namespace {

/// The values to carry, and the results. `least` and `greatest` get the range of the values around the origin, if
/// needed.
template <class T>
struct Carried {
  T const* from;
  T *to, *least, *greatest;
  int component;  // component of velocity, or Dim for cell values

  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION void store(Index position, Corners<T, Dim> const& corners) const {
    to[position] = corners.mean();
    if (least == nullptr) return;
    least[position] = corners.least();
    greatest[position] = corners.greatest();
  }
};

/// Carries a value by walking from cell to cell: works for any face or cell.
template <class T, int Dim>
struct AdvectAnywhere {
  GridView<Dim> grid;
  FieldView<T const> velocity;
  Carried<T> carried;
  Vec<T, Dim> steps;

  KOKKOS_FUNCTION void carry(Index position) const {
    auto const here = detail::middle_of<T>(grid, position, carried.component);
    auto const there = detail::trace(grid, velocity, here, steps);
    carried.store(position, detail::corners_at(grid, carried.from, carried.component, there));
  }
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const { carry(p.cell); }
};

/// What is known of all displacements, and whether the range of values is stored.
enum class Deep { short_ways, short_ways_with_bounds, any_ways };

/// Carries a value by constant distances in memory: for a deep cell, or its lower face. `component` is a constant, so
/// that most weights at the start are constants, too. Where all displacements are known to be short, the loop has no
/// branch and vectorises.
template <class T, int Dim, int component, Deep deep>
struct AdvectDeep {
  using Point = typename detail::DeepPlan<Dim>::Point;
  AdvectAnywhere<T, Dim> anywhere;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    auto const& carried = anywhere.carried;
    detail::DeepPoint<T, Dim> const near{p};
    auto middle = Vec<T, Dim>::filled(T(0.5));
    if constexpr (component < Dim) middle[component] = 0;
    auto move = near.velocity_at(anywhere.velocity, middle);
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) move[b] *= T(-0.5) * anywhere.steps[b];
    if constexpr (deep == Deep::any_ways)
      if (!detail::is_short(move)) return anywhere.carry(p.operand(0));
    move = near.velocity_at(anywhere.velocity, middle + move);
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) move[b] *= -anywhere.steps[b];
    if constexpr (deep == Deep::any_ways)
      if (!detail::is_short(move)) return anywhere.carry(p.operand(0));
    auto const corners = near.corners_at(carried.from, component, middle + move);
    if constexpr (deep == Deep::any_ways) return carried.store(p.operand(0), corners);
    carried.to[p.operand(0)] = corners.mean();
    if constexpr (deep == Deep::short_ways_with_bounds) {
      carried.least[p.operand(0)] = corners.least();
      carried.greatest[p.operand(0)] = corners.greatest();
    }
  }
};

/// Whether all displacements are so short that a deep cell has the values they need. False for NaN.
template <class T, int Dim>
bool is_all_short(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, Vec<T, Dim> const& steps) {
  for (int axis = 0; axis < Dim; ++axis) {
    T const limit = T(1.49) / (steps[axis] < 0 ? -steps[axis] : steps[axis]);
    Index const far = reduce<Kokkos::Sum, Index>(
        "sparse::incompressible::count_far", grid.body().all_faces(axis),
        KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Index& count) {
          T const u = velocity(axis, p.cell);
          count += (u < limit && u > -limit) ? 0 : 1;
        });
    if (far > 0) return false;
  }
  return true;
}

template <class T, int Dim>
Vec<T, Dim> steps_of(StaggeredGrid<Dim> const& grid, double time_step) {
  Vec<T, Dim> steps;
  for (int b = 0; b < Dim; ++b) steps[b] = static_cast<T>(time_step / grid.spacing()[b]);
  return steps;
}

template <int component, class T, int Dim>
void carry_deep(StaggeredGrid<Dim> const& grid, AdvectAnywhere<T, Dim> const& anywhere, bool all_short) {
  if (anywhere.carried.component != component) {
    if constexpr (component < Dim) carry_deep<component + 1>(grid, anywhere, all_short);
    return;
  }
  std::string const label = "sparse::incompressible::advect_deep";
  if (!all_short)
    for_each(label, grid.body().deep(), AdvectDeep<T, Dim, component, Deep::any_ways>{anywhere});
  else if (anywhere.carried.least != nullptr)
    for_each(label, grid.body().deep(), AdvectDeep<T, Dim, component, Deep::short_ways_with_bounds>{anywhere});
  else
    for_each(label, grid.body().deep(), AdvectDeep<T, Dim, component, Deep::short_ways>{anywhere});
}

template <class T, int Dim>
void carry(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, Carried<T> const& carried, double time_step,
           bool all_short) {
  AdvectAnywhere<T, Dim> anywhere{grid.body().view(), velocity, carried, steps_of<T>(grid, time_step)};
  carry_deep<0>(grid, anywhere, all_short);
  for_each("sparse::incompressible::advect_shallow", grid.body().shallow(carried.component), anywhere);
}

/// MacCormack's correction: to = first + (from - back) / 2, clamped to [least, greatest].
template <class T, int Dim>
void correct(Subset<Dim> const& where, T const* from, T const* first, T const* back, T const* least, T const* greatest,
             T* to) {
  for_each(
      "sparse::incompressible::correct", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) SPARSE_INLINE_LAMBDA {
        T value = first[p.cell] + T(0.5) * (from[p.cell] - back[p.cell]);
        value = value < least[p.cell] ? least[p.cell] : value;
        to[p.cell] = value > greatest[p.cell] ? greatest[p.cell] : value;
      });
}

}  // namespace

template <class T, int Dim>
AdvectionScratch<T, Dim>::AdvectionScratch(StaggeredGrid<Dim> const& grid)
    : first("first", grid.storage(), Dim), back("back", grid.storage()), least("least", grid.storage()),
      greatest("greatest", grid.storage()) {
  fill(first, 0);
}

template <class T, int Dim>
void advect(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, Field<T, Dim> const& from, Field<T, Dim>& to,
            double time_step, Advection method, AdvectionScratch<T, Dim>& scratch) {
  ProfilingRegion const region("sparse::incompressible::advect");
  expects(std::isfinite(time_step), "incompressible: the time step must be finite");
  bool const is_velocity = from.component_count() == Dim;
  int const count = is_velocity ? Dim : 1;
  grid.expect_stored(velocity, Dim, "velocity");
  grid.expect_stored(from, count, "carried field");
  grid.expect_stored(to, count, "result of advection");
  expects(to.view().data != from.view().data && to.view().data != velocity.view().data,
          "incompressible: the result of advection must be another field");
  if (method == Advection::maccormack && is_velocity) grid.set_boundary(scratch.first);
  bool const all_short = is_all_short<T, Dim>(grid, velocity.view(), steps_of<T>(grid, time_step));
  for (int c = 0; c < count; ++c) {
    int const component = is_velocity ? c : Dim;
    T const* const source = from.component(c);
    if (method == Advection::linear) {
      carry<T, Dim>(grid, velocity.view(), {source, to.component(c), nullptr, nullptr, component}, time_step,
                    all_short);
      continue;
    }
    T *const first = scratch.first.component(c), *const back = scratch.back.component(0);
    T *const least = scratch.least.component(0), *const greatest = scratch.greatest.component(0);
    carry<T, Dim>(grid, velocity.view(), {source, first, least, greatest, component}, time_step, all_short);
    carry<T, Dim>(grid, velocity.view(), {first, back, nullptr, nullptr, component}, -time_step, all_short);
    correct<T, Dim>(grid.body().computed_plan(component), source, first, back, least, greatest, to.component(c));
  }
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template class AdvectionScratch<T, Dim>;                                                                             \
  template void advect(StaggeredGrid<Dim> const&, Field<T, Dim> const&, Field<T, Dim> const&, Field<T, Dim>&, double,  \
                       Advection, AdvectionScratch<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
