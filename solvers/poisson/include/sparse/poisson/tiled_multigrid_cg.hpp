#pragma once
/// Conjugate gradients preconditioned by multigrid cycles, on tiles.

#include <memory>

#include <sparse/poisson/multigrid_cg.hpp>

namespace sparse::poisson {

struct TiledMultigridCgOptions {
  StopRule stop;
  /// V-cycles with constant interpolation only. One sweep is what the fused kernels are made for; more take a pass over
  /// memory each.
  MultigridOptions multigrid = one_sweep();
  int check_interval = 1;         ///< iterations after which the host looks at the residual, 1 to 64
  Index one_launch_cells = 4096;  ///< levels of at most so many cells are visited in a single launch, > 0

private:
  static MultigridOptions one_sweep() {
    MultigridOptions options;
    options.sweeps = 1;
    return options;
  }
};

/// Solves A x = b as `MultigridCg` does, with the same hierarchy and smoother, on tiles of 8 cells per axis: made for a
/// GPU, where a tile with what is around it fits into a block's own memory. On a CPU, for which `MultigridCg` is made,
/// it is the same code, some ten times slower.
///
/// `coarsen` says which tiles exist. Values are stored tile by tile, so scattered cells take up to 8^Dim times their
/// memory. Tiles without walls in or near them have no matrix; with walls, two bytes per cell; where couplings differ
/// from cell to cell, 2 Dim + 2 values.
/// With one sweep the finest level passes the memory bus three times per iteration: in 3D, 47 bytes per cell (float),
/// 83 (double, cycles in float) or 94 (double), coarser levels included; in 2D, 51, 87 and 101. Numbers stay on the
/// device: what is left to the host is to look at the residual. On CUDA an iteration is one graph, unless coarse levels
/// consist of connected parts of cells.
/// Levels whose period is no multiple of 8 cells, as the second one with a period of 24, cost several times as much.
/// Memory beside b and x: 7 values of T and 1 of P per cell of a tile, a 32-bit number per cell, and the coarser
/// levels.
/// Source: as `MultigridCg`; McAdams, Sifakis, Teran, A parallel multigrid Poisson solver for fluids simulation
/// on large grids (2010) for solvers of this kind on tiles.
template <class T, class P, int Dim>
class TiledMultigridCg {
public:
  /// @throws std::invalid_argument  if the problem or an option does not make sense, or for what this solver does not
  ///                                do: periods that are no multiples of 8 cells, W-cycles, linear interpolation
  explicit TiledMultigridCg(Problem<Dim> const& problem, TiledMultigridCgOptions const& options = {});
  ~TiledMultigridCg();
  TiledMultigridCg(TiledMultigridCg&&) noexcept;
  TiledMultigridCg& operator=(TiledMultigridCg&&) noexcept;

  /// @param b  the right-hand side
  /// @param x  the guess, then the solution; of mean 0 on singular components
  /// @throws std::invalid_argument  if a field does not fit or b or x has a NaN or an infinity
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x);

  Operator<T, Dim> const& matrix() const;
  int level_count() const;
  /// The finer ones, which have kernels on tiles.
  int tiled_level_count() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sparse::poisson
