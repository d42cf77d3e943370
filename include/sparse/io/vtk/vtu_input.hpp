#pragma once
/// Reads geometry that this library wrote as a VTK unstructured grid.

#include <filesystem>

#include <sparse/base/grid.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// Reads the cells of a .vtu file by `write_geometry`, or by `write_vtu` for one level. Values are skipped.
///
/// Each cell must be a cell of the grid, and occur once. Only the layout that this library writes is read (inline
/// base64, compressed by zlib). To exchange sets or fields between programs, use set_file.hpp. Only one thread at a
/// time may call this: VTK has one global place for messages.
/// @param grid   the grid that the file was written with
/// @param level  the level of its cells, 0 to 30
/// @throws std::invalid_argument  if there is no such level, or a spacing of the grid is not positive
/// @throws std::runtime_error     with the path and the reason: unreadable, truncated or corrupt, no unstructured grid,
///                                cells of another kind or level, cells that occur twice
/// Cost: memory for the file, and for its points and cells in VTK.
template <int Dim>
IntervalSet<Dim> read_vtu(std::filesystem::path const& path, Grid<Dim> const& grid = {}, int level = 0,
                          Context const& context = Context());

}  // namespace sparse::io
