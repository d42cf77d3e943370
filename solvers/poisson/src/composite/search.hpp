#pragma once
/// How kernels find cells and faces of levels.

#include <sparse/sets/cells_in_order.hpp>
#include <sparse/sets/nearby_search.hpp>

#include "interface.hpp"

namespace sparse::poisson::detail {

using sparse::detail::for_cells_in_order;
using sparse::detail::NearbySearch;

/// A level as kernels search it.
template <int Dim>
struct LevelSearch {
  SetView cells;
  Vec<Coord, Dim> period;

  explicit LevelSearch(CompositeLevel<Dim> const& level) : cells(level.cells.view()), period(level.period()) {}
  /// Looks a period away, too.
  KOKKOS_FUNCTION Index find_in(SetView const& set, Vec<Coord, Dim> const& cell) const {
    NearbySearch search(set);
    return find_in(search, cell);
  }
  KOKKOS_FUNCTION Index find_in(NearbySearch& set, Vec<Coord, Dim> const& cell) const {
    Index const found = set.find(cell);
    if (found >= 0 || !is_periodic()) return found;
    constexpr int combinations = Dim == 2 ? 9 : 27;
    for (int c = 1; c < combinations; ++c) {
      auto image = cell;
      bool is_new = true;
      for (int axis = 0, rest = c; axis < Dim; ++axis, rest /= 3) {
        int const step = rest % 3 == 2 ? -1 : rest % 3;
        if (step != 0 && period[axis] == 0) is_new = false;
        image[axis] += step * period[axis];
      }
      if (!is_new) continue;
      if (Index const other = set.find(image); other >= 0) return other;
    }
    return -1;
  }

private:
  KOKKOS_FUNCTION bool is_periodic() const {
    for (int axis = 0; axis < Dim; ++axis)
      if (period[axis] > 0) return true;
    return false;
  }
};

/// One of the finer faces that make up a face. @param part  bit k: on the upper side along tangent k
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> part_of_face(Vec<Coord, Dim> const& face, int axis, int part) {
  auto finer = 2 * face;
  for (int k = 0; k < Dim - 1; ++k) finer[tangent_axis<Dim>(axis, k)] += (part >> k) & 1;
  return finer;
}

}  // namespace sparse::poisson::detail
