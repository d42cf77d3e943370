#pragma once
/// Multigrid cycles on tiles: the preconditioner of conjugate gradients.

#include <vector>

#include "around.hpp"
#include "hierarchy.hpp"
#include "launcher.hpp"

namespace sparse::poisson::detail {

/// Levels, and V-cycles on them. `P` is the type of the values on the levels.
template <class P, int Dim>
class TiledCycle {
public:
  /// @param weight  usual couplings of the finest level
  TiledCycle(Couplings<P, Dim> finest, Vec<double, Dim> const& weight, double zeroth, TiledMultigridCg const& options);

  /// z() = M r, and for each tile its part of the product r z. Where `has_stepped_down`, the pass that made r has gone
  /// down from the finest level already. Where the finest level is not on tiles, the caller has put r into right_of(0).
  template <class T>
  void run(T const* r, double* products) const;
  P* z() const { return x_of(0); }

  TiledHierarchy<P, Dim> const& levels() const { return levels_; }
  Launcher<Dim>& launcher() { return launcher_; }
  Launcher<Dim> const& launcher() const { return launcher_; }
  /// Whether the pass that makes a residual goes down from the finest level, too.
  bool has_stepped_down() const { return descends_at_once() && optimisations_.fused_sums; }
  std::size_t tiled_count() const { return levels_.tiled.size(); }
  P* right_of(std::size_t l) const {
    return l < tiled_count() ? levels_.tiled[l].b.data() : tail_[l - tiled_count()].b;
  }
  /// Clears what an earlier solution may have left on small levels.
  void clear() const;

private:
  P* x_of(std::size_t l) const { return l < tiled_count() ? levels_.tiled[l].x.data() : tail_[l - tiled_count()].x; }
  Index tiles_of(std::size_t l) const { return levels_.tiled[l].tiles.tile_count(); }
  bool is_one_launch() const {
    return optimisations_.one_launch && levels_.parts.is_empty() && tail_[0].count <= one_launch_cells_;
  }
  /// Whether kernels are those for one sweep.
  bool descends_at_once() const { return tiled_count() > 0 && sweeps_.count == 1 && optimisations_.fused_descent; }
  bool ascends_at_once() const { return tiled_count() > 0 && sweeps_.count == 1 && optimisations_.fused_ascent; }

  void run_tail() const;
  void remove_means(TailView<P, Dim> const& level, P* values) const;
  /// Puts what the parts make of the residual in its place.
  void correct_by_parts(TailView<P, Dim> const& last) const;
  /// Calls `body<Around>(view)` with the view of the level's matrix and the way to neighbours that options ask for.
  template <class Body>
  void with_kernels(std::size_t l, Body const& body) const;
  template <class B>
  void descend(std::size_t l, B const* right) const;
  template <class B>
  void ascend(std::size_t l, B const* right, double* products) const;
  /// Smooths x = 0.
  template <class B>
  void first_sweeps(std::size_t l, B const* right) const;
  template <class B>
  void half_sweep(std::size_t l, B const* right, int colour) const;

  TailSweeps sweeps_;
  TileOptimisations optimisations_;
  Index one_launch_cells_;
  TiledHierarchy<P, Dim> levels_;
  Launcher<Dim> launcher_;
  Buffer<TailView<P, Dim>> tail_on_device_;
  std::vector<TailView<P, Dim>> tail_;
  Buffer<P> part_residual_, part_x_;
};

template <class P, int Dim>
template <class Body>
void TiledCycle<P, Dim>::with_kernels(std::size_t l, Body const& body) const {
  auto const view = levels_.tiled[l].matrix.view();
  auto const with_view = [&](auto const& matrix) {
    if (optimisations_.block_memory)
      body.template operator()<CopiedAround>(matrix);
    else
      body.template operator()<MemoryAround>(matrix);
  };
  if (optimisations_.stored_inverse)
    with_view(view);
  else
    with_view(DividingMatrixView<P, Dim>{view});
}

}  // namespace sparse::poisson::detail
