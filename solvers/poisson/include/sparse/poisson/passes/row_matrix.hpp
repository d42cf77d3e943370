#pragma once
/// A matrix made of rows that are a function of the cell.

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <sparse/plans/for_each.hpp>
#include <sparse/poisson/passes/any_matrix.hpp>

namespace sparse::poisson::detail {

/// The row of one cell, as bodies see rows.
template <class T, class Point, class Rows>
struct RowOfPoint {
  struct {
    Index first;
  } run;
  Point const& point;
  Rows const& rows;

  KOKKOS_FORCEINLINE_FUNCTION RowOfPoint(Point const& p, Rows const& all) : run{p.operand(0)}, point(p), rows(all) {}
  KOKKOS_FORCEINLINE_FUNCTION T applied(T const* here, int) const {
    return rows.applied(point, FieldView<T const>{here - run.first, 0});
  }
  KOKKOS_FORCEINLINE_FUNCTION T inverse_diagonal(int) const { return T(1) / static_cast<T>(rows.diagonal(point)); }
};

template <class T, class Point, class Rows, class Body>
struct OnRow {
  Rows rows;
  Body body;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const { body(RowOfPoint<T, Point, Rows>(p, rows), 0); }
};
template <class T, class Point, class Rows, class Body>
struct OnRowWithSums {
  Rows rows;
  Body body;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, Sums& sums) const {
    body(RowOfPoint<T, Point, Rows>(p, rows), 0, sums.s[0], sums.s[1], sums.s[2]);
  }
};
/// One of three sums.
template <class Point, class OnSums, int k>
struct OnRowWithSum {
  OnSums all;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, double& sum) const {
    Sums parts;
    all(p, parts);
    sum += parts.s[k];
  }
};
template <class Point, int K, class OnSums>
struct SumChunk {
  PlanView<K> plan;
  OnSums body;
  Sums* parts;  // [chunk]
  KOKKOS_FUNCTION void operator()(Index c) const {
    Sums local;
    ::sparse::detail::visit_chunk<Point>(plan, c, body, local);
    parts[c] = local;
  }
};

/// `body(rows, step)` for each cell, as a stage of a pipeline without groups.
template <class T, class AnyPlan, class Rows, class Body>
struct RowStage {
  AnyPlan const* plan;
  OnRow<T, typename AnyPlan::Point, Rows, Body> body;

  void operator()(Index) const {}  // there are no groups
  void on_all(Context const&) const { for_each("sparse::poisson::rows", *plan, body); }
};

/// The same with sums, added up by chunk, so that totals do not depend on the number of threads.
template <class T, class AnyPlan, class Rows, class Body>
struct RowSumStage {
  using Point = typename AnyPlan::Point;
  using OnSums = OnRowWithSums<T, Point, Rows, Body>;
  AnyPlan const* plan;
  OnSums body;
  Sums* total;

  void operator()(Index) const {}
  void on_all(Context const& context) const {
    if constexpr (has_many_threads) {
      total->s[0] = one<0>();
      if constexpr (Body::sum_count > 1) total->s[1] = one<1>();
      if constexpr (Body::sum_count > 2) total->s[2] = one<2>();
    } else {
      constexpr int K = AnyPlan::operand_count;
      Index const count = ::sparse::detail::chunk_count(plan->cell_count());
      Buffer<Sums> const parts(context, count);
      parallel_for(context, "sparse::poisson::row_sums", count,
                   SumChunk<Point, K, OnSums>{plan->view(), body, parts.data()});
      context.fence();
      *total = {};
      for (Index c = 0; c < count; ++c) *total += parts.data()[c];
    }
  }
  template <int k>
  double one() const {
    return reduce<Kokkos::Sum, double>("sparse::poisson::row_sums", *plan, OnRowWithSum<Point, OnSums, k>{body});
  }
};

/// Counts diagonals that no row can be divided by.
template <class Point, class Rows>
struct CountBadDiagonals {
  Rows rows;
  KOKKOS_FUNCTION void operator()(Point const& p, Index& count) const {
    auto const diagonal = rows.diagonal(p);
    count += diagonal != 0 && diagonal - diagonal == 0 ? 0 : 1;
  }
};
/// Adds up the squares of the diagonal.
template <class T, class Point, class Rows>
struct SquareDiagonals {
  Rows rows;
  KOKKOS_FUNCTION void operator()(Point const& p, double& sum) const {
    auto const diagonal = static_cast<double>(rows.diagonal(p));
    sum += diagonal * diagonal;
  }
};

/// See `RowSolver`.
template <class T, int Dim, class AnyPlan, class Rows>
class RowMatrix : public AnyMatrix<T, Dim> {
public:
  /// @throws std::invalid_argument  if the plan has another number of cells, a diagonal is 0 or no number, or rows that
  ///                                are singular do not add up to 0
  RowMatrix(IntervalSet<Dim> const& cells, AnyPlan plan, Rows const& rows, bool is_singular)
      : AnyMatrix<T, Dim>(cells, null_space_of(cells, is_singular)), plan_(std::move(plan)), rows_(rows) {
    expects(!cells.is_empty(), "poisson: the set has no cells");
    expects(plan_.cell_count() == cells.cell_count(), "poisson: the plan of a matrix must visit each cell of the set");
    Index const bad = reduce<Kokkos::Sum, Index>("sparse::poisson::bad_diagonals", plan_,
                                                 CountBadDiagonals<typename AnyPlan::Point, Rows>{rows_});
    if (bad > 0) fail("poisson: the diagonal of the matrix is 0 or no number in " + std::to_string(bad) + " cells");
    if (is_singular) expect_sums_of_zero();
  }

  Chain chain() const override { return {0, false, plan_.cell_count()}; }
  void add(Pipeline& to, CellPass<T> const& pass) const override {
    std::visit(
        [&]<class Body>(Body const& body) {
          to.add(RowStage<T, AnyPlan, Rows, Body>{&plan_, {rows_, body}});
        },
        pass);
  }
  void add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const override {
    std::visit(
        [&]<class Body>(Body const& body) {
          to.add(RowSumStage<T, AnyPlan, Rows, Body>{&plan_, {rows_, body}, sums.data()});
        },
        pass);
  }

private:
  void expect_sums_of_zero() const {
    constexpr double rounding = 100 * std::numeric_limits<T>::epsilon();
    Field<T, Dim> ones("ones", this->cells(), T(1)), sums("sums", this->cells());
    this->apply(sums, ones);
    double const square = reduce<Kokkos::Sum, double>("sparse::poisson::diagonals", plan_,
                                                      SquareDiagonals<T, typename AnyPlan::Point, Rows>{rows_});
    expects(this->norm(sums.view().data) <= rounding * std::sqrt(square),
            "poisson: where x is determined up to constants only, the rows of the matrix must add up to 0");
  }

  AnyPlan plan_;
  Rows rows_;
};

}  // namespace sparse::poisson::detail
