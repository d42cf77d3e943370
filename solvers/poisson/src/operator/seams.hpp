#pragma once
/// Periods of the levels of a hierarchy.

#include <sparse/base/vec.hpp>

namespace sparse::poisson::detail {

/// Where a level meets itself a period away. A coarse cell may reach beyond the seam: where the number of finer cells
/// is odd, the last coarse one has children on its lower side only.
template <int Dim>
struct Seams {
  Vec<Coord, Dim> period = {};   ///< [cells] 0: none
  Vec<double, Dim> excess = {};  ///< how much longer this is than the true period [cell widths]

  /// Those of the next coarser level. The cells of this one begin at 0.
  Seams coarser() const {
    Seams made;
    for (int axis = 0; axis < Dim; ++axis) {
      Coord const count = (period[axis] + 1) / 2;
      if (count < 2) continue;  // a single cell is not its own neighbour
      made.period[axis] = count;
      made.excess[axis] = count - (period[axis] - excess[axis]) / 2;
    }
    return made;
  }
  /// Whether red and black cells alternate across the seams, too.
  bool are_even() const {
    for (int axis = 0; axis < Dim; ++axis)
      if (period[axis] % 2 != 0) return false;
    return true;
  }
};

}  // namespace sparse::poisson::detail
