#pragma once
/// Loops and reductions over plans.

#include <sparse/base/compat.hpp>
#include <sparse/plans/plan.hpp>

namespace sparse {

/// A tag: all operands of the run are present. A body of `for_each` may also take `(point, AllPresent())`. On the host,
/// runs without missing operands call that form in a loop of their own. It needs no branch per cell, so it vectorises.
struct AllPresent {};

namespace detail {

/// The run that holds cell number `cell` of a plan. Cost: a search among the runs of the cell's chunk, mostly one.
template <int K>
KOKKOS_FORCEINLINE_FUNCTION Index run_of_cell(PlanView<K> const& plan, Index cell) {
  Index const chunk = cell / chunk_cells;
  Index first = plan.first_runs[chunk], last = plan.first_runs[chunk + 1];
  while (first < last) {
    Index const middle = (first + last + 1) / 2;
    bool const is_right = plan.starts[middle] <= cell;
    first = is_right ? middle : first;
    last = is_right ? last : middle - 1;
  }
  return first;
}

/// Calls `body(point, rest...)` for the cells of chunk c, run by run, in loops that vectorise.
template <class Point, int K, class Body, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION void visit_chunk(PlanView<K> const& plan, Index c, Body const& body, Rest&... rest) {
  Index first = c * chunk_cells;
  Index const last = first + chunk_cells < plan.cell_count ? first + chunk_cells : plan.cell_count;
  for (Index r = plan.first_runs[c]; first < last; ++r) {
    Run<K> const run = plan.runs[r];
    Index const start = plan.starts[r], end = plan.starts[r + 1] < last ? plan.starts[r + 1] : last;
    Index step = first - start;
    first = end;
    if constexpr (requires { body(Point{run, step}, AllPresent(), rest...); }) {
      constexpr std::uint32_t all = ~std::uint32_t(0) >> (32 - K);
      if ((run.present & all) == all) {
        SPARSE_INDEPENDENT_ITERATIONS
        for (; step < end - start; ++step) body(Point{run, step}, AllPresent(), rest...);
        continue;
      }
    }
    SPARSE_INDEPENDENT_ITERATIONS
    for (; step < end - start; ++step) body(Point{run, step}, rest...);
  }
}

template <class Point, int K, class Body>
struct ForEachChunk {
  PlanView<K> plan;
  Body body;
  KOKKOS_FUNCTION void operator()(Index c) const { visit_chunk<Point>(plan, c, body); }
};

template <class Point, int K, class Body>
struct ForEachCell {
  PlanView<K> plan;
  Body body;
  KOKKOS_FUNCTION void operator()(Index cell) const {
    Index const r = run_of_cell(plan, cell);
    body(Point{plan.runs[r], cell - plan.starts[r]});
  }
};

template <class Point, int K, class T, class Body>
struct ReduceChunk {
  PlanView<K> plan;
  Body body;
  KOKKOS_FUNCTION void operator()(Index c, T& partial) const {
    T local = partial;  // kept in a register: the compiler cannot know that nothing else refers to `partial`
    visit_chunk<Point>(plan, c, body, local);
    partial = local;
  }
};

template <class Point, int K, class T, class Body>
struct ReduceCell {
  PlanView<K> plan;
  Body body;
  KOKKOS_FUNCTION void operator()(Index cell, T& partial) const {
    Index const r = run_of_cell(plan, cell);
    body(Point{plan.runs[r], cell - plan.starts[r]}, partial);
  }
};

}  // namespace detail

/// Calls `body(point)` for every cell of the plan (`Subset`, `Stencil`, ...), in any order and in parallel. `point` is
/// of the plan's type `Point`. Calls must not depend on each other. Does not wait.
template <class AnyPlan, class Body>
void for_each(std::string const& label, AnyPlan const& plan, Body const& body) {
  using Point = typename AnyPlan::Point;
  constexpr int K = AnyPlan::operand_count;
  if constexpr (!has_many_threads)
    parallel_for(plan.context(), label, detail::chunk_count(plan.cell_count()),
                 detail::ForEachChunk<Point, K, Body>{plan.view(), body});
  else
    parallel_for(plan.context(), label, plan.cell_count(), detail::ForEachCell<Point, K, Body>{plan.view(), body});
}

/// Reduces `body(point, partial)` over the cells with a Kokkos reducer: `reduce<Kokkos::Max, double>(...)`. Waits for
/// the value. Without cells it is the reducer's identity. The same plan and number of threads give the same bits.
/// Cost: one pass over the runs; one number is read back.
template <template <class...> class Reducer, class T, class AnyPlan, class Body>
T reduce(std::string const& label, AnyPlan const& plan, Body const& body) {
  using Point = typename AnyPlan::Point;
  constexpr int K = AnyPlan::operand_count;
  if constexpr (!has_many_threads)
    return parallel_reduce<Reducer, T>(plan.context(), label, detail::chunk_count(plan.cell_count()),
                                       detail::ReduceChunk<Point, K, T, Body>{plan.view(), body});
  else
    return parallel_reduce<Reducer, T>(plan.context(), label, plan.cell_count(),
                                       detail::ReduceCell<Point, K, T, Body>{plan.view(), body});
}

}  // namespace sparse
