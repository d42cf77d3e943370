#pragma once
/// Which cells in the box give their values to cells outside.

#include <sparse/amr/domain/domain.hpp>

namespace sparse::amr {

/// Maps a cell outside the box to the cells inside that give it its value.
template <int Dim>
struct Fold {
  Vec<Coord, Dim> size;
  Vec<bool, Dim> is_periodic;
  Fold() = default;
  Fold(Domain<Dim> const& domain, int level) : size(domain.box(level).end) {
    for (int axis = 0; axis < Dim; ++axis) is_periodic[axis] = domain.is_periodic(axis);
  }

  // Inlined by force: otherwise g++ 12 merges the functions of 2D and 3D and then warns of array bounds.
  /// The coordinate inside the box that is the same across a periodic side.
  KOKKOS_FORCEINLINE_FUNCTION Coord wrapped(Coord x, int axis) const {
    return !is_periodic[axis] ? x : x < 0 ? x + size[axis] : x >= size[axis] ? x - size[axis] : x;
  }
  KOKKOS_FORCEINLINE_FUNCTION Coord nearest(Coord x, int axis) const {
    Coord const y = wrapped(x, axis);
    return y < 0 ? 0 : y >= size[axis] ? size[axis] - 1 : y;
  }
  KOKKOS_FORCEINLINE_FUNCTION Coord mirrored(Coord x, int axis) const {
    Coord const y = wrapped(x, axis), image = y < 0 ? -1 - y : y >= size[axis] ? 2 * size[axis] - 1 - y : y;
    return image < 0 ? 0 : image >= size[axis] ? size[axis] - 1 : image;
  }
  /// Whether one of the cells that give this cell its value is solid.
  KOKKOS_FUNCTION bool is_behind(SetView const& solid, Vec<Coord, Dim> const& cell) const {
    if (solid.row_count == 0) return false;
    Vec<Coord, Dim> near, image;
    for (int axis = 0; axis < Dim; ++axis) {
      near[axis] = nearest(cell[axis], axis);
      image[axis] = mirrored(cell[axis], axis);
    }
    return solid.find(near) >= 0 || (!(image == near) && solid.find(image) >= 0);
  }
};

}  // namespace sparse::amr
