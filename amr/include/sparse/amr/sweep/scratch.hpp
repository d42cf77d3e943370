#pragma once
/// Scratch memory of a tile, and loops over its cells.

#include <sparse/amr/sweep/plan.hpp>
#include <sparse/fields/field.hpp>

namespace sparse::amr {

/// Numbers in the host's longest vectors.
template <class T>
constexpr int vector_lanes = 64 / static_cast<int>(sizeof(T));

/// The count with which loops over scratch memory run. On the host it is rounded up to whole vectors, which saves the
/// remainder of a vector loop.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr int whole_vectors(int count) {
  static_assert(vector_lanes<T> <= 16);
  return is_host_backend ? (count + vector_lanes<T> - 1) & ~(vector_lanes<T> - 1) : count;
}

/// Calls `body(i)` for the cells of a loop and waits.
template <class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void along(Member const& member, int count, Body const& body) {
  if constexpr (is_host_backend) {
    SPARSE_INDEPENDENT_ITERATIONS
    for (int i = 0; i < count; ++i) body(i);
  } else {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, count), body);
    member.team_barrier();
  }
}

/// The arrays of N components that a sweep keeps for a tile. Every component is a ring of the few slabs that are still
/// needed. A loop addresses its own cells, or cells beside them.
template <class T, int N, int Dim>
class SweepScratch {
  static constexpr int kept = 4, at_faces = 2;  // slabs
  static constexpr int half_array = N * kept, slope_array = half_array + N * at_faces,
                       flux_array = slope_array + Dim * N * at_faces, slab_count = flux_array + Dim * N * at_faces;

public:
  /// A component of cells in scratch.
  using Cells = FieldView<T>;
  /// What a team needs, with room to begin on a line of the cache [bytes].
  static constexpr std::size_t bytes = sizeof(T) * slab_count * Tile<Dim>::slab_size + 64;

  /// Scratch in `memory`, which has 64 bytes less than `bytes`.
  KOKKOS_FORCEINLINE_FUNCTION explicit SweepScratch(void* memory) : data_(static_cast<T*>(memory)) {}

  /// Primitive variables of the loop's cells, moved by `move` along an axis.
  KOKKOS_FORCEINLINE_FUNCTION Cells primitives(SweepLoop const& loop, int axis = 0, int move = 0) const {
    return cells<kept>(0, loop, axis, move);
  }
  /// The same after half a step.
  KOKKOS_FORCEINLINE_FUNCTION Cells halves(SweepLoop const& loop, int axis = 0, int move = 0) const {
    return cells<at_faces>(half_array, loop, axis, move);
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells slopes(int of_axis, SweepLoop const& loop, int axis = 0, int move = 0) const {
    return cells<at_faces>(slope_array + of_axis * N * at_faces, loop, axis, move);
  }
  /// Fluxes through the cells' lower faces across `of_axis`.
  KOKKOS_FORCEINLINE_FUNCTION Cells fluxes(int of_axis, SweepLoop const& loop, int axis = 0, int move = 0) const {
    return cells<at_faces>(flux_array + of_axis * N * at_faces, loop, axis, move);
  }

private:
  template <int ring>
  KOKKOS_FORCEINLINE_FUNCTION Cells cells(int array, SweepLoop const& loop, int axis, int move) const {
    using Tile = amr::Tile<Dim>;
    int const in_slab = Dim == 2 ? 0 : (loop.row + Tile::halo + (Dim == 3 && axis == 1 ? move : 0)) * Tile::width;
    int const ring_slab = (loop.slab + (axis == Dim - 1 ? move : 0)) & (ring - 1);
    int const x = loop.x + Tile::lead + (axis == 0 ? move : 0);
    return {data_ + (array + ring_slab) * Tile::slab_size + in_slab + x, ring * Tile::slab_size};
  }

  T* data_;
};

}  // namespace sparse::amr
