#pragma once
/// Sets as few large cells.

#include <vector>

#include <sparse/io/levels/cells.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// The region of `set`, a set of level `level`, in about as many cells as its boundary has. A cell replaces its
/// children where all of them are there, and so on down to level 0. Meant for `write_vtu`.
template <int Dim>
std::vector<LevelCells<Dim>> merged_cells(IntervalSet<Dim> const& set, int level);

}  // namespace sparse::io
