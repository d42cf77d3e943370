#pragma once
/// How kernels find cells and faces of levels.

#include <string>

#include <sparse/sets/locate.hpp>
#include <sparse/sets/nearby_search.hpp>

#include "interface.hpp"

namespace sparse::poisson::detail {

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

/// Calls `body(searches, i, cell)` for the cells of a set, where i is the number of the cell.
/// @tparam Body  its `searches()` makes those that go from cell to cell. On the host some rows share them, because
///               nearby cells are found quickly. A device has a thread for each cell
template <int Dim, class Body>
struct CellsInOrder {
  static constexpr Index task_rows = has_many_threads ? 1 : 16;
  SetView set;
  Body body;

  KOKKOS_FUNCTION void operator()(Index task) const {
    auto searches = body.searches();
    if constexpr (has_many_threads) {
      body(searches, task, cell_of<Dim>(set, task));
    } else {
      Index const end = (task + 1) * task_rows < set.row_count ? (task + 1) * task_rows : set.row_count;
      for (Index r = task * task_rows; r < end; ++r)
        for (Index i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i) {
          auto const [begin, stop] = set.intervals[i];
          for (Coord x = begin; x < stop; ++x)
            body(searches, set.cell_offsets[i] + (x - begin), cell_at<Dim>(set.key(r), x + set.x_shift));
        }
    }
  }
};

template <int Dim, class Body>
void for_cells_in_order(std::string const& label, IntervalSet<Dim> const& cells, Body const& body) {
  using InOrder = CellsInOrder<Dim, Body>;
  InOrder const all{cells.view(), body};
  Index const tasks =
      has_many_threads ? all.set.cell_count : (all.set.row_count + InOrder::task_rows - 1) / InOrder::task_rows;
  if (tasks > 0) parallel_for(cells.context(), label, tasks, all);
}

/// One of the finer faces that make up a face. @param part  bit k: on the upper side along tangent k
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> part_of_face(Vec<Coord, Dim> const& face, int axis, int part) {
  auto finer = 2 * face;
  for (int k = 0; k < Dim - 1; ++k) finer[tangent_axis<Dim>(axis, k)] += (part >> k) & 1;
  return finer;
}

}  // namespace sparse::poisson::detail
