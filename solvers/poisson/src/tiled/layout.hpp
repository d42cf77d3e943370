#pragma once
/// Tiles of 8 cells per axis and matrices on them, for kernels that keep a tile in fast memory.

#include "operator/couplings.hpp"
#include "view.hpp"

namespace sparse::poisson::detail {

/// The tiles of a level, in which each cell has a place.
///
/// `coarsen`, three times over, says which tiles exist. The values of a tile are consecutive, in the order of
/// `Place::local`. Tiles are in the order of the set of tiles. Positions are 32-bit.
template <int Dim>
class Tiles {
public:
  Tiles() = default;
  /// @throws std::invalid_argument  if there would be 2^31 values or more
  template <class T>
  explicit Tiles(Couplings<T, Dim> const& level);
  /// Whether periods are multiples of the width of a tile.
  static bool are_whole(Vec<Coord, Dim> const& period);

  /// Finds the tiles beside each, for periods that fit.
  void find_neighbours(Vec<Coord, Dim> const& period);
  void find_parents(Tiles const& coarser);

  TileGrid<Dim> grid() const;
  Index tile_count() const { return set_.cell_count(); }
  Index value_count() const { return tile_count() * tile_cells<Dim>; }
  /// [cell] where its value is
  std::int32_t const* positions() const { return positions_.data(); }
  Buffer<std::int32_t> const& parents() const { return parents_; }
  IntervalSet<Dim> const& set() const { return set_; }

private:
  IntervalSet<Dim> set_;  ///< of the tiles, as cells 8 times as wide
  Buffer<std::int32_t> positions_, neighbours_, parents_;
};

/// The matrix of a level on its tiles. It stores nothing for tiles whose cells have all neighbours and the usual
/// couplings, two bytes per cell where faces are missing or have values, and whole rows elsewhere.
template <class T, int Dim>
class TileMatrix {
public:
  TileMatrix() = default;
  /// @param tiles       with neighbours
  /// @param weight      usual couplings along each axis
  /// @param classifies  whether to find tiles that need no codes; else all without rows have codes
  TileMatrix(Couplings<T, Dim> const& level, Tiles<Dim> const& tiles, Vec<double, Dim> const& weight, double zeroth,
             bool classifies = true);

  TileMatrixView<T, Dim> view() const;
  /// Tiles with usual rows only; those whose neighbours have usual rows, too; those with rows of their own.
  Index usual_count() const { return usual_count_; }
  Index fast_count() const { return fast_count_; }
  Index row_tile_count() const { return row_tile_count_; }

private:
  TileGrid<Dim> grid_;
  TileRow<T, Dim> usual_row_;
  Buffer<std::int32_t> storage_;
  Buffer<std::uint16_t> codes_;
  Buffer<T> rows_;
  Index usual_count_ = 0, fast_count_ = 0, row_tile_count_ = 0;
};

}  // namespace sparse::poisson::detail
