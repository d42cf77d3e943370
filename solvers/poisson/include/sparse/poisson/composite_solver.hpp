#pragma once
/// Solves Poisson problems on the leaves of several levels.

#include <sparse/poisson/composite_operator.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::poisson {

namespace detail {
template <class T, int Dim>
class CompositeIteration;
}

/// Solves A x = b for the matrix of `CompositeOperator`.
///
/// The method is GCR: each iteration makes the residual as short as it can be along a multigrid cycle of the residual
/// and the last two directions. The cycle smooths each level on its own cells, in single precision. So iterations
/// depend on neither the number of leaves nor that of levels, and about ten sweeps over the leaves are one of them.
/// With a single level it is `Solver` with multigrid-CG, bit for bit. Reports are those of `Solver`, but norms and
/// means have volumes as weights: on singular components the mean of b and x over the volume is taken off. Results do
/// not depend on the number of threads. Memory beside b and x, per cell and covered ones included: one value and three
/// of float. Source: Eisenstat, Elman, Schultz, Variational iterative methods for nonsymmetric systems of linear
/// equations, SIAM J. Numer. Anal. 20 (1983), truncated to two directions.
template <class T, int Dim>
class CompositeSolver {
public:
  /// @param sweeps  as `Multigrid::sweeps`, on each level, > 0
  /// Cost: that of two operators, and of the coarser levels below level 0.
  /// @throws std::invalid_argument  if the problem or an option does not make sense
  explicit CompositeSolver(CompositeProblem<Dim> const& problem, StopRule const& stop = {}, int sweeps = 2);
  ~CompositeSolver();
  CompositeSolver(CompositeSolver&&) noexcept;
  CompositeSolver& operator=(CompositeSolver&&) noexcept;

  /// Solves another problem from now on, as a new solver with the same rule and sweeps does.
  /// Cost: that of a new one for levels with other cells and for those beside them. Components and their volumes are
  /// found anew, and to or from a single level all is. What belongs to other levels stays, if sets of cells are the
  /// same values
  /// (`IntervalSet::identity`), no other number of the problem changes, faces have no coefficients, and no ranks share
  /// it. Where bodies cut off children, matrices of coarser levels change with those of finer ones.
  /// @throws std::invalid_argument  if the problem does not make sense; then nothing has changed
  void change(CompositeProblem<Dim> const& problem);
  /// Gives back the memory that only solutions need. The next one takes it again.
  void forget_fields();

  /// @param b  the right-hand side
  /// @param x  the guess, then the solution; of mean 0 on singular components. On the leaves, or on sets that contain
  ///           them. Other cells than leaves are neither read nor written.
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Report solve(LevelFields<T, Dim> const& b, LevelFields<T, Dim>& x);
  /// As `CompositeOperator::interface_gradient`: of the last solution, without another look at its fields; and of any x
  /// on such sets. Boundary values are 0.
  /// @throws std::invalid_argument  if a field does not fit, or there is no last solution
  void interface_gradient(LevelFaceFields<T, Dim>& result);
  void interface_gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x);

  /// The matrix that it solves with, and when it stops.
  CompositeOperator<T, Dim> const& matrix() const { return matrix_; }
  StopRule const& stop() const { return stop_; }

private:
  CompositeOperator<T, Dim> matrix_;
  StopRule stop_;
  int sweeps_ = 0;
  std::unique_ptr<detail::CompositeIteration<T, Dim>> iteration_;
};

}  // namespace sparse::poisson
