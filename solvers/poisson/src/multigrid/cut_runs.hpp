#pragma once
/// Runs of equal couplings between coarse cells.

#include "aggregates.hpp"
#include "operator/structure.hpp"

namespace sparse::poisson::detail {

/// Cuts runs of equal neighbours into runs of equal couplings, and those of unequal ones between them.
template <class T, int Dim, unsigned groups>
struct CutRuns {
  static constexpr int K = operand_count<Dim>(groups);
  static constexpr Coord least_uniform = 16;  // fewer cells are not worth a run of their own
  PlanView<K> plan;
  StretchView<T, Dim> stretches;
  Seams<Dim> seams;

  struct Couplings {
    T weight[2 * Dim], dirichlet, zeroth;
    KOKKOS_FUNCTION bool operator==(Couplings const& b) const {
      bool equal = dirichlet == b.dirichlet && zeroth == b.zeroth;
      for (int arm = 0; arm < 2 * Dim; ++arm) equal = equal && weight[arm] == b.weight[arm];
      return equal;
    }
  };

  /// Goes along runs in their order and keeps track of the stretches in and beside them.
  struct Walk {
    CutRuns const& cut;
    Run<K> run = {};
    ::sparse::detail::RowCursor rows[2 * Dim];  // [0] that of the runs, [arm] those beside it
    bool is_inside[2 * Dim] = {};               // whether `beside` is in the row next to this one, not a period away
    Stretch<T, Dim> const *here = nullptr, *beside[2 * Dim] = {};

    KOKKOS_FUNCTION explicit Walk(CutRuns const& all) : cut(all) {}

    KOKKOS_FUNCTION Stretch<T, Dim> const* first_of_row(int which, RowKey key) {
      auto const& view = cut.stretches;
      return view.stretches + view.starts[rows[which].seek(view.set, key)].value;
    }
    KOKKOS_FUNCTION void enter(Run<K> const& next) {
      bool const is_new_row = here == nullptr || run.key != next.key;
      run = next;
      if (is_new_row) here = first_of_row(0, run.key);
      Index offset = 0;
      for (int arm = 2; arm < 2 * Dim; ++arm) {
        is_inside[arm] = is_inside[arm] && !is_new_row;
        if (!find_arm<Dim, groups>(run, arm, offset)) continue;
        bool const is_near = has(run, neighbour_operand<Dim>(arm));
        RowKey const key = run.key + row_key(Vec<Coord, Dim>::along(arm / 2, step_of(arm)));
        if (!is_near)
          beside[arm] = cut.stretches.find(key, run.x);
        else if (!is_inside[arm])
          beside[arm] = first_of_row(arm, key);
        is_inside[arm] = is_near;
      }
    }
    KOKKOS_FUNCTION Coord step_of(int arm) const {
      Coord const side = arm % 2 == 0 ? -1 : 1;
      return has(run, neighbour_operand<Dim>(arm)) ? side : side * (1 - cut.seams.period[arm / 2]);
    }
    /// The stretch of the neighbour along x.
    KOKKOS_FUNCTION Stretch<T, Dim> const* beside_in_row(int arm, Coord x) const {
      Coord const next = x + step_of(arm);
      if (next >= here->x && next < here->end) return here;
      if (!has(run, neighbour_operand<Dim>(arm))) return cut.stretches.find(run.key, next);
      return arm == 0 ? here - 1 : here + 1;
    }

    /// The couplings of the cell at x, which must not lie before that of the last call.
    /// @param length    shortened to the number of cells from there on that have the same ones
    /// @param distance  set to those of the neighbours
    KOKKOS_FUNCTION Couplings at(Coord x, Coord& length, T (&distance)[2 * Dim]) {
      while (here->end <= x) ++here;
      auto const shorten = [&length](Coord most) { length = most < length ? most : length; };
      shorten(here->end - x);
      Couplings result{{}, here->aggregate.dirichlet(), here->aggregate.zeroth};
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        Index offset = 0;
        if (!find_arm<Dim, groups>(run, arm, offset)) continue;
        int const axis = arm / 2;
        auto const*& there = beside[arm];
        if (axis == 0) {
          there = beside_in_row(arm, x);
          // Only the first cell of a stretch has its lower neighbour in another stretch; only the last, its upper one.
          if (arm == 0 && there != here) length = 1;
          if (arm == 1 && there == here && has(run, neighbour_operand<Dim>(arm))) shorten(here->end - 1 - x);
        } else {
          while (there->end <= x) ++there;
          shorten(there->end - x);
        }
        auto const& upper = arm % 2 == 0 ? here->aggregate : there->aggregate;
        auto const& lower = arm % 2 == 0 ? there->aggregate : here->aggregate;
        distance[arm] = upper.distance(axis, lower);
        if (!has(run, neighbour_operand<Dim>(arm))) distance[arm] -= static_cast<T>(cut.seams.excess[axis]);
        result.weight[arm] = upper.flux[axis] / distance[arm];
      }
      return result;
    }
    KOKKOS_FUNCTION Couplings at(Coord x, Coord& length) {
      T distance[2 * Dim];
      return at(x, length, distance);
    }
  };

  /// A task handles several runs: rows beside consecutive runs are cheap to find.
  static constexpr Index task_runs = is_host_backend ? 16 : 1;
  Index task_count() const { return (plan.run_count + task_runs - 1) / task_runs; }
  KOKKOS_FUNCTION Index end_of(Index task) const {
    return (task + 1) * task_runs < plan.run_count ? (task + 1) * task_runs : plan.run_count;
  }
  KOKKOS_FUNCTION Coord count_of(Index r) const { return static_cast<Coord>(plan.starts[r + 1] - plan.starts[r]); }

  /// Calls `sink(run, begin, end, couplings)`; `couplings` is null where they differ.
  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index task, Sink& sink) const {
    Walk walk(*this);
    for (Index r = task * task_runs; r < end_of(task); ++r) {
      walk.enter(plan.runs[r]);
      cut(r, walk, sink);
    }
  }
  template <class Sink>
  KOKKOS_FUNCTION void cut(Index r, Walk& walk, Sink& sink) const {
    Coord const count = count_of(r), x = walk.run.x;
    Coord begin = 0, length = count;
    Couplings next = walk.at(x, length);
    for (Coord step = 0; step < count;) {
      Couplings const first = next;
      Coord end = step + length;
      for (; end < count; end += length) {
        length = count - end;
        next = walk.at(x + end, length);
        if (!(next == first)) break;
      }
      if (end - step >= least_uniform || end - step == count) {
        if (begin < step) sink(r, begin, step, nullptr);
        sink(r, step, end, &first);
        begin = end;
      }
      step = end;
    }
    if (begin < count) sink(r, begin, count, nullptr);
  }

  /// Calls `sink(first, end, couplings, distances, aggregate)` for stretches of positions where these are the same.
  template <class Sink>
  KOKKOS_FUNCTION void for_equal_cells(Index task, Sink const& sink) const {
    Walk walk(*this);
    for (Index r = task * task_runs; r < end_of(task); ++r) {
      walk.enter(plan.runs[r]);
      Coord const count = count_of(r);
      for (Coord step = 0, length = 0; step < count; step += length) {
        length = count - step;
        T distance[2 * Dim] = {};
        auto const couplings = walk.at(walk.run.x + step, length, distance);
        Index const first = walk.run.index[0] + step;
        sink(first, first + length, couplings, distance, walk.here->aggregate);
      }
    }
  }
};

}  // namespace sparse::poisson::detail
