#pragma once
/// VTKHDF OverlappingAMR 1.0 files (.hdf): levels of patches, which ParaView 5.11 and later show as true AMR data.

#include <filesystem>

#include <sparse/io/levels/cells.hpp>

namespace sparse::io {

struct OverlappingAmrOptions {
  bool compress = false;  ///< shuffle and gzip level 1: smaller files, ten times slower
};

/// Writes all levels with all their cells, covered ones too, as patches of at most 128^2 or 32^3 cells.
///
/// A level's patches are the tiles of a fixed grid that hold cells of it, trimmed to the cells in them (for levels
/// above 0 to even coordinates, so that patches follow the cells of the level below). The places of a patch that hold
/// no cell, such as solids, and the covered cells have `vtkGhostType` 32, which hides them; the former repeat some
/// value of their patch so that they change no data range. 2D patches are one cell thick in z.
///
/// Level numbers are 0, 1, 2, ... without gap; trailing levels without cells are left out. ParaView wants the extension
/// `.hdf` and "Surface" as representation; put the files of a run into a `TimeSeries` named `NAME.hdf.series`.
/// The file is complete or not there. Not to be called by two threads at once, as HDF5 is not thread safe.
/// @throws std::invalid_argument  if the levels do not fit together (see `check_levels`), have a gap, or hold no cell
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <int Dim>
void write_overlapping_amr(std::filesystem::path const& path, Grid<Dim> const& grid,
                           std::vector<LevelCells<Dim>> const& levels, OverlappingAmrOptions options = {});

}  // namespace sparse::io
