#pragma once
/// Fluxes of viscosity and heat in a tile: central differences of the state at the beginning of the stage.

#include <sparse/amr/law.hpp>
#include <sparse/amr/sweep/scratch.hpp>

namespace sparse::amr {

/// The cells at one side of faces across `axis`, and their neighbours along the faces.
template <class Law, int axis>
struct BesideFaces {
  static constexpr int N = Law::component_count, Dim = Law::dimension;
  using T = typename Law::Scalar;
  using State = typename Law::State;
  /// Primitive variables of the cells, and of their neighbours below and above along the other axes.
  FieldView<T> cell;
  Vec<FieldView<T>, Dim> before, after;  // of other axes

  /// `move` is 0 for the cells above the faces of the loop, -1 for those below.
  KOKKOS_FORCEINLINE_FUNCTION BesideFaces(SweepScratch<T, N, Dim> const& scratch, SweepLoop loop, int move) {
    (axis == Dim - 1 ? loop.slab : axis == 0 ? loop.x : loop.row) += static_cast<std::int16_t>(move);
    cell = scratch.primitives(loop);
    for (int other = 0; other < Dim; ++other) {
      if (other == axis) continue;
      before[other] = scratch.primitives(loop, other, -1);
      after[other] = scratch.primitives(loop, other, 1);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION State at(int i) const { return cell.template load<N>(i); }
  KOKKOS_FORCEINLINE_FUNCTION State change_along(int other, int i) const {
    return after[other].template load<N>(i) - before[other].template load<N>(i);
  }
};

/// Subtracts the fluxes of viscosity and heat conduction from the fluxes of a loop.
template <int axis, class Member, class Law, class T, int N, int Dim>
KOKKOS_FUNCTION void diffuse(Member const& member, SweepLoop const& loop, SweepScratch<T, N, Dim> const& scratch,
                             Law const& law, Vec<T, Dim> const& inverse_spacing) {
  using State = typename Law::State;
  BesideFaces<Law, axis> const below(scratch, loop, -1), above(scratch, loop, 0);
  FieldView<T> const out = scratch.fluxes(axis, loop);
  along(member, whole_vectors<T>(loop.count), [=](int i) SPARSE_INLINE_LAMBDA {
    State const l = below.at(i), r = above.at(i);
    Vec<State, Dim> gradients;
    SPARSE_UNROLL
    for (int other = 0; other < Dim; ++other)
      if (other == axis)
        gradients[other] = inverse_spacing[other] * (r - l);
      else
        gradients[other] =
            (T(0.25) * inverse_spacing[other]) * (below.change_along(other, i) + above.change_along(other, i));
    State const carried = law.diffusive_flux(T(0.5) * (l + r), gradients, axis);
    out.store(i, out.template load<N>(i) - carried);
  });
}

/// The same at walls, with the mirror image of the fluid behind them. So no heat passes, and a wall at rest does no
/// work. Ghosts do not work here: one that serves several faces is the mirror image at none of them. This loop must not
/// run over its end, because the fluxes there are final.
template <int axis, class Member, class Law, class T, int N, int Dim>
KOKKOS_FUNCTION void diffuse_at_walls(Member const& member, SweepLoop const& loop,
                                      SweepScratch<T, N, Dim> const& scratch, Law const& law,
                                      Vec<T, Dim> const& inverse_spacing) {
  using State = typename Law::State;
  bool const is_below = loop.kind == SweepLoop::wall_below, sticks = loop.sticks;
  BesideFaces<Law, axis> const fluid(scratch, loop, is_below ? 0 : -1);
  FieldView<T> const out = scratch.fluxes(axis, loop);
  along(member, loop.count, [=](int i) SPARSE_INLINE_LAMBDA {
    auto const image = [&](State const& w) { return sticks ? law.reversed(w) : law.mirrored(w, axis, T(-1)); };
    State const w = fluid.at(i), behind = image(w);
    Vec<State, Dim> gradients;
    SPARSE_UNROLL
    for (int other = 0; other < Dim; ++other)
      if (other == axis) {
        gradients[other] = inverse_spacing[other] * (is_below ? w - behind : behind - w);
      } else {
        State const change = fluid.change_along(other, i);
        gradients[other] = (T(0.25) * inverse_spacing[other]) * (change + image(change));
      }
    State const carried = law.diffusive_flux(T(0.5) * (w + behind), gradients, axis);
    out.store(i, out.template load<N>(i) - carried);
  });
}

}  // namespace sparse::amr
