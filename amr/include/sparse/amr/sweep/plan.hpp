#pragma once
/// The plan of a sweep over a level: a list of short loops for each tile.
///
/// A sweep computes each flux once, and reads and writes each value of the state once. It moves along a tile, slab by
/// slab: a row in 2D, a plane of rows in 3D. The few slabs that are still needed stay in scratch memory, in the cache.
/// Which parts of rows take part changes only with the level. So the plan lists them once, and the sweep searches
/// nothing.

#include <sparse/sets/interval_set.hpp>

namespace sparse::amr {

/// The sizes of a tile and of its piece of scratch memory, in cells.
template <int Dim>
struct Tile {
  static constexpr Coord block = 32;  ///< tiles consist of blocks of this edge length
  /// Cells around a tile that its fluxes need.
  static constexpr Coord length = Dim == 2 ? 256 : 32, height = Dim == 2 ? 1 : 16, depth = 32;  ///< x, rows, slabs
  static constexpr Coord halo = 2;
  /// In scratch, `lead` is the number of values before a row's first cell, so that long rows begin on cache lines.
  /// `width` is the length of a row. It has extra space at its end, because loops run over it.
  static constexpr int lead = Dim == 2 ? 16 : halo, width = lead + length + (Dim == 2 ? 32 : halo + 16);
  static constexpr int row_count = Dim == 2 ? 1 : height + 2 * halo;
  static constexpr int slab_size = width * row_count;
};

/// One loop over consecutive cells of a row.
struct SweepLoop {
  /// What the loop does.
  enum Kind : std::uint8_t {
    load,            ///< state and primitive variables of cells into scratch
    predict,         ///< their slopes, and values at half the step
    predict_minmod,  ///< the same with the minmod limiter: replaces the results of predict
    flux,            ///< through the faces at the lower sides of cells
    wall_below,      ///< the same for faces whose lower neighbour is a wall: replaces that flux
    wall_above,      ///< ... upper neighbour ...
    record_coarse,   ///< adds fluxes to the register of the interface with the next finer level
    record_fine,     ///< ... coarser level
    update,          ///< new state of cells
  };
  /// What it does, and the axis of its faces.
  Kind kind;
  std::uint8_t axis;          ///< of faces
  bool sticks;                ///< whether the walls are no-slip
  std::int16_t count;         ///< cells
  std::int16_t slab, row, x;  ///< of the first cell, relative to the tile's first cell at 0; negative in the halo
  Index offset;               ///< load, update: position in the state; record: in the register
};

/// The sets that take part in a sweep over one level.
template <int Dim>
struct SweepSets {
  IntervalSet<Dim> storage;                          ///< where the state lives; all within L1 distance 2 of `update`
  IntervalSet<Dim> update;                           ///< the cells to compute
  IntervalSet<Dim> minmod = {};                      ///< cells whose slopes always use this limiter
  Vec<IntervalSet<Dim>, Dim> coarse_interface = {};  ///< faces whose fluxes are recorded
  Vec<IntervalSet<Dim>, Dim> fine_interface = {};
  /// [axis][side] faces with a wall at their lower or upper side: slip walls, and no-slip walls.
  Vec<Vec<IntervalSet<Dim>, 2>, Dim> walls = {}, sticking_walls = {};
  /// Cells whose tiles come first: others wait for them.
  IntervalSet<Dim> first = {};
};

/// The loops of a sweep over one level, tile by tile.
template <int Dim>
class SweepPlan {
public:
  /// The plan that does nothing.
  SweepPlan() = default;
  /// Cost: two passes over the intervals of all sets.
  /// @throws std::invalid_argument  if a cell to update is not in storage
  explicit SweepPlan(SweepSets<Dim> const& sets);

  /// How many tiles there are, and how many of them hold cells of `SweepSets::first`.
  Index tile_count() const { return tile_count_; }
  Index first_tile_count() const { return first_tile_count_; }
  Index cell_count() const { return cell_count_; }  ///< cells to update
  /// Where the plan's memory lives.
  Context const& context() const { return context_; }
  Index const* starts() const { return starts_.data(); }  ///< [tile_count + 1] loops before each tile
  /// [starts()[tile_count()]] all loops, tile by tile.
  SweepLoop const* loops() const { return loops_.data(); }
  /// [tile_count] the order in which tiles begin: the first ones, then all others. Among both, tiles with the most work
  /// come first, so that threads finish together.
  Index const* order() const { return order_.data(); }

private:
  Context context_;
  Buffer<Index> starts_;
  Buffer<SweepLoop> loops_;
  Buffer<Index> order_;
  Index tile_count_ = 0, first_tile_count_ = 0, cell_count_ = 0;
};

}  // namespace sparse::amr
