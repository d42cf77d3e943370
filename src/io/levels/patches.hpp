#pragma once
/// Covers the cells of a level with rectangular patches.

#include <vector>

#include <sparse/io/levels/cells.hpp>

#include "leaves.hpp"

namespace sparse::io {

/// A box of cells, some of which may be absent. The values of its cells follow each other, x fastest.
template <int Dim>
struct Patch {
  Box<Dim> box;
  Index first;       ///< position of its first value among those of all patches
  Index cell_count;  ///< cells that are present
  Index sample;      ///< index in the set of one of them
};

/// Consecutive cells of a row inside one patch: values `from` .. `from + count` of the set go to `to` of the patches.
struct Segment {
  Index from, to, count;
};

template <int Dim>
struct Patches {
  std::vector<Patch<Dim>> patches;  ///< by tile, x fastest
  std::vector<Segment> cells;       ///< every cell of the level
  std::vector<Segment> leaves;      ///< those that no finer level covers
  Index size = 0;                   ///< values of all patches, absent cells included
};

/// One patch per tile of 128^2 or 32^3 cells that holds cells of `level`, trimmed to the cells in it. Above level 0 its
/// edges are even, so that it covers whole cells of the level below.
template <int Dim>
Patches<Dim> patches_of(LevelCells<Dim> const& level);

}  // namespace sparse::io
