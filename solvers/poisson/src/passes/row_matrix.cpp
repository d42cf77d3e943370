#include "passes/row_matrix.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

namespace sparse::poisson::detail {
namespace {

/// Rows as bodies see them: A x is known.
template <class T>
struct KnownRows {
  struct {
    Index first;
  } run;
  T const *applied_values, *inverse_diagonals;  // of the cells from `first` on

  KOKKOS_FORCEINLINE_FUNCTION T applied(T const*, int step) const { return applied_values[step]; }
  KOKKOS_FORCEINLINE_FUNCTION T inverse_diagonal(int step) const { return inverse_diagonals[step]; }
};

/// What stages need of the matrix.
template <class T>
struct RowsView {
  AnyRows<T> const* rows;
  T const* inverse_diagonal;
  T* applied;  // A x of all cells, where it goes through memory, else null
  Index cell_count;

  KnownRows<T> at(Index first) const { return {{first}, applied + first, inverse_diagonal + first}; }
};

/// Computes A x of all cells if it goes through memory, and the body needs it.
template <class T, class Body>
void apply_before(RowsView<T> const& view, Body const& body) {
  if constexpr (requires { body.operand(); })
    if (view.applied != nullptr) view.rows->apply(body.operand(), view.applied);
}

/// Calls `visit(rows, step)` for the cells of a chunk on the host.
template <class T, class Body, class Visit>
void visit_rows(RowsView<T> const& view, Index chunk, Body const& body, Visit const& visit) {
  using ::sparse::detail::chunk_cells;
  Index const first = chunk * chunk_cells;
  auto const count = static_cast<int>(std::min(chunk_cells, view.cell_count - first));
  T applied[chunk_cells];
  auto rows = view.at(first);
  if (view.applied == nullptr) {
    if constexpr (requires { body.operand(); }) view.rows->apply_to_chunk(chunk, body.operand(), applied);
    rows.applied_values = applied;
  }
  SPARSE_INDEPENDENT_ITERATIONS
  for (int step = 0; step < count; ++step) visit(rows, step);
}

template <class T, class Body>
struct OnChunk {
  RowsView<T> view;
  Body body;
  void operator()(Index chunk) const {
    visit_rows(view, chunk, body, [&](auto const& rows, int step) SPARSE_INLINE_LAMBDA { body(rows, step); });
  }
};
template <class T, class Body>
struct OnChunkWithSums {
  RowsView<T> view;
  Body body;
  Sums* parts;  // [chunk]
  void operator()(Index chunk) const {
    Sums sums;
    visit_rows(view, chunk, body, [&](auto const& rows, int step) SPARSE_INLINE_LAMBDA {
      body(rows, step, sums.s[0], sums.s[1], sums.s[2]);
    });
    parts[chunk] = sums;
  }
};
template <class T, class Body>
struct OnCell {
  KnownRows<T> rows;
  Body body;
  KOKKOS_FUNCTION void operator()(Index cell) const {
    KnownRows<T> const here{{cell}, rows.applied_values + cell, rows.inverse_diagonals + cell};
    body(here, 0);
  }
};
/// One of three sums.
template <class T, class Body, int k>
struct OnCellWithSum {
  KnownRows<T> rows;
  Body body;
  KOKKOS_FUNCTION void operator()(Index cell, double& sum) const {
    KnownRows<T> const here{{cell}, rows.applied_values + cell, rows.inverse_diagonals + cell};
    Sums parts;
    body(here, 0, parts.s[0], parts.s[1], parts.s[2]);
    sum += parts.s[k];
  }
};

/// `body(rows, step)` for each cell, as a stage of a pipeline without groups.
template <class T, class Body>
struct RowStage {
  RowsView<T> view;
  Body body;

  void on_all(Context const&) const {
    apply_before(view, body);
    if constexpr (has_many_threads)
      parallel_for(view.rows->context(), "sparse::poisson::rows", view.cell_count, OnCell<T, Body>{view.at(0), body});
    else
      parallel_for(view.rows->context(), "sparse::poisson::rows", ::sparse::detail::chunk_count(view.cell_count),
                   OnChunk<T, Body>{view, body});
  }
};

/// The same with sums, added up by chunk, so that totals do not depend on the number of threads.
template <class T, class Body>
struct RowSumStage {
  RowsView<T> view;
  Body body;
  Sums* total;

  void on_all(Context const&) const {
    Context const context = view.rows->context();
    apply_before(view, body);
    if constexpr (has_many_threads) {
      total->s[0] = one<0>(context);
      if constexpr (Body::sum_count > 1) total->s[1] = one<1>(context);
      if constexpr (Body::sum_count > 2) total->s[2] = one<2>(context);
    } else {
      Index const count = ::sparse::detail::chunk_count(view.cell_count);
      Buffer<Sums> const parts(context, count);
      parallel_for(context, "sparse::poisson::row_sums", count, OnChunkWithSums<T, Body>{view, body, parts.data()});
      *total = {};
      for (Index c = 0; c < count; ++c) *total += parts.data()[c];
    }
  }
  template <int k>
  double one(Context const& context) const {
    return parallel_reduce<Kokkos::Sum, double>(context, "sparse::poisson::row_sums", view.cell_count,
                                                OnCellWithSum<T, Body, k>{view.at(0), body});
  }
};

/// Counts diagonals that no row can be divided by.
template <class T>
struct CountBadDiagonals {
  T const* diagonal;
  KOKKOS_FUNCTION void operator()(Index i, Index& count) const {
    count += diagonal[i] != 0 && diagonal[i] - diagonal[i] == 0 ? 0 : 1;
  }
};
template <class T>
struct Clear {
  T* values;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = 0; }
};
template <class T>
struct Invert {
  T* values;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = 1 / values[i]; }
};

}  // namespace

template <class T, int Dim>
RowMatrix<T, Dim>::RowMatrix(IntervalSet<Dim> const& cells, std::unique_ptr<AnyRows<T> const> rows, bool is_singular)
    : AnyMatrix<T, Dim>(cells, null_space_of(cells, is_singular)), rows_(std::move(rows)) {
  expects(!cells.is_empty(), "poisson: the set has no cells");
  Index const count = cells.cell_count();
  expects(rows_->cell_count() == count && rows_->lost_runs() == 0,
          "poisson: the plan of a matrix must visit each cell of the set");
  Context const context = rows_->context();
  inverse_diagonal_ = Buffer<T>(context, count);
  if (has_many_threads || rows_->misplaced_runs() > 0) applied_ = Buffer<T>(context, count);
  T* const diagonal = inverse_diagonal_.data();
  // A plan in another order may leave out cells. Then their diagonals stay 0.
  parallel_for(context, "sparse::poisson::clear", count, Clear<T>{diagonal});
  rows_->diagonal(diagonal);
  auto const bad = parallel_reduce<Kokkos::Sum, Index>(context, "sparse::poisson::bad_diagonals", count,
                                                       CountBadDiagonals<T>{diagonal});
  if (bad > 0) fail("poisson: the diagonal of the matrix is 0 or no number in " + std::to_string(bad) + " cells");
  double const length = is_singular ? this->norm(diagonal) : 0;
  parallel_for(context, "sparse::poisson::invert", count, Invert<T>{diagonal});
  if (is_singular) expect_sums_of_zero(length);
}

template <class T, int Dim>
void RowMatrix<T, Dim>::expect_sums_of_zero(double diagonal_norm) const {
  constexpr double rounding = 100 * std::numeric_limits<T>::epsilon();
  Field<T, Dim> ones("ones", this->cells(), T(1)), sums("sums", this->cells());
  this->apply(sums, ones);
  expects(this->norm(sums) <= rounding * diagonal_norm,
          "poisson: where x is determined up to constants only, the rows of the matrix must add up to 0");
}

template <class T, int Dim>
void RowMatrix<T, Dim>::add(Pipeline& to, CellPass<T> const& pass) const {
  RowsView<T> const view{rows_.get(), inverse_diagonal_.data(), applied_.data(), rows_->cell_count()};
  std::visit([&]<class Body>(Body const& body) { to.add(RowStage<T, Body>{view, body}); }, pass);
}
template <class T, int Dim>
void RowMatrix<T, Dim>::add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const {
  RowsView<T> const view{rows_.get(), inverse_diagonal_.data(), applied_.data(), rows_->cell_count()};
  std::visit([&]<class Body>(Body const& body) { to.add(RowSumStage<T, Body>{view, body, sums.data()}); }, pass);
}

template class RowMatrix<float, 2>;
template class RowMatrix<float, 3>;
template class RowMatrix<double, 2>;
template class RowMatrix<double, 3>;

}  // namespace sparse::poisson::detail
