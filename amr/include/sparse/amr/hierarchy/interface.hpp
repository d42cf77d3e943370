#pragma once
/// Conservation where levels meet.

#include <vector>

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/sweep/batches.hpp>
#include <sparse/amr/sweep/wave_rate.hpp>
#include <sparse/fields/field.hpp>

namespace sparse::amr {

/// A leaf of level l beside covered cells, the faces between them, and the fine faces in each of these faces.
template <int Dim>
struct InterfacePoint : RunPoint<Dim, 1 + 2 * Dim*(1 + (1 << (Dim - 1)))> {
  static constexpr int face_count = 1 << (Dim - 1);  ///< fine faces in a coarse one
  /// A coarse cell, its faces and their children.
  static constexpr int operand_count = 1 + 2 * Dim * (1 + face_count);
  Index cell;  ///< the leaf, in `storage` of level l
  /// The point at position s of a run.
  KOKKOS_FORCEINLINE_FUNCTION InterfacePoint(Run<operand_count> const& r, Index s)
      : RunPoint<Dim, operand_count>{r, s}, cell(r.index[0] + s) {}

  /// The operand of the coarse face at a side (0 lower, 1 upper) along an axis. The operands of its fine faces follow.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int operand_of(int axis, int side) {
    return 1 + (2 * axis + side) * (1 + face_count);
  }
  /// Whether there is a covered cell at this side.
  KOKKOS_FORCEINLINE_FUNCTION bool is_beside_covered(int axis, int side) const {
    return this->has(operand_of(axis, side) + 1);
  }
  /// Position in `coarse_interface[axis]` of level l.
  KOKKOS_FORCEINLINE_FUNCTION Index coarse_face(int axis, int side) const {
    return this->operand(operand_of(axis, side));
  }
  /// Positions in `fine_interface[axis]` of level l + 1.
  KOKKOS_FORCEINLINE_FUNCTION Index fine_face(int axis, int side, int face) const {
    return this->child_operand(operand_of(axis, side) + 1 + face);
  }
};

/// Leaves of level l and their faces with level l + 1, in the box or across one of its periodic sides.
template <int Dim>
class Interface : public Plan<Dim, InterfacePoint<Dim>::operand_count> {
public:
  /// What kernels get per cell.
  using Point = InterfacePoint<Dim>;
  Interface() = default;
  /// @param leaves  of the level `coarse`
  /// @param shift  0, or a period in fine cells: added to coordinates beyond a leaf's face, it gives those of the fine
  ///               cells there
  Interface(IntervalSet<Dim> const& leaves, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine,
            Vec<Coord, Dim> const& shift);
};

/// All interfaces between level l and l + 1. The levels must be nested, as `level_sets` requires. Then a leaf with one
/// fine face at a side has all fine faces there. This is not checked.
template <int Dim>
struct Interfaces {
  Interface<Dim> leaves;                     ///< all leaves beside covered cells, with their faces in the box
  std::vector<Interface<Dim>> across_sides;  ///< leaves with faces across periodic sides, and these faces

  Interfaces() = default;
  /// All interfaces between two neighbouring levels. Cost: passes over the rows of both.
  Interfaces(Domain<Dim> const& domain, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine, int coarse_level);
};

namespace detail {

template <class Law>
struct Reflux {
  using T = typename Law::Scalar;
  using State = typename Law::State;
  using Bits = OrderedBits<T>;
  static constexpr int Dim = Law::dimension, N = Law::component_count;
  using Point = InterfacePoint<Dim>;
  Law law;
  Vec<FieldView<T const>, Dim> coarse, fine;
  FieldView<T> state;
  Vec<T, Dim> inverse_spacing;

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each_face(Point const& p, Body const& body) {
    SPARSE_UNROLL
    for (int face = 0; face < 2 * Dim; ++face)
      if (p.is_beside_covered(face / 2, face % 2)) body(face / 2, face % 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION void fetch(Point const& p) const {
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) __builtin_prefetch(&state(c, p.cell), 1);
    for_each_face(p, [&](int axis, int side) SPARSE_INLINE_LAMBDA {
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) __builtin_prefetch(&fine[axis](c, p.fine_face(axis, side, 0)));
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION State corrected(Point const& p) const {
    constexpr T part = T(1) / Point::face_count;
    State u = state.template load<N>(p.cell);
    for_each_face(p, [&](int axis, int side) SPARSE_INLINE_LAMBDA {
      T const factor = side == 0 ? inverse_spacing[axis] : -inverse_spacing[axis];
      Index const face = p.coarse_face(axis, side);
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) {
        T mean = 0;
        SPARSE_UNROLL
        for (int k = 0; k < Point::face_count; ++k) mean += part * fine[axis](c, p.fine_face(axis, side, k));
        u[c] += factor * (mean - coarse[axis](c, face));
      }
    });
    return u;
  }
  KOKKOS_FUNCTION void operator()(Batch<Point, T> const& batch, Bits& greatest) const {
    constexpr int lane_count = Batch<Point, T>::lane_count;
    T states[N][lane_count];
    for (int lane = 0; lane < lane_count; ++lane) {
      State const u = corrected(batch.point(lane));
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) states[c][lane] = u[c];
    }
    Bits of_batch = greatest;
    SPARSE_INDEPENDENT_ITERATIONS
    for (int lane = 0; lane < lane_count; ++lane) {
      State u;
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) u[c] = states[c][lane];
      Bits const bits = wave_rate_bits(law, law.primitive(u), inverse_spacing);
      of_batch = bits > of_batch ? bits : of_batch;
    }
    greatest = of_batch;
    for (int lane = 0; lane < batch.count; ++lane) {
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) state(c, batch.point(lane).cell) = states[c][lane];
    }
  }
};

}  // namespace detail

/// At faces between leaves and covered cells, replaces the coarse fluxes by the means of the fine ones.
///
/// @param state            conserved variables on `storage` of level l
/// @param coarse_register  [axis] components on `coarse_interface[axis]` of level l: sum of dt times flux
/// @param fine_register    [axis] the same on `fine_interface[axis]` of level l + 1, per area
/// @return  the greatest wave rate of these leaves afterwards, as of `wave_rate`; 0 if there are none. Waits for it.
template <class Law>
typename Law::Scalar reflux(FieldView<typename Law::Scalar> state, Law const& law,
                            Interfaces<Law::dimension> const& interfaces,
                            Vec<FieldView<typename Law::Scalar const>, Law::dimension> const& coarse_register,
                            Vec<FieldView<typename Law::Scalar const>, Law::dimension> const& fine_register,
                            Vec<typename Law::Scalar, Law::dimension> const& inverse_spacing) {
  using T = typename Law::Scalar;
  auto const correct = [&](Interface<Law::dimension> const& leaves) {
    if (leaves.cell_count() == 0) return T(0);
    return std::bit_cast<T>(reduce_batches<T, Kokkos::Max, OrderedBits<T>>(
        "sparse::amr::reflux", leaves,
        detail::Reflux<Law>{law, coarse_register, fine_register, state, inverse_spacing}));
  };
  for (auto const& leaves : interfaces.across_sides) correct(leaves);  // the last call sees their final states
  return correct(interfaces.leaves);
}

}  // namespace sparse::amr
