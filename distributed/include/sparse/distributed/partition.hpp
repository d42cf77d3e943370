#pragma once
/// Which rank owns which cells of which level.

#include <cstdint>
#include <utility>
#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse::distributed {

/// The order in which units are dealt out to ranks.
enum class Curve {
  hilbert,    ///< compact parts with short borders
  rows,       ///< slabs
  scattered,  ///< no order, with as much border as possible: for tests
};

/// How levels are cut.
struct PartitionOptions {
  /// The order of units.
  Curve curve = Curve::hilbert;
  double largest_unit = 0.01;  ///< work of a unit over the mean work of a rank, at most; > 0
  Index least_work = 50;       ///< a level with less work per rank, in cells, has fewer ranks; >= 1
};

/// Cells that one rank owns.
struct OwnedCells {
  /// The rank, and how many cells it owns.
  int rank;
  Index count;
};

/// A cut of every level into parts of equal work, one for each rank.
///
/// Ranks meet once per step of a level, so each level is cut by itself. A level consists of *units*: cubes of cells,
/// whose edge is a power of two. They lie on a curve, and each rank owns a piece of it. So the partition is P + 1
/// numbers per level for P ranks. A unit is small beside the work of a rank. From level 1 on it has at least two
/// cells per axis, so all children of a cell have the same owner. Their parent may have another.
///
/// Cells outside the box belong to the owner of the nearest unit.
template <int Dim>
class Partition {
public:
  Partition() = default;
  /// Cost: a pass over the intervals of `work`, and sorting its units.
  /// @param rank_count  >= 1
  /// @param box         of level 0, not empty
  /// @param work        [level] the cells that a step computes; a level without any is cut into equal volumes
  /// @throws std::invalid_argument  if a number is out of range, or there is no level
  Partition(int rank_count, Box<Dim> const& box, std::vector<IntervalSet<Dim>> const& work,
            PartitionOptions const& options = {});

  /// A partition of the first level and of coarser and coarser ones, whose cells are twice as wide each time. The owner
  /// of a cell is that of its children.
  /// @param level_count  >= 1, with the first one
  /// @throws std::invalid_argument  if a cell of the last level would be wider than a unit
  Partition with_coarser(int level_count) const;

  /// How many ranks and levels there are.
  int rank_count() const { return rank_count_; }
  int level_count() const { return static_cast<int>(levels_.size()); }
  Curve curve() const { return curve_; }
  /// Edge of the units of a level, in its cells.
  Coord unit_edge(int level) const { return Coord{1} << levels_[static_cast<std::size_t>(level)].shift; }

  /// The rank that owns a cell, also one outside the box. Levels are not checked, here and below. Cost: logarithmic in
  /// the ranks.
  int owner(int level, Vec<Coord, Dim> const& cell) const;
  /// The units of the box that a rank owns, as cells of the width of a unit. Cost: a key for each cube on their border,
  /// and their rows; with other curves than Hilbert's a search per unit of the box.
  IntervalSet<Dim> units(int level, int rank) const;
  /// The part of a set of a level that a rank owns. Cost, also below: a pass over the pieces of intervals in units, and
  /// a search per unit, on the host.
  IntervalSet<Dim> part(int level, IntervalSet<Dim> const& set, int rank) const;
  /// The parts of all ranks: [rank].
  std::vector<IntervalSet<Dim>> split(int level, IntervalSet<Dim> const& set) const;
  /// How many cells of a set each rank owns, without ranks that own none, by rank.
  std::vector<OwnedCells> owners(int level, IntervalSet<Dim> const& set) const;

  /// Whether each cell has the same owner in both. Cost: a comparison per rank and level.
  bool operator==(Partition const&) const = default;

private:
  using Key = std::uint64_t;
  struct Level {
    int shift = 0, bits = 1;                // edge of a unit and of the curve's cube, as logarithms
    Vec<Coord, Dim> begin = {}, size = {};  // the units of the box
    std::vector<Key> cuts;                  // [rank_count - 1] rank r owns the keys from cuts[r - 1] up to cuts[r]
    bool operator==(Level const&) const = default;
  };
  Level cut(Box<Dim> const& box, IntervalSet<Dim> const& work, int level, PartitionOptions const& options) const;
  /// Where the box begins in the cube of the Hilbert curve: it is in the middle.
  static Coord place_in_cube(Level const& level, int axis) { return ((Coord{1} << level.bits) - level.size[axis]) / 2; }
  Key key_of(Level const& level, Vec<Coord, Dim> unit) const;
  int owner_of(Level const& level, Vec<Coord, Dim> const& unit) const;
  /// Adds the units of a rank in a cube of the Hilbert curve, which has edge 2^bits and lies at `corner`.
  /// @param keys  of the rank: from the first up to the second
  void add_units(Level const& level, std::pair<Key, Key> keys, Vec<Coord, Dim> const& corner, int bits,
                 std::vector<std::pair<RowKey, Interval>>& rows) const;
  /// Gives `take(owner, row, interval)` the pieces of a set in units, in their order.
  template <class Take>
  void for_each_piece(int level, IntervalSet<Dim> const& set, Take const& take) const;

  int rank_count_ = 0;
  Curve curve_ = Curve::hilbert;
  std::vector<Level> levels_;
};

}  // namespace sparse::distributed
