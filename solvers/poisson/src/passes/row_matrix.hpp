#pragma once
/// A matrix made of rows of a user.

#include <sparse/poisson/any_rows.hpp>

#include "passes/any_matrix.hpp"

namespace sparse::poisson::detail {

/// See `RowSolver`. On a host, A x of a chunk goes through a buffer that stays in the cache. On a device, and with a
/// plan in another order than the set's, A x of all cells goes through memory.
template <class T, int Dim>
class RowMatrix final : public AnyMatrix<T, Dim> {
public:
  /// @throws std::invalid_argument  if the rows are not those of the cells, a diagonal is 0 or no number, or rows that
  ///                                are singular do not add up to 0
  RowMatrix(IntervalSet<Dim> const& cells, std::unique_ptr<AnyRows<T> const> rows, bool is_singular);

  Chain chain() const override { return {0, false, rows_->cell_count()}; }
  void add(Pipeline& to, CellPass<T> const& pass) const override;
  void add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const override;

private:
  void expect_sums_of_zero(double diagonal_norm) const;
  std::unique_ptr<AnyRows<T> const> rows_;
  Buffer<T> inverse_diagonal_;
  Buffer<T> applied_;  // A x of all cells, where it goes through memory
};

}  // namespace sparse::poisson::detail
