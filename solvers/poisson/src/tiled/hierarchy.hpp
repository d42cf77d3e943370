#pragma once
/// The levels of a tiled solver.

#include <vector>

#include "multigrid/part_graph.hpp"
#include "multigrid/parts.hpp"
#include "tail.hpp"

namespace sparse::poisson::detail {

/// A level with kernels on tiles.
template <class P, int Dim>
struct TiledLevel {
  Tiles<Dim> tiles;
  TileMatrix<P, Dim> matrix;
  Buffer<P> b, x;  ///< b not on the finest level
};

/// The levels of a Hierarchy<P, Dim> with constant interpolation: on tiles, then small ones, then parts if needed.
template <class P, int Dim>
struct TiledHierarchy {
  std::vector<TiledLevel<P, Dim>> tiled;
  std::vector<TailLevel<P, Dim>> tail;  ///< at least one
  Tiles<Dim> finest_tiles, last_tiles;
  PartLevels<P, Dim> parts;
  Index last_count = 0;  ///< cells of the last level

  TiledHierarchy() = default;
  /// @param weight  usual couplings of the finest level
  TiledHierarchy(Couplings<P, Dim> finest, Vec<double, Dim> weight, double zeroth, TiledMultigridCg const& options);

  int level_count() const { return static_cast<int>(tiled.size() + tail.size()) + parts.level_count(); }
};

}  // namespace sparse::poisson::detail
