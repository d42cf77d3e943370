#pragma once
/// Covers the cells of a level with rectangular patches.

#include <array>
#include <map>
#include <vector>

#include <sparse/io/levels/cells.hpp>

namespace sparse::io {

/// A box of cells, some of which may be absent. Values come cell by cell, x fastest.
template <int Dim>
struct Patch {
  Box<Dim> box;
  Index first;  ///< position of its first value among those of all patches
};

/// Consecutive values of the patches: positions `to` .. `to + count`. They are those of cells `from` .. `from + count`
/// of a set or, where there are no cells, all that of cell `from`.
struct Segment {
  Index from, to, count;
  bool is_absent;
};

/// One patch per tile of 128^2 or 32^3 cells that holds cells of a level. It is trimmed to these cells. Above level 0
/// its edges are even, so that it covers whole cells of the level below.
template <int Dim>
class Patches {
public:
  using Tile = std::array<Coord, Dim>;  ///< the last axis first

  Patches(int level, HostSet<Dim> const& cells);

  /// By tile, x fastest.
  std::map<Tile, Patch<Dim>> const& all() const { return patches_; }
  /// Values of all patches, absent cells included.
  Index size() const { return size_; }
  /// What a process writes: its cells, and the absent ones of the patches whose first cell it has.
  /// @param own  some of the cells
  /// @return  in ascending order of `to`
  std::vector<Segment> segments_of(HostSet<Dim> const& own) const;

private:
  std::vector<Segment> places_of(HostSet<Dim> const& cells) const;

  std::map<Tile, Patch<Dim>> patches_;
  std::vector<Segment> present_;  // every cell of the level, in ascending order of `to`
  Index size_ = 0;
};

}  // namespace sparse::io
