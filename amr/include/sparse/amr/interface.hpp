#pragma once
/// Conservation where levels meet.

#include <vector>

#include <sparse/amr/batches.hpp>
#include <sparse/amr/level_sets.hpp>
#include <sparse/field.hpp>
#include <sparse/for_each.hpp>

namespace sparse::amr {

/// A leaf of level l beside a covered cell, the face between them, and the fine faces that make it up.
template <int Dim>
struct InterfacePoint : RunPoint<Dim, 2 + (1 << (Dim - 1))> {
  static constexpr int face_count = 1 << (Dim - 1);  ///< fine faces in the coarse one
  static constexpr int operand_count = 2 + face_count;
  Index cell;  ///< the leaf, in `storage` of level l
  KOKKOS_FORCEINLINE_FUNCTION InterfacePoint(Run<operand_count> const& r, Index s)
      : RunPoint<Dim, operand_count>{r, s}, cell(r.index[0] + s) {}

  /// Position in `coarse_interface[axis]` of level l.
  KOKKOS_FORCEINLINE_FUNCTION Index coarse_face() const { return this->operand(1); }
  /// Positions in `fine_interface[axis]` of level l + 1.
  KOKKOS_FORCEINLINE_FUNCTION Index fine_face(int face) const { return this->child_operand(2 + face); }
};

/// Leaves of level l whose covered neighbours lie on one side of them, in the box or across its periodic side.
template <int Dim>
class Interface : public Plan<Dim, InterfacePoint<Dim>::operand_count> {
public:
  using Point = InterfacePoint<Dim>;
  Interface() = default;
  /// @param leaves      with covered neighbours at coordinate - 1 (side 0) or + 1 (side 1) along `axis`
  /// @param fine_shift  from twice the coordinate of the coarse face to that of the fine ones: 0, or a period
  /// @throws std::invalid_argument  if a fine face is missing, as beside bodies
  Interface(IntervalSet<Dim> const& leaves, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine, int axis,
            int side, Coord fine_shift);
};

/// [axis][side] all interfaces between level l and l + 1, those across periodic sides last.
template <int Dim>
using Interfaces = Vec<Vec<std::vector<Interface<Dim>>, 2>, Dim>;

template <int Dim>
Interfaces<Dim> interfaces(Domain<Dim> const& domain, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine,
                           int coarse_level);

namespace detail {

template <class T, int Dim, int N>
struct Reflux {
  FieldView<T const> coarse, fine;
  FieldView<T> state;
  T factor;
  KOKKOS_FORCEINLINE_FUNCTION void fetch(InterfacePoint<Dim> const& p) const {
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) {
      __builtin_prefetch(&fine(c, p.fine_face(0)));
      __builtin_prefetch(&state(c, p.cell), 1);
    }
  }
  KOKKOS_FUNCTION void operator()(InterfacePoint<Dim> const& p) const {
    constexpr T part = T(1) / InterfacePoint<Dim>::face_count;
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) {
      T mean = 0;
      for (int face = 0; face < InterfacePoint<Dim>::face_count; ++face) mean += part * fine(c, p.fine_face(face));
      state(c, p.cell) += factor * (mean - coarse(c, p.coarse_face()));
    }
  }
};

}  // namespace detail

/// Replaces the fluxes that leaves saw at their faces with covered cells by the means of those that level l + 1 saw.
///
/// @param coarse_register  N components on `coarse_interface[axis]` of level l: sum of dt times flux
/// @param fine_register    the same on `fine_interface[axis]` of level l + 1, per area
/// @param state            conserved variables on `storage` of level l
template <class T, int Dim, int N>
void reflux(Interface<Dim> const& faces, int side, FieldView<T const> coarse_register, FieldView<T const> fine_register,
            FieldView<T> state, T one_over_dx) {
  for_each_in_short_runs(
      "sparse::amr::reflux", faces,
      detail::Reflux<T, Dim, N>{coarse_register, fine_register, state, side == 0 ? one_over_dx : -one_over_dx});
}

}  // namespace sparse::amr
