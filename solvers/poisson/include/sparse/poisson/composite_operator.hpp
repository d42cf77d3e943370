#pragma once
/// The matrix of a composite Poisson problem.

#include <memory>

#include <sparse/poisson/composite_problem.hpp>

namespace sparse::poisson {

namespace detail {
template <class T, int Dim>
class CompositeMatrix;
}

/// `A p = zeroth_order p - div(c grad p)` on the leaves of all levels, with p = 0 on Dirichlet faces.
///
/// Within a level these are the differences of `Operator`. The gradient at a fine face of an interface comes from the
/// parabola that has the means of the two fine cells on the one side and a mean on the other side. The latter is that
/// of the part of the coarse cell opposite the fine ones, by the slope of the coarse cells along the interface. Covered
/// cells among these count with the mean of their children, and images stand for those beyond a side. The coarse leaf
/// gets the mean of its fine fluxes. So rows add up to 0, volumes are the left null vector, linear p have no error, p
/// is second order, and so is its gradient in the mean. Its greatest errors are of second order, too, except where an
/// interface meets a side. The matrix is not symmetric. Norms and means have volumes as weights. Fields have
/// one component on the leaves of each level; others throw `std::invalid_argument`. Over ranks these are the leaves of
/// the rank, all that takes fields is collective, and results are those of one process to the bit, but norms and means
/// only with exact sums.
template <class T, int Dim>
class CompositeOperator {
public:
  /// Cost: some passes over the runs of all levels, and searches for the cells at interfaces.
  /// @throws std::invalid_argument  if the problem does not make sense: a child without parent, levels that are not
  ///                                nested, a Dirichlet face that is not a leaf's. The message names the level and the
  ///                                place
  explicit CompositeOperator(CompositeProblem<Dim> const& problem);

  /// The problem that was given, its levels, and what follows from their cells. No cost.
  CompositeProblem<Dim> const& problem() const;
  int level_count() const;
  /// Over ranks the leaves are those of the rank.
  /// @throws std::invalid_argument  if there is no such level
  IntervalSet<Dim> const& leaves(int level) const;
  /// Leaves of all levels and ranks; connected components of all cells, and those where p is determined up to a
  /// constant.
  Index leaf_count() const;
  Index component_count() const;
  Index singular_count() const;

  /// A field on the leaves of each level, with the same value everywhere.
  LevelFields<T, Dim> fields(std::string const& name, T value = 0) const;
  /// A field on the faces of the leaves of each level.
  LevelFaceFields<T, Dim> face_fields(std::string const& name) const;
  /// A field on the faces between the leaves of each level and coarser ones. Faces are as fine as the level.
  LevelFaceFields<T, Dim> interface_fields(std::string const& name) const;

  /// result = A x. Cost of this and the next two: some passes over the cells; norms wait for their value.
  /// @throws std::invalid_argument  if a field does not fit, or both are the same
  void apply(LevelFields<T, Dim>& result, LevelFields<T, Dim> const& x) const;
  /// r = b - A x, less its mean on singular components.
  /// @return  the norm of r
  /// @throws std::invalid_argument  if a field does not fit
  double residual(LevelFields<T, Dim>& r, LevelFields<T, Dim> const& b, LevelFields<T, Dim> const& x) const;
  /// The root of the sum of squares, each weighted by the volume of its leaf in cells of level 0. It does not depend on
  /// the number of threads.
  /// @throws std::invalid_argument  if a field does not fit
  double norm(LevelFields<T, Dim> const& x) const;
  /// Subtracts the mean from singular components.
  /// @return  the greatest mean, without sign
  /// @throws std::invalid_argument  if a field does not fit
  double remove_means(LevelFields<T, Dim>& x) const;
  /// Adds to b what values of p on the Dirichlet faces contribute.
  /// @param values  on sets of faces that contain those, of all ranks; levels may be missing at the end where there are
  ///                none
  /// @throws std::invalid_argument  if a field does not fit, or values have more levels than there are
  void add_boundary_values(LevelFields<T, Dim>& b, LevelFaceFields<double, Dim> const& values) const;
  /// The gradient of x along the normal of each face of a leaf: that from which A is made. It is 0 on walls. A coarse
  /// face at an interface has the mean of its fine ones.
  /// @param values  of x on Dirichlet faces; 0 where levels are missing
  /// Cost: the first call finds the faces.
  /// @throws std::invalid_argument  if a field does not fit
  void gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x,
                LevelFaceFields<double, Dim> const& values = {}) const;
  /// The same at interfaces alone.
  /// @param result  as `interface_fields` makes them
  /// @throws std::invalid_argument  if a field does not fit
  void interface_gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x,
                          LevelFaceFields<double, Dim> const& values = {}) const;

private:
  template <class, int>
  friend class CompositeSolver;
  explicit CompositeOperator(std::shared_ptr<detail::CompositeMatrix<T, Dim> const> matrix)
      : matrix_(std::move(matrix)) {}
  std::shared_ptr<detail::CompositeMatrix<T, Dim> const> matrix_;
};

}  // namespace sparse::poisson
