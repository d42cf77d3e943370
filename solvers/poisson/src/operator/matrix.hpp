#pragma once
/// The matrix of a problem with all that solvers need to know of it.

#include <sparse/poisson/passes/any_matrix.hpp>

#include "couplings.hpp"

namespace sparse::poisson::detail {

/// Adds to b what values of p on the Dirichlet faces normal to an axis contribute.
/// @param values  for each of these faces; if null, `value` holds for all
template <class T, int Dim>
void add_boundary(Problem<Dim> const& problem, Field<T, Dim>& b, int axis, double value,
                  Field<double, Dim> const* values);

/// See `Operator`, which shows what of this is public.
template <class T, int Dim>
class Matrix : public AnyMatrix<T, Dim> {
public:
  explicit Matrix(Problem<Dim> const& problem);

  Problem<Dim> const& problem() const { return problem_; }
  Couplings<T, Dim> const& couplings() const { return couplings_; }
  /// See the function of this name.
  void add_boundary(Field<T, Dim>& b, int axis, double value, Field<double, Dim> const* values) const;

  Chain chain() const override { return couplings_.chain(); }
  void add(Pipeline& to, CellPass<T> const& pass) const override;
  void add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const override;

private:
  Matrix(Problem<Dim> const& problem, Couplings<T, Dim> couplings);

  Problem<Dim> problem_;
  Couplings<T, Dim> couplings_;
};

/// Solvers share it with the `Operator`.
template <class T, int Dim>
using MatrixPtr = std::shared_ptr<Matrix<T, Dim> const>;

}  // namespace sparse::poisson::detail
