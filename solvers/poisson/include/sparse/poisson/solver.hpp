#pragma once
/// The one door to all solvers of Poisson problems on cells.

#include <memory>

#include <sparse/poisson/method.hpp>
#include <sparse/poisson/operator.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::poisson {

namespace detail {
template <class T, int Dim>
class AnySolver;
}

/// A method and when it stops, for those who have a solver made.
struct SolverOptions {
  /// What solves, and when it stops.
  Method method = {};
  StopRule stop = {};
};

/// Solves A x = b by the method of choice: `Solver<double, 2>(problem, Multigrid{.cycle = Cycle::w}, {1e-8})`.
///
/// All methods work on x until the true residual, |b - A x| / |b|, is within the tolerance, and report it. On singular
/// components the mean is taken from b, and from x in the end. Results do not depend on the number of threads.
/// If ranks share the problem, all members are collective, b and x are on the cells of the rank (`matrix().cells()`),
/// and results agree to rounding (`Problem::has_exact_sums`: to the bit). `MultigridCg` with constant interpolation can
/// do that. Cost of `solve`: per iteration a product with the matrix, and with multigrid a cycle, which is several of
/// them. Memory beside b and x, in values per cell: 1 (Gauss-Seidel, SOR) or 2 (Jacobi, Chebyshev, conjugate
/// gradients). Multigrid adds one of the cycle's type and the coarser levels. On tiles it is 7 and one of the cycle's
/// type per cell of a tile, a 32-bit number per cell, and the coarser levels. Singular problems take one more during a
/// solution.
template <class T, int Dim>
class Solver {
public:
  /// @param stop  Methods without multigrid need far more iterations than the default allows.
  /// Cost: some passes over the cells; for multigrid also those over the runs of the coarser sets. SOR and Chebyshev
  /// without given values take a few n iterations of conjugate gradients, to estimate the least eigenvalue.
  /// @throws std::invalid_argument  if the problem or an option does not make sense, there are 2^31 cells or more, or
  ///                                the method cannot do it: Gauss-Seidel and SOR with an odd period, tiles with one
  ///                                that is no multiple of 8, all but `MultigridCg` over ranks
  explicit Solver(Problem<Dim> const& problem, Method const& method = {}, StopRule const& stop = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// @param b  the right-hand side [coefficient p / length^2]
  /// @param x  the guess, then the solution; of mean 0 on singular components
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x);
  /// The same for b + boundary. Full multigrid needs to know what comes from Dirichlet faces (add_boundary_values),
  /// since that grows differently with the cell width; other methods take the sum.
  /// @throws std::invalid_argument  as above
  Report solve(Field<T, Dim> const& b, Field<T, Dim> const& boundary, Field<T, Dim>& x);

  /// The matrix that it solves with.
  Operator<T, Dim> const& matrix() const { return matrix_; }
  /// As it was given, with estimates in place of what was left open: the factor of SOR, Chebyshev's least eigenvalue.
  Method const& method() const { return method_; }
  StopRule const& stop() const { return stop_; }

private:
  Operator<T, Dim> matrix_;
  Method method_;
  StopRule stop_;
  std::unique_ptr<detail::AnySolver<T, Dim>> solver_;
};

}  // namespace sparse::poisson
