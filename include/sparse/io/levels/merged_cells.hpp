#pragma once
/// Merges the cells of a set into few large cells.

#include <vector>

#include <sparse/io/levels/cells.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// The region of `set`, a set of level `level`, in few cells: about as many as its boundary has. A coarse cell replaces
/// its children where all of them exist, level by level down to 0. Meant for `write_vtu`.
/// @param level  >= 0
/// @return       [level + 1], without values; levels may be empty
/// Cost: six set operations per level, and copies to the host.
template <int Dim>
std::vector<LevelCells<Dim>> merged_cells(IntervalSet<Dim> const& set, int level);

}  // namespace sparse::io
