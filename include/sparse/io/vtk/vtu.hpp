#pragma once
/// VTK unstructured grids (.vtu, .pvtu), which ParaView and VisIt open.

#include <filesystem>
#include <optional>
#include <vector>

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
/// @param whole  for pieces of `write_pvtu`: a box of cells of level 0 that holds all of them, so that they agree on
///               floats or doubles; by default, the grid's points decide
/// @throws std::invalid_argument  if the levels do not fit together, see `check_levels`
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_vtu(std::filesystem::path const& path, Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels,
               std::optional<Box<Dim>> const& whole = {});

/// Writes the file that shows several .vtu files as one grid (.pvtu). They have the same level numbers and arrays, and
/// were written with the same `whole`.
/// @param levels  of one of the pieces; their cells do not matter
/// @param pieces  their paths, in the folder of `path` or below; stored relative to it
/// @throws std::invalid_argument  if there is no level, or as `write_vtu`
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_pvtu(std::filesystem::path const& path, Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels,
                Box<Dim> const& whole, std::vector<std::filesystem::path> const& pieces);

/// Writes a set of cells of level `level` without values: a fluid region, an obstacle.
/// @throws std::invalid_argument  unless 0 <= level <= 30
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_geometry(std::filesystem::path const& path, Grid<Dim> const& grid, int level, HostSet<Dim> const& cells);

}  // namespace sparse::io
