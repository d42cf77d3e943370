#pragma once
/// Every solver of Poisson problems behind one interface.

#include <memory>
#include <optional>

#include <sparse/poisson/multigrid.hpp>
#include <sparse/poisson/operator.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::poisson {

/// How A x = b is solved. With n cells along an axis of a box, what an iteration costs and how many there are:
enum class Method {
  jacobi,              ///< weighted Jacobi: one sweep; O(n^2)
  gauss_seidel,        ///< in red-black order: one sweep; O(n^2), half as many as Jacobi
  sor,                 ///< successive over-relaxation in red-black order: one sweep; O(n) with the best factor
  chebyshev,           ///< Chebyshev's iteration on D^-1 A: one sweep, no sums; O(n)
  cg,                  ///< conjugate gradients: two sweeps; O(n)
  jacobi_cg,           ///< the same preconditioned by the diagonal, which helps where couplings differ
  multigrid,           ///< x += M (b - A x) with a cycle M: some ten sweeps; O(1)
  full_multigrid,      ///< one pass from the coarsest level up instead of the guess, then as `multigrid`
  multigrid_cg,        ///< conjugate gradients with a cycle as the preconditioner (MultigridCg); O(1), the fastest here
  flexible_cg,         ///< the same with Polak and Ribiere's beta, which forgives a preconditioner that changes
  tiled_multigrid_cg,  ///< as multigrid_cg, on tiles: made for a GPU (TiledMultigridCg), slow on a CPU
};
char const* name_of(Method method);

/// The type of values inside a multigrid cycle.
enum class Precision {
  single,  ///< float: half the traffic and, since the residual is that of T, no more iterations
  same,    ///< that of the solution
};

struct SolverOptions {
  Method method = Method::multigrid_cg;
  StopRule stop;               ///< Jacobi and the like need far more iterations than its default allows
  MultigridOptions multigrid;  ///< of the methods with multigrid in them: V- or W-cycle, sweeps, interpolation
  Precision cycle_precision = Precision::single;  ///< of the same methods
  int full_multigrid_cycles = 1;                  ///< of the full multigrid pass on each level, > 0

  /// Share of D^-1 r that is added, > 0 and <= 1. Eigenvalues of D^-1 A lie between 0 and 2, those of the smoothest
  /// errors near 0, so the best share is just below the 1 that would not touch the most oscillatory one; 2/3 or 4/5,
  /// which smooth best, take a third or an eighth more iterations.
  double jacobi_factor = 0.9;
  /// > 0 and < 2. Else the best one, 2 / (1 + sqrt(1 - rho^2)) with the estimated spectral radius rho of Jacobi's
  /// method. Source: Young, Iterative methods for solving partial difference equations of elliptic type (1954).
  std::optional<double> sor_factor;
  /// Bounds of the eigenvalues of D^-1 A, 0 < least < greatest, without the 0 of singular components. Else the least
  /// is estimated, and the greatest is 2, which Gershgorin's circles give.
  std::optional<double> least_eigenvalue;
  double greatest_eigenvalue = 2;

  /// @throws std::invalid_argument  if a value is out of its range, whatever the method
  void expect_valid() const;
};

namespace detail {
template <class T, int Dim>
class AnySolver;
}

/// Solves A x = b by the method of choice.
///
/// All methods keep x where it is until the true residual, |b - A x| / |b|, is within the tolerance, and report it. On
/// singular components the mean is taken from b, and from x in the end. Results do not depend on the number of threads.
/// Memory beside b and x, in values per cell: 1 (Gauss-Seidel, SOR), 2 (Jacobi, Chebyshev, conjugate gradients), and
/// with multigrid one of the cycle's type and the coarser levels, on tiles what TiledMultigridCg says; one more while
/// singular problems are solved.
template <class T, int Dim>
class Solver {
public:
  /// Cost: some passes over the cells; for SOR and Chebyshev without given values also a few n iterations of conjugate
  /// gradients, to estimate the least eigenvalue.
  /// @throws std::invalid_argument  if the problem or an option does not make sense, or the method cannot do it: two
  ///                                colours of cells (Gauss-Seidel, SOR) with an odd period, and what
  ///                                TiledMultigridCg does not do
  explicit Solver(Problem<Dim> const& problem, SolverOptions const& options = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// @param b  the right-hand side
  /// @param x  the guess, then the solution; of mean 0 on singular components
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x);
  /// The same for b + boundary. Full multigrid needs to know what comes from Dirichlet faces (add_boundary_values),
  /// since that grows differently with the cell width; other methods take the sum.
  Report solve(Field<T, Dim> const& b, Field<T, Dim> const& boundary, Field<T, Dim>& x);

  Operator<T, Dim> const& matrix() const;
  SolverOptions const& options() const { return options_; }
  /// The factor of SOR and the least eigenvalue of D^-1 A that Chebyshev's iteration counts on, as given or estimated.
  /// @throws std::invalid_argument  for other methods
  double sor_factor() const;
  double least_eigenvalue() const;

private:
  SolverOptions options_;
  std::unique_ptr<detail::AnySolver<T, Dim>> solver_;
};

}  // namespace sparse::poisson
