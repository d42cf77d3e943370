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

  virtual Index cell_count() const = 0;
  /// Whether the plan visits the cells in their order.
  virtual bool is_in_order() const = 0;
  /// The diagonal of each row.
  virtual void diagonal(T* result) const = 0;
  /// result = A x
  virtual void apply(T const* x, T* result) const = 0;
  /// The same for the cells of a chunk, by the calling thread of a host. `result` begins with the first one.
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

template <class T, class AnyPlan, class Rows>
class RowsOnPlan final : public AnyRows<T> {
  using Point = typename AnyPlan::Point;
  using Apply = ApplyRow<T, Point, Rows>;

public:
  RowsOnPlan(AnyPlan plan, Rows const& rows) : plan_(std::move(plan)), rows_(rows) {}

  Index cell_count() const override { return plan_.cell_count(); }
  bool is_in_order() const override {
    return parallel_reduce<Kokkos::Sum, Index>(plan_.context(), "sparse::poisson::misplaced_runs", plan_.run_count(),
                                               CountMisplacedRuns<AnyPlan::operand_count>{plan_.view()}) == 0;
  }
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
  AnyPlan plan_;
  Rows rows_;
};

}  // namespace sparse::poisson::detail
