#pragma once
/// The matrix of a Poisson problem.

#include <sparse/poisson/couplings.hpp>
#include <sparse/poisson/null_space.hpp>

namespace sparse::poisson {
namespace detail {

/// Sums over all cells.
struct Moments {
  double square = 0, sum = 0;
};
struct ResidualMoments {
  Moments b, x, r;
};

}  // namespace detail

/// `A p = zeroth_order p - div(c grad p)` by second-order differences, with p = 0 on Dirichlet faces.
///
/// (A p)_i = zeroth_order p_i + sum over neighbours j of c (p_i - p_j) / h^2 + sum over Dirichlet faces of 2 c p_i /
/// h^2: symmetric, and positive definite where each connected component has a Dirichlet face or zeroth_order is
/// positive. Where it is not, p is determined up to a constant on those components ("singular"), and b must have mean 0
/// there. Nothing is stored per cell unless couplings differ from face to face. Fields have one component on the
/// problem's cells; others throw `std::invalid_argument`.
template <class T, int Dim>
class Operator {
public:
  /// Cost: some passes over the cells.
  /// @throws std::invalid_argument  if the problem does not make sense: an empty set, a coefficient or spacing that is
  ///                                not positive, a Dirichlet face that is not on the boundary
  explicit Operator(Problem<Dim> const& problem);

  Problem<Dim> const& problem() const { return problem_; }
  IntervalSet<Dim> const& cells() const { return problem_.cells; }
  Index component_count() const { return null_space_.component_count(); }
  Index singular_count() const { return null_space_.singular_count(); }

  /// result = A x
  void apply(Field<T, Dim> const& x, Field<T, Dim>& result) const;
  /// r = b - A x, less its mean on singular components. @return  the Euclidean norm of r
  double residual(Field<T, Dim> const& b, Field<T, Dim> const& x, Field<T, Dim>& r) const;
  /// Adds to b what p = `value` on the Dirichlet faces normal to `axis` contributes.
  void add_boundary_values(Field<T, Dim>& b, int axis, double value) const;
  /// The same with a value per face. @param values  on a set of faces that contains those
  void add_boundary_values(Field<T, Dim>& b, int axis, Field<double, Dim> const& values) const;
  /// Subtracts the mean from singular components. @return  the greatest mean, without sign
  double remove_means(Field<T, Dim>& x) const;

  /// For solvers.
  detail::Couplings<T, Dim> const& couplings() const { return couplings_; }
  detail::NullSpace<Dim> const& null_space() const { return null_space_; }
  void expect_field(Field<T, Dim> const& field, char const* what) const;
  /// r = b - A x as it is, and sums over b, if `has_b`, r, and where all is one singular component x, in one pass
  /// behind those of `first`.
  detail::ResidualMoments look(Field<T, Dim> const& b, Field<T, Dim> const& x, Field<T, Dim>& r, bool has_b,
                               detail::Pipeline first = {}) const;
  /// x -= constant
  void subtract(double constant, Field<T, Dim>& x) const;

private:
  void add_boundary(Field<T, Dim>& b, int axis, double value, Field<double, Dim> const* values) const;

  Problem<Dim> problem_;
  detail::Couplings<T, Dim> couplings_;
  detail::NullSpace<Dim> null_space_;
};

}  // namespace sparse::poisson
