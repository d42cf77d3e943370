#pragma once
/// Loops over cells that search others close to them.

#include <string>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::detail {

/// Calls a body for the cells of some rows, one after the other. A device has a thread for each cell.
template <int Dim, class Body>
struct CellsInOrder {
  static constexpr Index task_rows = 16;
  SetView set;
  Body body;

  Index task_count() const { return has_many_threads ? set.cell_count : (set.row_count + task_rows - 1) / task_rows; }
  KOKKOS_FUNCTION void operator()(Index task) const {
    visit(task, [this](auto& searches, Index i, Vec<Coord, Dim> const& cell) { body(searches, i, cell); });
  }
  KOKKOS_FUNCTION void operator()(Index task, Index& sum) const {
    visit(task, [&](auto& searches, Index i, Vec<Coord, Dim> const& cell) { sum += body(searches, i, cell); });
  }

private:
  template <class Call>
  KOKKOS_FUNCTION void visit(Index task, Call const& call) const {
    auto searches = body.searches();
    if constexpr (has_many_threads) {
      call(searches, task, cell_of<Dim>(set, task));
    } else {
      Index const end = (task + 1) * task_rows < set.row_count ? (task + 1) * task_rows : set.row_count;
      for (Index r = task * task_rows; r < end; ++r)
        for (Index i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i) {
          auto const [begin, stop] = set.intervals[i];
          for (Coord x = begin; x < stop; ++x)
            call(searches, set.cell_offsets[i] + (x - begin), cell_at<Dim>(set.key(r), x + set.x_shift));
        }
    }
  }
};

/// Calls `body(searches, i, cell)` for the cells of a set, i being their numbers. `body.searches()` makes what goes
/// from cell to cell, such as a `NearbySearch`. Calls must not depend on each other. Does not wait.
template <int Dim, class Body>
void for_cells_in_order(std::string const& label, IntervalSet<Dim> const& cells, Body const& body) {
  if (cells.is_empty()) return;
  CellsInOrder<Dim, Body> const all{cells.view(), body};
  parallel_for(cells.context(), label, all.task_count(), all);
}
/// The same for bodies with a value, whose sum it returns.
template <int Dim, class Body>
Index sum_in_order(std::string const& label, IntervalSet<Dim> const& cells, Body const& body) {
  if (cells.is_empty()) return 0;
  CellsInOrder<Dim, Body> const all{cells.view(), body};
  return parallel_reduce<Kokkos::Sum, Index>(cells.context(), label, all.task_count(), all);
}

}  // namespace sparse::detail
