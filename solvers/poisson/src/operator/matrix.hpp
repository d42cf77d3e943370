#pragma once
/// The matrix of a problem with all that solvers need to know of it.

#include "couplings.hpp"
#include "null_space.hpp"

namespace sparse::poisson::detail {

/// Sums over all cells.
struct Moments {
  double square = 0, sum = 0;
};
struct ResidualMoments {
  Moments b, x, r;
};

/// See `Operator`, which shows what of this is public.
template <class T, int Dim>
class Matrix {
public:
  explicit Matrix(Problem<Dim> const& problem);

  Problem<Dim> const& problem() const { return problem_; }
  IntervalSet<Dim> const& cells() const { return problem_.cells; }
  Index component_count() const { return null_space_.component_count(); }
  Index singular_count() const { return null_space_.singular_count(); }

  void apply(Field<T, Dim>& result, Field<T, Dim> const& x) const;
  double residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const;
  /// @param values  for each Dirichlet face normal to the axis; if null, `value` holds for all
  void add_boundary(Field<T, Dim>& b, int axis, double value, Field<double, Dim> const* values) const;
  double remove_means(Field<T, Dim>& x) const;

  Couplings<T, Dim> const& couplings() const { return couplings_; }
  NullSpace<Dim> const& null_space() const { return null_space_; }
  void expect_field(Field<T, Dim> const& field, char const* what) const;
  /// r = b - A x as it is, and sums over r, over b if `has_b`, and over x if all cells are one singular component: in
  /// one pass behind those of `first`.
  ResidualMoments residual_moments(Field<T, Dim> const& b, Field<T, Dim> const& x, Field<T, Dim>& r, bool has_b,
                                   Pipeline first = {}) const;
  /// x -= constant
  void subtract(double constant, Field<T, Dim>& x) const;

private:
  Problem<Dim> problem_;
  Couplings<T, Dim> couplings_;
  NullSpace<Dim> null_space_;
};

/// Solvers share it with the `Operator`.
template <class T, int Dim>
using MatrixPtr = std::shared_ptr<Matrix<T, Dim> const>;

}  // namespace sparse::poisson::detail
