#pragma once
/// Space that repeats itself.

#include <sparse/sets/interval_set.hpp>

namespace sparse::incompressible {

/// Cells c and c + period[axis] along an axis are the same. The one in [begin, begin + period) is stored.
template <int Dim>
struct Periodicity {
  Vec<Coord, Dim> begin = {}, period = {};  ///< [axis] period 0 where nothing repeats

  bool is_any() const { return !(period == Vec<Coord, Dim>{}); }
  /// The stored cell that is the same as a cell. The cell must be within a period of the stored ones.
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
