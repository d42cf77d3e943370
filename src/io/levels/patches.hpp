#pragma once
/// Covers the cells of a level with rectangular patches.

#include <vector>

#include <sparse/io/levels/cells.hpp>

#include "leaves.hpp"

namespace sparse::io {

/// A box of cells, some of which may be absent. Values come cell by cell, x fastest.
template <int Dim>
struct Patch {
  Box<Dim> box;
  Index first;       ///< position of its first value among those of all patches
  Index cell_count;  ///< cells that are present
  Index sample;      ///< index in the set of one of the present cells
};

/// Consecutive cells of a row inside one patch. Values `from` .. `from + count` of the set go to position `to` of the
/// patches.
struct Segment {
  Index from, to, count;
};

template <int Dim>
struct Patches {
  std::vector<Patch<Dim>> patches;  ///< by tile, x fastest
  std::vector<Segment> cells;       ///< every cell of the level
  std::vector<Segment> leaves;      ///< cells that no finer level covers
  Index size = 0;                   ///< values of all patches, absent cells included
};

/// One patch per tile of 128^2 or 32^3 cells that holds cells of `level`. It is trimmed to these cells. Above level 0
/// its edges are even, so that it covers whole cells of the level below.
template <int Dim>
Patches<Dim> patches_of(LevelCells<Dim> const& level);

}  // namespace sparse::io
