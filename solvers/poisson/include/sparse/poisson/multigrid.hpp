#pragma once
/// Geometric multigrid on sets of cells.

#include <memory>

#include <sparse/base/interpolation.hpp>
#include <sparse/poisson/operator.hpp>

namespace sparse::poisson {

/// The order in which levels are visited: each once, or the next coarser one twice in a row (parts of cells always).
enum class Cycle { v, w };

struct MultigridOptions {
  /// How residuals go to coarser levels, and corrections back by the transpose. constant: sums over the children, the
  /// value of the parent (unsmoothed aggregation); linear: from the parent and its neighbour on the child's side.
  Interpolation interpolation = Interpolation::constant;
  Cycle cycle = Cycle::v;
  int sweeps = 2;             ///< of red-black Gauss-Seidel before and after the coarser levels, > 0
  int coarsest_sweeps = 16;   ///< on the coarsest level, > 0
  Index coarsest_cells = 16;  ///< levels of at most so many cells are not coarsened any further, > 0
};

/// A hierarchy of coarser and coarser sets, made by `coarsen`, each with a matrix.
///
/// `T` is the type that values on the levels have, which may be shorter than that of the right-hand side.
/// Coarse matrices are those of finite volumes whose centres are the centres of mass of their children (see
/// `Couplings`). Odd periods cannot be coarsened, and there damped Jacobi steps take the place of Gauss-Seidel.
/// Below the level whose coarse cells would join what nothing flows between (thin walls, random holes), unknowns are
/// connected parts of cells; those levels are visited twice each, whatever the cycle, with constant interpolation.
/// Source: unsmoothed aggregation as in Braess, Computing 55 (1995); symmetric red-black smoothing as in Tatebe, The
/// multigrid preconditioned conjugate gradient method (1993).
template <class T, int Dim>
class Multigrid {
public:
  /// Cost: grows with the runs of the sets rather than with their cells (see `Couplings`).
  /// @throws std::invalid_argument  if the problem or an option does not make sense
  explicit Multigrid(Problem<Dim> const& problem, MultigridOptions const& options = {});
  template <class U>
  explicit Multigrid(Operator<U, Dim> const& matrix, MultigridOptions const& options = {});
  ~Multigrid();
  Multigrid(Multigrid&&) noexcept;
  Multigrid& operator=(Multigrid&&) noexcept;

  int level_count() const;
  /// Cells, or their parts, of all levels over the cells of the finest.
  double grid_complexity() const;
  MultigridOptions const& options() const;

  /// x = M b, one cycle that starts from x = 0: a symmetric positive (semi)definite approximation to the inverse.
  /// @param b, x  values of the problem's cells in their order, in device memory
  template <class B>
  void cycle(B const* b, T* x);
  /// The same where `first` are passes over the finest level that make `b`, and `last` ones that use `x`.
  template <class B>
  void cycle(B const* b, T* x, detail::Pipeline first, detail::Pipeline last);

  /// x = a first approximation to the solution: from the coarsest level up, each level's solution is interpolated to
  /// the next finer one, where `cycles` W-cycles with linear interpolation improve it.
  ///
  /// It is about as good as the discretisation, beside bodies and in boxes of any size, too. Among walls that coarse
  /// cells cannot resolve it begins with eight cycles on the finest level that has no parts of cells below it.
  /// @param b         the right-hand side without what comes from Dirichlet faces
  /// @param boundary  that part, which grows differently with the cell width; or none
  template <class B>
  void full_multigrid(B const* b, B const* boundary, T* x, int cycles = 1);

private:
  Multigrid(detail::Couplings<T, Dim> finest, MultigridOptions const& options);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sparse::poisson
