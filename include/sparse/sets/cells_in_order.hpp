#pragma once
/// Loops over cells that search others close to them.

#include <string>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::detail {

/// Calls a body for some cells, one after the other. A device has a thread for each cell.
template <int Dim, class Body>
struct CellsInOrder {
  static constexpr Index task_cells = has_many_threads ? 1 : 256;
  SetView set;
  Body body;

  Index task_count() const { return (set.cell_count + task_cells - 1) / task_cells; }
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
    Index number = task * task_cells;
    Index const end = number + task_cells < set.cell_count ? number + task_cells : set.cell_count;
    Index i = last_at_most(set.cell_offsets, set.interval_count, number);
    Index r = last_at_most(set.row_ptr, set.row_count, i);
    for (; number < end; ++i) {
      while (set.row_ptr[r + 1] <= i) ++r;
      Coord x = set.intervals[i].begin + static_cast<Coord>(number - set.cell_offsets[i]);
      for (; x < set.intervals[i].end && number < end; ++x, ++number)
        call(searches, number, cell_at<Dim>(set.key(r), x + set.x_shift));
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
