#pragma once
/// Periodic space.

#include <sparse/sets/interval_set.hpp>

namespace sparse::incompressible {

/// Along an axis, cells c and c + period[axis] are the same. The cell in [begin, begin + period) is the stored one.
template <int Dim>
struct Periodicity {
  Vec<Coord, Dim> begin = {}, period = {};  ///< [axis] period is 0 along axes that are not periodic

  /// Whether an axis repeats.
  bool is_any() const { return !(period == Vec<Coord, Dim>{}); }
  /// The stored cell that is the same as `cell`. The cell must be within a period of the stored cells.
  KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> stored(Vec<Coord, Dim> cell) const {
    for (int axis = 0; axis < Dim; ++axis) {
      if (period[axis] == 0) continue;
      if (cell[axis] < begin[axis])
        cell[axis] += period[axis];
      else if (cell[axis] - begin[axis] >= period[axis])
        cell[axis] -= period[axis];
    }
    return cell;
  }
  /// The same for all cells of a set.
  IntervalSet<Dim> stored(IntervalSet<Dim> set) const;
};

}  // namespace sparse::incompressible
