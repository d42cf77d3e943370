#include "kernels.hpp"

namespace sparse::incompressible {
namespace {

using namespace detail;

/// Pulls the start back as a one-form to the faces normal to an axis.
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
    auto const here = padded_middle_of<T>(follow.view, p.cell, axis);
    auto const there = follow.template backward<true>({here, Vec<T, Dim>::along(axis, 1)}, spacing, gained);
    kept.store(p.cell, there);
    to[p.cell] = follow.along(there, start, spacing);
    if (impulse != nullptr) impulse[p.cell] = gained;
  }
};

/// The change of the start on the way there and back; 0 on walls. Where fluid leaves, nothing comes back. There the
/// smoothing of two splines takes its place.
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
    lost[p.cell] = 0;
    int const kind = view.grid.kind(axis, p.cell);
    if (view.is_given(axis, p.cell) && view.grid.condition(kind).kind != BoundaryKind::inflow) return;
    T const* const before = start.data + axis * start.stride;
    auto const here = padded_middle_of<T>(view, p.cell, axis);
    auto const there = follow.template forward<true>({here, Vec<T, Dim>::along(axis, 1)});
    lost[p.cell] = there.left_along < 0 ? follow.along(there, end, spacing) - before[padded]
                                        : smoothing_twice<interpolation>(view, padded, before);
  }
};

/// The share of a correction that is applied. A map turns the unit normal of a face into this vector. The whole
/// correction is applied up to a length of sqrt(2), and nothing beyond a length of 2. Without this limit, unresolved
/// velocities, which maps distort within one cycle, would gain energy.
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

template <class T, int Dim>
void add_to(Subset<Dim> const& faces, T const* impulse, T* to) {
  for_each(
      "sparse::incompressible::add_impulse", faces,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { to[p.cell] += impulse[p.cell]; });
}

}  // namespace

template <class T, int Dim>
void FlowMaps<T, Dim>::pull_back(double time_step, bool has_compensation, Field<T, Dim>& to) {
  ProfilingRegion const region("sparse::incompressible::pull_back");
  auto const& grid = padded_.grid();
  grid.expect_stored(to, Dim, "velocity that is pulled back");
  bool const has_increments = increments_.component_count() > 0;
  with_interpolation(interpolation_, [&](auto kind) {
    auto const through = follow<kind()>(time_step);
    for (int axis = 0; axis < Dim; ++axis)
      for_each("sparse::incompressible::pull_back", begun_[static_cast<std::size_t>(axis)],
               PullBack<kind(), T, Dim>{through, start_.view(), kept_in(position_, at_, &tangent_, axis),
                                        spacing_over<T>(grid, axis), axis, to.component(axis),
                                        has_increments ? impulse_.component(axis) : nullptr});
    if (has_compensation) {
      grid.set_boundary(to);
      grid.exchange(to);
      padded_.load_velocity(to, Beyond::velocity, back_);
      for (int axis = 0; axis < Dim; ++axis)
        for_each("sparse::incompressible::lose_on_the_way", with_given_[static_cast<std::size_t>(axis)],
                 LoseOnTheWay<kind(), T, Dim>{through, start_.view(), back_.view(), spacing_over<T>(grid, axis), axis,
                                              to.component(axis)});
      grid.exchange(to);
      padded_.load_velocity(to, Beyond::error, lost_);
      for (int axis = 0; axis < Dim; ++axis)
        for (bool const is_limited : {false, true})
          for_each("sparse::incompressible::compensate",
                   (is_limited ? limited_ : free_)[static_cast<std::size_t>(axis)],
                   Compensate<kind(), T, Dim>{through, lost_.view(), back_.view(),
                                              kept_in(position_, at_, &tangent_, axis), spacing_over<T>(grid, axis),
                                              axis, limiter_ == Clamping::none, is_limited, to.component(axis)});
    }
  });
  for (int axis = 0; has_increments && axis < Dim; ++axis)
    add_to(begun_[static_cast<std::size_t>(axis)], impulse_.component(axis), to.component(axis));
  if (grid.has_outflow()) give_back_heads(time_step, to);
  grid.set_boundary(to);
}

#define SPARSE_DEFINE(T, Dim) template void FlowMaps<T, Dim>::pull_back(double, bool, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
