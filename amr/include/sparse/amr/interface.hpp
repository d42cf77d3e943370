#pragma once
/// Conservation where levels meet.

#include <sparse/amr/level_sets.hpp>
#include <sparse/field.hpp>
#include <sparse/for_each.hpp>

namespace sparse::amr {

/// A leaf of level l beside a covered cell, and the fine cells on both sides of the face between them.
template <int Dim>
struct InterfacePoint : RunPoint<Dim, 2 + (2 << (Dim - 1))> {
  static constexpr int face_count = 1 << (Dim - 1);  ///< fine faces in the coarse one
  static constexpr int operand_count = 2 + 2 * face_count;
  Index cell;
  KOKKOS_FORCEINLINE_FUNCTION InterfacePoint(Run<operand_count> const& r, Index s)
      : RunPoint<Dim, operand_count>{r, s}, cell(r.index[0] + s) {}

  /// Position of the covered neighbour at level l.
  KOKKOS_FORCEINLINE_FUNCTION Index covered() const { return this->operand(1); }
  /// Positions at level l + 1 of the fine cell in the covered neighbour and of the ghost in the leaf.
  KOKKOS_FORCEINLINE_FUNCTION Index inner(int face) const { return this->child_operand(2 + face); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_inner(int face) const { return this->has(2 + face); }
  KOKKOS_FORCEINLINE_FUNCTION Index ghost(int face) const { return this->child_operand(2 + face_count + face); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_ghost(int face) const { return this->has(2 + face_count + face); }
};

/// The faces between leaves of level l and covered cells on one side of them.
template <int Dim>
class Interface : public Plan<Dim, InterfacePoint<Dim>::operand_count> {
public:
  using Point = InterfacePoint<Dim>;
  Interface() = default;
  /// @param axis, side  the covered cells lie at coordinate - 1 (side 0) or + 1 (side 1) of the leaves
  Interface(LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine, int axis, int side);
};

template <class Flux, int Dim>
struct InterfaceCorrection {
  using T = typename Flux::Scalar;
  using State = typename Flux::State;
  Flux flux;
  FieldView<T const> coarse, fine;
  FieldView<T> next;
  T dt_over_dx;
  int axis, side;

  KOKKOS_FORCEINLINE_FUNCTION State through(State const& leaf_side, State const& covered_side) const {
    return side == 0 ? flux(covered_side, leaf_side, axis) : flux(leaf_side, covered_side, axis);
  }
  KOKKOS_FUNCTION void operator()(InterfacePoint<Dim> const& p) const {
    constexpr int N = Flux::Law::component_count;
    State const u = coarse.template load<N>(p.cell);
    State fine_sum{};
    for (int face = 0; face < InterfacePoint<Dim>::face_count; ++face) {
      // A fine cell that is missing is solid: the face is a wall for the cell on its other side.
      State ghost = u, inner;
      if (p.has_ghost(face)) ghost = fine.template load<N>(p.ghost(face));
      if (p.has_inner(face)) {
        inner = fine.template load<N>(p.inner(face));
        if (!p.has_ghost(face)) ghost = flux.law.mirrored(inner, axis, T(-1));
      } else {
        inner = flux.law.mirrored(ghost, axis, T(-1));
      }
      fine_sum += through(ghost, inner);
    }
    State const fine_mean = (T(1) / InterfacePoint<Dim>::face_count) * fine_sum;
    State const change = dt_over_dx * (through(u, coarse.template load<N>(p.covered())) - fine_mean);
    State value = next.template load<N>(p.cell);
    value += (side == 0 ? T(-1) : T(1)) * change;
    next.store(p.cell, value);
  }
};

/// Replaces, in `next`, the fluxes that leaves of level l saw at their faces with covered cells by the means of the
/// fluxes that level l + 1 saw there. `coarse` and `fine` are the states from which the step started, with ghosts.
template <class Flux, int Dim>
void correct_interface(Flux const& flux, Interface<Dim> const& faces, int axis, int side,
                       FieldView<typename Flux::Scalar const> coarse, FieldView<typename Flux::Scalar const> fine,
                       FieldView<typename Flux::Scalar> next, typename Flux::Scalar dt_over_dx) {
  for_each("sparse::amr::interface", faces,
           InterfaceCorrection<Flux, Dim>{flux, coarse, fine, next, dt_over_dx, axis, side});
}

}  // namespace sparse::amr
