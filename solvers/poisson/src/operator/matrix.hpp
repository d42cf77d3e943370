#pragma once
/// The matrix of a problem with all that solvers need to know of it.

#include <sparse/plans/transfer.hpp>

#include "couplings.hpp"
#include "passes/any_matrix.hpp"
#include "ranks/ranks.hpp"

namespace sparse::poisson::detail {

/// Adds to b what values of p on the Dirichlet faces normal to an axis contribute.
/// @param values  for each of these faces; if null, `value` holds for all
template <class T, int Dim>
void add_boundary(Problem<Dim> const& problem, Field<T, Dim>& b, int axis, double value,
                  Field<double, Dim> const* values);

/// See `Operator`, which shows what of this is public.
///
/// Over ranks it is on the rank's window: `cells()` are the own cells and those around them, sums count own cells of
/// all ranks. Users' fields are on the own cells.
template <class T, int Dim>
class Matrix : public AnyMatrix<T, Dim> {
public:
  /// Over ranks collective. @param reach  see `Ranks`
  explicit Matrix(Problem<Dim> const& problem, int reach = 1);

  Problem<Dim> const& problem() const { return problem_; }
  Couplings<T, Dim> const& couplings() const { return couplings_; }
  /// See the function of this name.
  void add_boundary(Field<T, Dim>& b, int axis, double value, Field<double, Dim> const* values) const;

  Chain chain() const override { return couplings_.chain(); }
  void add(Pipeline& to, CellPass<T> const& pass) const override;
  void add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const override;

  // ---- over ranks

  /// How they share the problem; null if one process has it.
  std::shared_ptr<Ranks<Dim> const> const& ranks() const { return ranks_; }
  /// The cells whose rows this rank has.
  IntervalSet<Dim> const& own_cells() const { return own_cells_; }
  /// @throws std::invalid_argument  on all ranks, if one has no field with one component on its own cells
  void expect_own_field(Field<T, Dim> const& field, char const* what) const;
  /// A field on `cells()` with the values that their owners have. Collective.
  Field<T, Dim> spread(Field<T, Dim> const& own) const;
  /// Gives own cells the values of a field on `cells()`.
  void take(Field<T, Dim>& own, Field<T, Dim> const& from) const;

private:
  struct Rows {
    Couplings<T, Dim> couplings;
    std::shared_ptr<Ranks<Dim> const> ranks;
    IntervalSet<Dim> cells, own_cells;
  };
  static Rows rows_of(Problem<Dim> const& problem, int reach);
  Matrix(Problem<Dim> const& problem, Rows rows);

  Problem<Dim> problem_;
  Couplings<T, Dim> couplings_;
  std::shared_ptr<Ranks<Dim> const> ranks_;
  IntervalSet<Dim> own_cells_;
};

/// Solvers share it with the `Operator`.
template <class T, int Dim>
using MatrixPtr = std::shared_ptr<Matrix<T, Dim> const>;

}  // namespace sparse::poisson::detail
