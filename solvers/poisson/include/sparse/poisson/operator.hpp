#pragma once
/// The matrix of a Poisson problem.

#include <memory>

#include <sparse/poisson/problem.hpp>

namespace sparse::poisson {

namespace detail {
template <class T, int Dim>
class Matrix;
}

/// `A p = zeroth_order p - div(c grad p)` by second-order differences, with p = 0 on Dirichlet faces.
///
/// (A p)_i = zeroth_order p_i + sum over neighbours j of c (p_i - p_j) / h^2 + sum over Dirichlet faces of 2 c p_i /
/// h^2: symmetric, and positive definite where each connected component has a Dirichlet face or zeroth_order is
/// positive. Elsewhere p is determined up to a constant on the component, which is called singular, and b must have the
/// mean 0 there. Nothing is stored per cell unless couplings differ from face to face. Copies share the matrix, which
/// never changes. Fields have one component on `cells()`; others throw `std::invalid_argument`. If ranks
/// share the problem, all members that take a field are collective, but for `add_boundary_values`.
template <class T, int Dim>
class Operator {
public:
  /// Cost: some passes over the cells.
  /// @throws std::invalid_argument  if the problem does not make sense: an empty set, a coefficient or spacing that is
  ///                                not positive, a Dirichlet face that is not on the boundary
  explicit Operator(Problem<Dim> const& problem);

  /// The problem that was given, and what follows from its cells. No cost.
  Problem<Dim> const& problem() const;
  /// The cells whose rows this process has: those of the problem, or the part of the rank.
  IntervalSet<Dim> const& cells() const;
  Index component_count() const;
  Index singular_count() const;

  /// result = A x. Cost of this and the next two: one pass over the cells; norms wait for their value.
  /// @throws std::invalid_argument  if a field does not fit, or both are the same
  void apply(Field<T, Dim>& result, Field<T, Dim> const& x) const;
  /// r = b - A x, less its mean on singular components.
  /// @return  the Euclidean norm of r
  /// @throws std::invalid_argument  if a field does not fit, or r is x
  double residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const;
  /// The Euclidean norm; it does not depend on the number of threads.
  /// @throws std::invalid_argument  if the field does not fit
  double norm(Field<T, Dim> const& x) const;
  /// Adds to b what p = `value` on the Dirichlet faces normal to `axis` contributes: 2 c p / h^2 for each face. Cost: a
  /// pass over these faces.
  /// @throws std::invalid_argument  if b does not fit, or there is no such axis
  void add_boundary_values(Field<T, Dim>& b, int axis, double value) const;
  /// The same with a value per face.
  /// @param values  on a set of faces that contains those
  /// @throws std::invalid_argument  also if it does not contain them
  void add_boundary_values(Field<T, Dim>& b, int axis, Field<double, Dim> const& values) const;
  /// Subtracts the mean from singular components.
  /// @return  the greatest mean, without sign
  /// @throws std::invalid_argument  if the field does not fit
  double remove_means(Field<T, Dim>& x) const;

private:
  template <class, int>
  friend class Solver;
  Operator(Problem<Dim> const& problem, int reach);
  std::shared_ptr<detail::Matrix<T, Dim> const> matrix_;
};

}  // namespace sparse::poisson
