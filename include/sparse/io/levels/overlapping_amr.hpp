#pragma once
/// VTKHDF OverlappingAMR 1.0 files (.hdf): levels of patches, which ParaView 5.11 and later show as true AMR data.

#include <filesystem>

#include <sparse/io/files/file_parts.hpp>
#include <sparse/io/levels/cells.hpp>

namespace sparse::io {

/// How levels are written.
struct OverlappingAmrOptions {
  bool compress = false;  ///< shuffle and gzip level 1: smaller files, ten times slower
};

/// Writes all levels with all their cells, covered ones too, as patches of at most 128^2 or 32^3 cells.
///
/// A patch is a tile of a fixed grid, trimmed to the cells in it. Above level 0 its edges are even, so that it covers
/// whole cells of the level below. 2D patches are one cell thick in z. `vtkGhostType` 32 hides covered cells, and
/// places without a cell, such as solids. Such a place repeats a value of its patch, so that it changes no data range.
///
/// Level numbers are 0, 1, 2, ... without gap. Empty levels at the end are left out. ParaView needs the extension
/// `.hdf` and "Surface" as representation. Put the files of a run into a `TimeSeries` named `NAME.hdf.series`. The file
/// is complete or not there. Only one thread at a time may call this: HDF5 is not thread safe.
/// @throws std::invalid_argument  if the levels do not fit together (see `check_levels`), have a gap, or hold no cell
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_overlapping_amr(std::filesystem::path const& path, Grid<Dim> const& grid,
                           std::vector<LevelCells<Dim>> const& levels, OverlappingAmrOptions options = {});

/// What one of several processes writes into such a file, not compressed. The parts of all, each of which owns some of
/// the cells, make the file that one process would write. `amr::write_overlapping_amr` writes them.
/// @param all       the cells of each level, those of all processes; equal in all of them
/// @param own       the cells of this process, with values. Each process has the same levels and arrays, and no cell
///                  belongs to two; not checked
/// @param has_rest  whether the part has also what is no cell's; so it is in one of the processes
/// @throws std::invalid_argument  as `write_overlapping_amr`
template <int Dim>
FileParts overlapping_amr_parts(Grid<Dim> const& grid, std::vector<HostSet<Dim>> const& all,
                                std::vector<LevelCells<Dim>> const& own, bool has_rest);

}  // namespace sparse::io
