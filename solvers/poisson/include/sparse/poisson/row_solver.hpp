#pragma once
/// Jacobi's method and others for a matrix of one's own.

#include <concepts>
#include <memory>
#include <variant>

#include <sparse/plans/stencil.hpp>
#include <sparse/poisson/any_rows.hpp>
#include <sparse/poisson/method.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::poisson {

namespace detail {
template <class T, int Dim>
class AnyMatrix;
template <class T, int Dim>
class AnySolver;
}  // namespace detail

/// The rows of a matrix A, for kernels: `applied(p, x)` is (A x) of the cell of point p, `diagonal(p)` its diagonal.
///
/// Both are functions for devices. x is a view by cell: `x(p.cell)`, `x(p.neighbour(arm))`. Rows are copied to each
/// kernel, so they hold numbers and views of fields, which must live as long as the solver.
template <class Rows, class T, class Point>
concept MatrixRows = std::copy_constructible<Rows> &&
    requires(Rows const& rows, Point const& p, FieldView<T const> const& x) {
  { rows.applied(p, x) } -> std::convertible_to<T>;
  { rows.diagonal(p) } -> std::convertible_to<T>;
};

/// Methods that need no more of a matrix than its rows. Jacobi's method converges if the spectral radius of 1 - factor
/// D^-1 A is below 1, for instance on diagonally dominant matrices, symmetric or not. Chebyshev's iteration without a
/// given least eigenvalue and conjugate gradients need a symmetric definite matrix.
using RowMethod = std::variant<Jacobi, Chebyshev, ConjugateGradients>;

/// Whether b determines x, or only up to a constant on each connected component of the cells (which share faces). Then
/// both rows and columns add up to 0 there, and means are taken from b and x as `Solver` does.
enum class Uniqueness { unique, up_to_constants };

/// Solves A x = b on any set of cells for a matrix that is given by its rows. `Solver` does it for Poisson problems, by
/// the same iterations.
///
///     struct Wind {  // -laplacian(x) + speed dx/dx_0, with x = 0 around the set
///       double speed;
///       KOKKOS_FUNCTION double coupling(int arm) const { return 1 + (arm == 0 ? speed : arm == 1 ? -speed : 0) / 2; }
///       KOKKOS_FUNCTION double diagonal(StencilPoint<2> const&) const { return 4; }
///       KOKKOS_FUNCTION double applied(StencilPoint<2> const& p, FieldView<double const> x) const {
///         double sum = 4 * x(p.cell);
///         for (int arm = 0; arm < 4; ++arm)
///           if (p.has_neighbour(arm)) sum -= coupling(arm) * x(p.neighbour(arm));
///         return sum;
///       }
///     };
///     RowSolver<double, 2> solver(cells, Wind{0.5}, Jacobi{.factor = 0.8}, {1e-8, 10000});
///     Report const report = solver.solve(b, x);
///
/// Results do not depend on the number of threads of a host. Memory beside b and x: 3 values per cell; 4 on a device,
/// or with a plan in another order than the set's.
/// Cost of an iteration: three passes over the cells with Jacobi's method and Chebyshev's, four with conjugate
/// gradients.
template <class T, int Dim>
class RowSolver {
public:
  /// Points have the neighbours that share a face.
  /// @param stop  Methods without multigrid need far more iterations than the default allows.
  /// Cost: some passes over the cells. Chebyshev's iteration without a given least eigenvalue estimates it by
  /// conjugate gradients.
  /// @throws std::invalid_argument  if the set is empty, an option does not make sense, a diagonal is 0 or no number;
  ///                                rows do not add up to 0 where x is said to be determined up to constants
  template <MatrixRows<T, StencilPoint<Dim>> Rows>
  RowSolver(IntervalSet<Dim> const& cells, Rows const& rows, RowMethod const& method = {}, StopRule const& stop = {},
            Uniqueness uniqueness = Uniqueness::unique)
      : RowSolver(cells, Stencil<Dim>(cells, cells), rows, method, stop, uniqueness) {}
  /// The same with points of a plan of one's own, such as `Stencil<2, 8>(cells, cells, corner_arms<2>())`. Its operand
  /// 0 is the cell.
  /// @throws std::invalid_argument  also if the plan does not visit each cell
  template <class AnyPlan, MatrixRows<T, typename AnyPlan::Point> Rows>
  RowSolver(IntervalSet<Dim> const& cells, AnyPlan plan, Rows const& rows, RowMethod const& method = {},
            StopRule const& stop = {}, Uniqueness uniqueness = Uniqueness::unique)
      : RowSolver(cells, std::make_unique<detail::RowsOnPlan<T, AnyPlan, Rows> const>(std::move(plan), rows), method,
                  stop, uniqueness) {}
  ~RowSolver();
  RowSolver(RowSolver&&) noexcept;
  RowSolver& operator=(RowSolver&&) noexcept;

  /// @param b  the right-hand side
  /// @param x  the guess, then the solution; of mean 0 on singular components
  /// @return   what was done; residuals are those of `Solver::solve`
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x);
  /// result = A x
  /// @throws std::invalid_argument  if a field does not fit
  void apply(Field<T, Dim>& result, Field<T, Dim> const& x) const;

  /// As it was given, with an estimate in place of Chebyshev's least eigenvalue.
  RowMethod const& method() const { return method_; }

private:
  RowSolver(IntervalSet<Dim> const& cells, std::unique_ptr<detail::AnyRows<T> const> rows, RowMethod const& method,
            StopRule const& stop, Uniqueness uniqueness);

  std::shared_ptr<detail::AnyMatrix<T, Dim> const> matrix_;
  RowMethod method_;
  std::unique_ptr<detail::AnySolver<T, Dim>> solver_;
};

}  // namespace sparse::poisson
