#pragma once
/// The rows of a user's matrix, without their type.

#include <utility>

#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>

namespace sparse::poisson::detail {

/// What a matrix needs of its rows. Values are in the order of the cells.
template <class T>
class AnyRows {
public:
  virtual ~AnyRows() = default;

  virtual Context context() const = 0;
  virtual Index cell_count() const = 0;
  /// Runs of the plan that are not where the set has them, or not among its `cell_count()` cells at all.
  virtual Index misplaced_runs() const = 0;
  virtual Index lost_runs() const = 0;
  /// The diagonal of each row.
  virtual void diagonal(T* result) const = 0;
  /// result = A x
  virtual void apply(T const* x, T* result) const = 0;
  /// The same for the cells of a chunk, by the calling thread of a host. `result` begins with the first one. No run may
  /// be misplaced.
  virtual void apply_to_chunk(Index chunk, T const* x, T* result) const = 0;
};

template <class T, class Point, class Rows>
struct ApplyRow {
  Rows rows;
  T const* x;
  T* result;
  Index first = 0;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    result[p.operand(0) - first] = rows.applied(p, FieldView<T const>{x, 0});
  }
};
template <class T, class Point, class Rows>
struct StoreDiagonal {
  Rows rows;
  T* result;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    result[p.operand(0)] = static_cast<T>(rows.diagonal(p));
  }
};
template <int K>
struct CountMisplacedRuns {
  PlanView<K> plan;
  KOKKOS_FUNCTION void operator()(Index r, Index& count) const {
    count += plan.runs[r].index[0] == plan.starts[r] ? 0 : 1;
  }
};
template <int K>
struct CountLostRuns {
  PlanView<K> plan;
  KOKKOS_FUNCTION void operator()(Index r, Index& count) const {
    Index const first = plan.runs[r].index[0], length = plan.starts[r + 1] - plan.starts[r];
    count += first >= 0 && first + length <= plan.cell_count ? 0 : 1;
  }
};

template <class T, class AnyPlan, class Rows>
class RowsOnPlan final : public AnyRows<T> {
  using Point = typename AnyPlan::Point;
  using Apply = ApplyRow<T, Point, Rows>;

public:
  RowsOnPlan(AnyPlan plan, Rows const& rows) : plan_(std::move(plan)), rows_(rows) {}

  Context context() const override { return plan_.context(); }
  Index cell_count() const override { return plan_.cell_count(); }
  Index misplaced_runs() const override { return count(CountMisplacedRuns<AnyPlan::operand_count>{plan_.view()}); }
  Index lost_runs() const override { return count(CountLostRuns<AnyPlan::operand_count>{plan_.view()}); }
  void diagonal(T* result) const override {
    for_each("sparse::poisson::diagonal", plan_, StoreDiagonal<T, Point, Rows>{rows_, result});
  }
  void apply(T const* x, T* result) const override {
    for_each("sparse::poisson::rows", plan_, Apply{rows_, x, result});
  }
  void apply_to_chunk(Index chunk, T const* x, T* result) const override {
    Index const first = chunk * ::sparse::detail::chunk_cells;
    ::sparse::detail::visit_chunk<Point>(plan_.view(), chunk, Apply{rows_, x, result, first});
  }

private:
  template <class Counter>
  Index count(Counter const& counter) const {
    return parallel_reduce<Kokkos::Sum, Index>(plan_.context(), "sparse::poisson::count_runs", plan_.run_count(),
                                               counter);
  }
  AnyPlan plan_;
  Rows rows_;
};

}  // namespace sparse::poisson::detail
