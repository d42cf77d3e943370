#pragma once
/// Sets as few large cells.

#include <vector>

#include <sparse/io/levels/cells.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// The cells of `set`, a set of level `level`, with every family of children that is whole replaced by its parent, and
/// so on down to level 0: the same region in about as many cells as its boundary has, for `write_vtu`.
template <int Dim>
std::vector<LevelCells<Dim>> merged_cells(IntervalSet<Dim> const& set, int level);

}  // namespace sparse::io
