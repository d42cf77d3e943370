#pragma once
/// Multigrid cycles on tiles: the preconditioner of conjugate gradients.

#include <vector>

#include "hierarchy.hpp"
#include "launcher.hpp"

namespace sparse::poisson::detail {

/// Levels, and V-cycles on them. `P` is the type of the values on the levels.
template <class P, int Dim>
class TiledCycle {
public:
  /// @param weight  usual couplings of the finest level
  TiledCycle(Couplings<P, Dim> finest, Vec<double, Dim> const& weight, double zeroth, TiledMultigridCg const& options);

  /// z() = M r, and for each tile its part of the product r z. Where `is_fused`, the pass that made r has gone down
  /// from the finest level already. Where the finest level is not on tiles, the caller has put r into right_of(0).
  template <class T>
  void run(T const* r, double* products) const;
  P* z() const { return x_of(0); }

  TiledHierarchy<P, Dim> const& levels() const { return levels_; }
  Launcher<Dim>& launcher() { return launcher_; }
  Launcher<Dim> const& launcher() const { return launcher_; }
  /// Whether kernels are those for one sweep.
  bool is_fused() const { return tiled_count() > 0 && sweeps_ == 1; }
  std::size_t tiled_count() const { return levels_.tiled.size(); }
  P* right_of(std::size_t l) const {
    return l < tiled_count() ? levels_.tiled[l].b.data() : tail_[l - tiled_count()].b;
  }
  /// Clears what an earlier solution may have left on small levels.
  void clear() const;

private:
  P* x_of(std::size_t l) const { return l < tiled_count() ? levels_.tiled[l].x.data() : tail_[l - tiled_count()].x; }
  Index tiles_of(std::size_t l) const { return levels_.tiled[l].tiles.tile_count(); }
  bool is_one_launch() const { return levels_.parts.is_empty() && tail_[0].count <= one_launch_cells_; }

  void run_tail() const;
  void remove_means(TailView<P, Dim> const& level, P* values) const;
  /// Puts what the parts make of the residual in its place.
  void correct_by_parts(TailView<P, Dim> const& last) const;
  /// With one sweep. The last step of conjugate gradients has already gone down from the finest level.
  template <class T>
  void run_fused(T const* right, double* products) const;
  /// Pass by pass, with any number of sweeps.
  template <class B>
  void run_by_pass(std::size_t l, B const* right) const;
  template <class B>
  void half_sweep(std::size_t l, B const* right, int colour) const;

  int sweeps_, coarsest_sweeps_;
  Index one_launch_cells_;
  TiledHierarchy<P, Dim> levels_;
  Launcher<Dim> launcher_;
  Buffer<TailView<P, Dim>> tail_on_device_;
  std::vector<TailView<P, Dim>> tail_;
  Buffer<P> part_residual_, part_x_;
};

}  // namespace sparse::poisson::detail
