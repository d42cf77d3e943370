#pragma once
/// The methods that solve a Poisson problem: small structs, each with the options that it has.

#include <memory>
#include <optional>
#include <variant>

#include <sparse/base/config.hpp>
#include <sparse/base/interpolation.hpp>
#include <sparse/distributed/assembled.hpp>

namespace sparse::poisson {

// With n cells along an axis of a box, a method needs the number of iterations that its first line says.
// `expect_valid` throws `std::invalid_argument` if an option is out of its range.

/// How many sweeps a solution took, as a guess for the next one. Solvers that are given the same object share it.
struct SweepGuess {
  /// As many as the last solution took; 0: none is known.
  int sweeps = 0;
};

/// Weighted Jacobi: O(n^2) iterations of one sweep.
struct Jacobi {
  /// Share of D^-1 r that is added, > 0 and <= 1. Eigenvalues of D^-1 A lie between 0 and 2, those of the smoothest
  /// errors near 0. So the best share is just below 1, which would leave the most oscillatory error as it is. The
  /// shares 2/3 and 4/5, which smooth best, take a third or an eighth more iterations.
  double factor = 0.9;
  /// If it is given, the residual is looked at after 1, 2, 4, 8, ... sweeps only. For sequences of similar problems:
  /// the first look is after as many sweeps as the last solution took (n), the next ones after n + 1, n + 2, n + 4, ...
  /// What the object holds decides how many sweeps the next solution makes; save it to go on bit by bit. Residuals
  /// between the looks are not known, so the report has one for each look. Source: Scheidegger, Comba, da Cunha,
  /// section 5.4 (2005).
  std::shared_ptr<SweepGuess> guess = {};

  /// For messages.
  static constexpr char const* name = "Jacobi";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const;
  bool operator==(Jacobi const&) const = default;
};

/// Gauss-Seidel in red-black order: half as many iterations as Jacobi takes.
struct GaussSeidel {
  /// For messages.
  static constexpr char const* name = "Gauss-Seidel";
  /// Nothing to check; methods compare by their numbers.
  void expect_valid() const {}
  bool operator==(GaussSeidel const&) const = default;
};

/// Successive over-relaxation in red-black order: O(n) iterations with the best factor.
struct Sor {
  /// > 0 and < 2. If it is not given, the solver estimates the best one, 2 / (1 + sqrt(1 - rho^2)) with the spectral
  /// radius rho of Jacobi's method. Source: Young, Iterative methods for solving partial difference equations of
  /// elliptic type (1954).
  std::optional<double> factor = {};

  /// For messages.
  static constexpr char const* name = "SOR";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const;
  bool operator==(Sor const&) const = default;
};

/// Chebyshev's iteration on D^-1 A: O(n) iterations of one sweep, without sums.
struct Chebyshev {
  /// Bounds of the eigenvalues of D^-1 A, 0 < least < greatest <= 2, without the 0 of singular components. If the least
  /// is not given, the solver estimates it. The greatest one, 2, follows from Gershgorin's circles.
  std::optional<double> least_eigenvalue = {};
  double greatest_eigenvalue = 2;

  /// For messages.
  static constexpr char const* name = "Chebyshev";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const;
  bool operator==(Chebyshev const&) const = default;
};

/// What conjugate gradients divide the residual by: nothing, or the diagonal, which helps where couplings differ.
enum class Preconditioner { none, diagonal };

/// Conjugate gradients without multigrid: O(n) iterations of two sweeps.
struct ConjugateGradients {
  /// What is applied to the residual.
  Preconditioner preconditioner = Preconditioner::none;

  /// For messages.
  static constexpr char const* name = "CG";
  /// Nothing to check; methods compare by their numbers.
  void expect_valid() const {}
  bool operator==(ConjugateGradients const&) const = default;
};

/// The order in which levels are visited: each once, or the next coarser one twice in a row. Levels of connected parts
/// of cells are visited twice in any case.
enum class Cycle { v, w };

/// The type of values inside a multigrid cycle.
enum class Precision {
  single,  ///< float: half the traffic. The residual has the type of the solution, so iterations stay as few.
  same,    ///< that of the solution
};

/// For experts: where a hierarchy of levels ends.
struct CoarsestLevel {
  int sweeps = 16;   ///< of smoothing on it, > 0
  Index cells = 16;  ///< Levels of at most so many cells are not coarsened; > 0.

  /// Whether all numbers are equal.
  bool operator==(CoarsestLevel const&) const = default;
};

/// Multigrid, x += M (b - A x) with a cycle M: O(1) iterations of some ten sweeps.
///
/// Levels are coarser and coarser sets, made by `coarsen`. Coarse matrices are those of finite volumes whose centres
/// are the centres of mass of their children. Where coarse cells would join what nothing flows between (thin walls,
/// random holes), unknowns are connected parts of cells. Sweeps are in red-black order; on levels
/// with odd periods damped Jacobi steps take their place, and coarse cells end at the seam.
/// Source: unsmoothed aggregation as in Braess, Computing 55 (1995); symmetric red-black smoothing as in Tatebe, The
/// multigrid preconditioned conjugate gradient method (1993).
struct Multigrid {
  /// The order in which levels are visited.
  Cycle cycle = Cycle::v;
  int sweeps = 2;  ///< before and after the coarser levels, > 0
  /// What sweeps move values by, over what solves their rows; 0 to 2. 1 is Gauss-Seidel. Without it, what damps rough
  /// errors best: 1.07 for squares, 1.15 for cubes, and more for cells that are not square. Source: Yavneh, On
  /// red-black SOR smoothing in multigrid, SIAM J. Sci. Comput. 17 (1996).
  std::optional<double> relaxation = {};
  /// How residuals go to coarser levels; corrections come back by the transpose. constant: sums over the children, the
  /// value of the parent (unsmoothed aggregation). linear: from the parent and its neighbour on the child's side.
  Interpolation interpolation = Interpolation::constant;
  /// Of the values in the cycle, and where levels end.
  Precision precision = Precision::single;
  CoarsestLevel coarsest = {};

  /// For messages.
  static constexpr char const* name = "multigrid";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const;
  bool operator==(Multigrid const&) const = default;
};

/// One pass from the coarsest level up makes the first solution, whatever the guess. `Multigrid` goes on from there.
///
/// The pass interpolates each level's solution to the next finer one and improves it there by W-cycles with linear
/// interpolation. Its result is about as good as the discretisation, also beside bodies and in boxes of any size.
struct FullMultigrid {
  int cycles = 1;  ///< of the pass on each level, > 0
  /// The cycle on each level.
  Multigrid multigrid = {};

  /// For messages.
  static constexpr char const* name = "full multigrid";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const;
  bool operator==(FullMultigrid const&) const = default;
};

/// Conjugate gradients with a multigrid cycle as the preconditioner: O(1) iterations, the fastest method on a CPU.
///
/// Per iteration the finest level passes the memory bus three times: 40 counted bytes per cell in float, 84 in
/// double with cycles in float. Passes that follow one another take place while cells are in the cache.
/// Source: Tatebe, The multigrid preconditioned conjugate gradient method (1993).
struct MultigridCg {
  /// The cycle that is applied to the residual.
  Multigrid preconditioner = {};

  /// For messages.
  static constexpr char const* name = "multigrid-CG";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const { preconditioner.expect_valid(); }
  bool operator==(MultigridCg const&) const = default;
};

/// `MultigridCg` with the beta of Polak and Ribiere, which forgives a preconditioner that changes.
/// Source: Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000).
struct FlexibleCg {
  /// The cycle that is applied to the residual.
  Multigrid preconditioner = {};

  /// For messages.
  static constexpr char const* name = "flexible multigrid-CG";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const { preconditioner.expect_valid(); }
  bool operator==(FlexibleCg const&) const = default;
};

/// For experts: how work is cut into launches of kernels.
struct TileLaunches {
  /// The most iterations between two looks at the residual.
  static constexpr int longest_interval = 64;
  /// Iterations after which the host looks at the residual, 1 to `longest_interval`.
  int check_interval = 1;
  Index one_launch_cells = 4096;  ///< Levels of at most so many cells are visited in a single launch; > 0.

  /// Whether all numbers are equal.
  bool operator==(TileLaunches const&) const = default;
};

struct TileCounts;  // sparse/poisson/tile_counts.hpp

/// For experts: what makes `TiledMultigridCg` fast, to be taken back one by one. Residuals and solutions differ by
/// rounding at most. The tenth is `Precision::single`. Numbers are those of a public list for solvers of this kind,
/// made after section 5 of Sun et al., Leapfrog flow maps for real-time fluid simulation, SIGGRAPH 2025.
struct TileOptimisations {
  /// 1: a block copies its tile and what is around it to its own memory. Else each neighbour is read from memory.
  bool block_memory = true;
  bool fused_descent = true;     ///< 2: smoothing, residual and restriction are one pass; needs block_memory
  bool fused_ascent = true;      ///< 3: interpolation and smoothing are one pass; needs block_memory
  bool one_launch = true;        ///< 4: small levels, the coarsest sweeps among them, are one launch
  bool starts_from_zero = true;  ///< 5: first sweeps do not read x. Else x is cleared on each level that stores it
  bool memory_set = true;        ///< 6: memory is cleared without kernels
  bool stored_inverse = true;    ///< 7: usual rows know one over their diagonal. Else each use of a row divides
  /// 8: passes over vectors and their products are joined. Else each is a launch of its own.
  bool fused_sums = true;
  bool tile_classes = true;  ///< 9: tiles know whether they have walls. Else all cells of all tiles have codes

  /// Whether the same ones are on.
  bool operator==(TileOptimisations const&) const = default;
};

/// `MultigridCg` with V-cycles and constant interpolation on tiles of 8 cells per axis: the method for a GPU.
///
/// Sweeps are those of Gauss-Seidel. On a GPU a tile with what is around it fits into a block's own memory. On a CPU it
/// is the same code, some ten times slower than `MultigridCg`. Periods must be multiples of 8 cells. Levels whose
/// period is none, as the second one with a period of 24, cost several times as much. `coarsen` says which tiles exist.
/// Values are stored tile by tile, so scattered cells take up to 8^Dim times their memory. Tiles without walls in or
/// near them have no matrix; with walls, two bytes per cell; where couplings differ from cell to cell, 2 Dim + 2
/// values. With one sweep the finest level passes the memory bus three times per iteration: in 3D, 47 counted bytes per
/// cell (float), 83 (double, cycles in float) or 94 (double), coarser levels included; in 2D, 51, 87 and 101. Numbers
/// stay on the device; the host only looks at the residual. On CUDA an iteration is one graph, unless coarse levels
/// consist of connected parts of cells. Source: as `MultigridCg`; McAdams, Sifakis, Teran, A parallel multigrid Poisson
/// solver for fluids simulation on large grids (2010) for solvers of this kind on tiles.
struct TiledMultigridCg {
  int sweeps = 1;  ///< > 0. The fused kernels are made for one; more take a pass over memory each.
  /// Of the preconditioner, what solves on the coarsest level, and how kernels are launched.
  Precision precision = Precision::single;
  CoarsestLevel coarsest = {};
  TileLaunches launches = {};
  TileOptimisations optimisations = {};
  /// If it is given, what the solver does is added to it. On a host one thread then does everything.
  std::shared_ptr<TileCounts> counts = {};

  /// For messages.
  static constexpr char const* name = "tiled multigrid-CG";
  /// @throws std::invalid_argument  if a number is outside its range; methods compare by their numbers
  void expect_valid() const;
  bool operator==(TiledMultigridCg const&) const = default;
};

/// A solver of another library gets the matrix and solves: `Assembled{distributed::hypre}`. A check of what the other
/// methods find, and for problems that none of them is for.
///
/// The solver works in double and on the host. Its matrix is definite: where p is determined up to a constant only, one
/// row has twice its diagonal, and cells that nothing flows into or out of have a row of the identity. The residual is
/// looked at in the type of the solution whenever the solver returns. Where it is still too large, the solver is called
/// again, with a tolerance ten times as small.
struct Assembled {
  /// Makes the solver; not null.
  distributed::MakeAssembledSolver make = nullptr;

  /// For messages.
  static constexpr char const* name = "assembled rows";
  /// @throws std::invalid_argument  without a function; methods compare by it
  void expect_valid() const;
  bool operator==(Assembled const&) const = default;
};

/// How A x = b is solved: `Method method = Sor{.factor = 1.9};`. The default is `MultigridCg`.
using Method = std::variant<MultigridCg, FlexibleCg, Multigrid, FullMultigrid, TiledMultigridCg, ConjugateGradients,
                            Chebyshev, Sor, GaussSeidel, Jacobi, Assembled>;

/// For messages.
char const* name_of(Method const& method);

/// Whether the number of iterations hardly grows with the grid. Other methods may take thousands.
bool has_multigrid(Method const& method);

}  // namespace sparse::poisson
