#pragma once
/// Levels of cells in one file that several ranks write.

#include <filesystem>
#include <vector>

#include <sparse/distributed/team.hpp>
#include <sparse/io/levels/cells.hpp>
#include <sparse/sets/interval_set.hpp>

// The functions are compiled in sparse::amr_io, in 2D and 3D.
namespace sparse::amr {

/// Writes the cells of all ranks, with values, as the file that `io::write_overlapping_amr` makes in one process, byte
/// by byte. Collective. Each rank writes its own values, and rank 0 what is no cell's. The file is complete or not
/// there.
/// @param all   the cells of each level, of all ranks
/// @param own   those of this rank, with values: `snapshot_of_rank`. A rank may have none, but the same levels and
///              arrays as all
/// @param team  the ranks, all of which see the folder
/// Cost: each rank's values once more in memory, and sets of all cells.
/// @throws std::runtime_error  on all ranks, with the path and the reason, also for what `io::write_overlapping_amr`
///                             refuses
template <int Dim>
void write_overlapping_amr(std::filesystem::path const& path, Grid<Dim> const& grid,
                           std::vector<IntervalSet<Dim>> const& all, std::vector<io::LevelCells<Dim>> const& own,
                           distributed::Team& team);

}  // namespace sparse::amr
