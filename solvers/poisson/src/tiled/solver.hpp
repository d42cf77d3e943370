#pragma once
/// Conjugate gradients preconditioned by multigrid cycles, on tiles.

#include "cycle.hpp"
#include "krylov/any_solver.hpp"
#include "scalars.hpp"

namespace sparse::poisson::detail {

/// See `TiledMultigridCg`. `P` is the type of the values inside the cycle.
template <class T, class P, int Dim>
class TiledSolver : public AnySolver<T, Dim> {
public:
  /// @param method  a valid one
  /// @throws std::invalid_argument  for periods that are no multiples of 8 cells
  TiledSolver(MatrixPtr<T, Dim> const& matrix, TiledMultigridCg const& method, StopRule const& stop);

  using AnySolver<T, Dim>::solve;
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& result) override;

  int level_count() const { return cycle_.levels().level_count(); }
  /// The finer ones, which have kernels on tiles.
  int tiled_level_count() const { return static_cast<int>(cycle_.tiled_count()); }

private:
  std::int32_t const* positions() const { return cycle_.levels().finest_tiles.positions(); }
  Index cell_count() const { return residual_.cell_count(); }
  TiledScalars* numbers() const { return scalars_.data(); }

  // In a step of parity s, r_[s] and p_[s] are known and the others made.

  /// r_[1 - s] = r_[s] - alpha q, with its square. The same pass leaves the finest level, if it can.
  void leave_residual(int s) const;
  /// x += alpha p_[s], p_[1 - s] = z + beta p_[s], q = A p_[1 - s], with their product.
  void direct(int s) const;
  void step(int s) const;
  void repeat_step(int s);
  void clear(Buffer<T> const& values) const;
  /// Takes the residual by cell as the one before a step of parity s.
  void restart(int s, double square_limit, bool is_first) const;
  /// Clears what an earlier solution may have left where there is no cell, which could be NaN.
  void start(Field<T, Dim> const& guess, double square_limit) const;

  StopRule stop_;
  int check_interval_;
  TileOptimisations optimisations_;
  MatrixPtr<T, Dim> matrix_;
  TiledCycle<P, Dim> cycle_;
  TileMatrix<T, Dim> finest_;  // for the product with p
  Field<T, Dim> residual_;     // by cell
  Index value_count_, tile_count_;
  Buffer<T> r_[2], p_[2], q_, x_;
  Buffer<double> sums_;  // [tile]
  Buffer<TiledScalars> scalars_;
};

}  // namespace sparse::poisson::detail
