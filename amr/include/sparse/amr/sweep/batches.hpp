#pragma once
/// Loops over the borders of levels.
///
/// At borders most runs have one or two cells, too few for vectors. Most of the time would go into starting and ending
/// loops. So these loops take a vector of cells at a time, from any runs. A body gathers what it reads, computes, and
/// scatters. Its cells lie far apart in memory. So `fetch(point)` of a body, if there is one, first prefetches the data
/// for each cell of a batch.

#include <type_traits>
#include <utility>

#include <sparse/plans/for_each.hpp>

namespace sparse::amr {

namespace detail {
template <int Dim, int K>
std::integral_constant<int, K> operands_of(RunPoint<Dim, K> const&);
template <class Point>
inline constexpr int operand_count_of = decltype(operands_of(std::declval<Point const&>()))::value;
}  // namespace detail

/// A vector of cells of a plan: as many as a vector register has numbers of type T. On a device, one cell.
template <class Point, class T>
struct Batch {
  /// Cells in a batch.
  static constexpr int lane_count = is_host_backend ? 64 / static_cast<int>(sizeof(T)) : 1;
  /// The run of each cell, and its position there.
  Run<detail::operand_count_of<Point>> const* runs[lane_count];
  Index steps[lane_count];
  int count;  ///< lanes in use; the others repeat the last cell

  /// The cell in a lane.
  KOKKOS_FORCEINLINE_FUNCTION Point point(int lane) const { return Point{*runs[lane], steps[lane]}; }
};

namespace detail {

constexpr Index cells_per_task = is_host_backend ? 128 : 1;

/// Calls `body(batch, rest...)` for the cells of a task.
template <class Point, class T, class Body, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION void visit_batches(PlanView<operand_count_of<Point>> const& plan, Index task,
                                               Body const& body, Rest&... rest) {
  constexpr int lane_count = Batch<Point, T>::lane_count;
  Index next = task * cells_per_task;
  Index const end = next + cells_per_task < plan.cell_count ? next + cells_per_task : plan.cell_count;
  Index r = sparse::detail::run_of_cell(plan, next);
  while (next < end) {
    Batch<Point, T> batch;
    batch.count = end - next < lane_count ? static_cast<int>(end - next) : lane_count;
    for (int lane = 0; lane < lane_count; ++lane) {
      r += next == plan.starts[r + 1] ? 1 : 0;
      batch.runs[lane] = plan.runs + r;
      batch.steps[lane] = next - plan.starts[r];
      next += lane + 1 < batch.count ? 1 : 0;
    }
    ++next;
    if constexpr (is_host_backend && requires { body.fetch(batch.point(0)); })
      for (int lane = 0; lane < batch.count; ++lane) body.fetch(batch.point(lane));
    body(batch, rest...);
  }
}

template <class Point, class T, class Body>
struct ForEachBatch {
  PlanView<operand_count_of<Point>> plan;
  Body body;
  KOKKOS_FUNCTION void operator()(Index task) const { visit_batches<Point, T>(plan, task, body); }
};

template <class Point, class T, class Value, class Body>
struct ReduceBatch {
  PlanView<operand_count_of<Point>> plan;
  Body body;
  KOKKOS_FUNCTION void operator()(Index task, Value& partial) const {
    visit_batches<Point, T>(plan, task, body, partial);
  }
};

inline Index task_count(Index cells) { return (cells + cells_per_task - 1) / cells_per_task; }

template <class Point, class T, class Body>
struct OneByOne {
  Body body;
  KOKKOS_FORCEINLINE_FUNCTION void fetch(Point const& p) const requires requires { body.fetch(p); }
  { body.fetch(p); }
  KOKKOS_FUNCTION void operator()(Batch<Point, T> const& batch) const {
    for (int lane = 0; lane < batch.count; ++lane) body(batch.point(lane));
  }
};

template <class Body>
struct Stretch {
  Body body;
  Index size, count;
  KOKKOS_FUNCTION void operator()(Index task) const {
    Index const end = (task + 1) * size < count ? (task + 1) * size : count;
    if constexpr (is_host_backend && requires { body.fetch(Index{0}); }) {
      constexpr Index at_once = 16;
      for (Index first = task * size; first < end; first += at_once) {
        Index const last = first + at_once < end ? first + at_once : end;
        for (Index i = first; i < last; ++i) body.fetch(i);
        for (Index i = first; i < last; ++i) body(i);
      }
    } else {
      for (Index i = task * size; i < end; ++i) body(i);
    }
  }
};

}  // namespace detail

/// Calls `body(Batch<Point, T> const&)` for all cells of a plan, in any order and in parallel. T is the type that the
/// body computes with. Does not wait.
template <class T, class AnyPlan, class Body>
void for_each_batch(std::string const& label, AnyPlan const& plan, Body const& body) {
  parallel_for(plan.context(), label, detail::task_count(plan.cell_count()),
               detail::ForEachBatch<typename AnyPlan::Point, T, Body>{plan.view(), body});
}

/// Reduces `body(Batch<Point, T> const&, Value& partial)` over all cells of a plan, as `reduce` does.
template <class T, template <class...> class Reducer, class Value, class AnyPlan, class Body>
Value reduce_batches(std::string const& label, AnyPlan const& plan, Body const& body) {
  return parallel_reduce<Reducer, Value>(
      plan.context(), label, detail::task_count(plan.cell_count()),
      detail::ReduceBatch<typename AnyPlan::Point, T, Value, Body>{plan.view(), body});
}

/// The same for bodies with so little work that vectors gain nothing. They are called with single points.
template <class AnyPlan, class Body>
void for_each_in_short_runs(std::string const& label, AnyPlan const& plan, Body const& body) {
  for_each_batch<float>(label, plan, detail::OneByOne<typename AnyPlan::Point, float, Body>{body});
}

/// Calls `body(i)` for 0 <= i < count. On the host, a task makes `stretch` calls, so that its start costs little.
template <class Body>
void for_each_stretch(Context const& context, std::string const& label, Index count, Index stretch, Body const& body) {
  Index const size = is_host_backend ? stretch : 1;
  parallel_for(context, label, (count + size - 1) / size, detail::Stretch<Body>{body, size, count});
}

}  // namespace sparse::amr
