#pragma once
/// The faces of cells on a side of the box.

#include <sparse/amr/domain/domain.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// The faces on a side of `box`, which begins at 0, of the cells of `set` beside it.
template <int Dim>
IntervalSet<Dim> faces_on_side(IntervalSet<Dim> const& set, Box<Dim> const& box, int axis, FaceSide side) {
  Box<Dim> layer = box;
  if (side == FaceSide::lower) {
    layer.end[axis] = 1;
    return inside(set, layer);
  }
  layer.begin[axis] = box.end[axis] - 1;
  return shift(inside(set, layer), axis, 1);
}

}  // namespace sparse::amr
