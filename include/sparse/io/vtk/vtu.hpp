#pragma once
/// VTK unstructured grids (.vtu), which ParaView and VisIt open.

#include <filesystem>

#include <sparse/io/levels/cells.hpp>

namespace sparse::io {

/// Writes the leaves of all levels as one grid of VTK_PIXEL or VTK_VOXEL cells, with every array and `level` [UInt8].
///
/// Cells come level by level in the order of their sets. Cells that touch in a point share it, also across levels.
/// Coordinates are floats if that moves no point by more than 1/4096 of the finest cell's width, else doubles. Indices
/// are 32-bit where they fit. Arrays are inline base64, zlib level 1: ParaView 5.11 with a current libexpat refuses
/// VTK's default, raw appended data.
///
/// The file is complete or not there. Cost: about 0.4 s and 30 bytes per million cells and a few float arrays.
/// @throws std::invalid_argument  if the levels do not fit together, see `check_levels`
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_vtu(std::filesystem::path const& path, Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels);

/// Writes a set of cells of level `level` without values: a fluid region, an obstacle.
/// @throws std::invalid_argument  unless 0 <= level <= 30
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_geometry(std::filesystem::path const& path, Grid<Dim> const& grid, int level, HostSet<Dim> const& cells);

}  // namespace sparse::io
