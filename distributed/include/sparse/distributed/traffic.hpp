#pragma once
/// What the ranks of a partition would compute, store and send, without sending anything.

#include <vector>

#include <sparse/distributed/partition.hpp>

namespace sparse::distributed {

/// Cells whose states one rank gets from another.
struct Delivery {
  /// The rank they come from, and how many there are.
  int from;
  Index cell_count;
};

/// What one rank does in a step of one level.
struct RankTraffic {
  Index work = 0;                       ///< cells that it computes
  Index stored = 0;                     ///< cells that it stores: its own, their surroundings, and its halo
  std::vector<Delivery> halo = {};      ///< what its stencils and the ghosts of the next finer level read, by rank
  std::vector<Delivery> children = {};  ///< those of covered cells that take their means, by rank
  std::vector<Delivery> sums = {};      ///< sums of fluxes through faces of the next finer level, by axis and rank
};

/// The cells that a step of each level computes, if levels have these cells: leaves, and the covered cells beside them.
/// @param cells  [level] with the covered ones; a cell has children of the next level, or none
template <int Dim>
std::vector<IntervalSet<Dim>> computed_cells(std::vector<IntervalSet<Dim>> const& cells);

/// The traffic of each rank, [level][rank].
///
/// A rank needs all cells at most two steps across faces from those that it computes. Where these are not of the level,
/// it interpolates them, and needs their parents and the neighbours of these. It also gets the children of its covered
/// cells that a step reads, or that take means for coarser levels, and the sums of fluxes at its leaves beside covered
/// cells. Left out are neighbours of other covered cells, which criteria look at, and what ghosts may come to read.
/// Sides of the box give no traffic, so periodic sides count as if they were open. Cost: some set operations on a small
/// part of the levels for each rank.
/// @throws std::invalid_argument  if the partition has another number of levels
template <int Dim>
std::vector<std::vector<RankTraffic>> traffic(Partition<Dim> const& partition,
                                              std::vector<IntervalSet<Dim>> const& cells);

/// A machine, for predictions.
struct Machine {
  double updates = 10e6;   ///< cells that a rank computes in a second
  double latency = 2e-6;   ///< of a message [s]
  double bandwidth = 5e9;  ///< of a rank [bytes/s]
};

/// The prediction for one step of level 0, and all steps of finer levels in it.
struct Prediction {
  std::vector<double> imbalance;  ///< [level] greatest work of a rank over the mean
  double synchronised = 0;  ///< the same for the whole step, where ranks wait for each other after each step of a level
  double messages = 0;      ///< that a rank receives, mean
  double bytes = 0;         ///< that a rank receives, mean
  double partners = 0;      ///< ranks from which a rank receives, mean
  int most_partners = 0;    ///< the same, greatest
  Index most_stored = 0;    ///< cells of all levels that a rank stores, greatest
  double seconds = 0;       ///< of the step
  double efficiency = 0;    ///< time of perfectly divided work without messages over `seconds`
};

/// What a step would take on a machine. A level with a finer one gets its halo twice: after its step, and after it has
/// got children and sums of fluxes. These come together, in one message from each rank.
/// @param traffic         of `traffic`
/// @param steps           [level] steps of a level in one of level 0
/// @param bytes_per_cell  of a message
/// @throws std::invalid_argument  unless there is a number of steps for each level, and the machine's numbers are
///                                positive
Prediction predict(std::vector<std::vector<RankTraffic>> const& traffic, std::vector<Index> const& steps,
                   Index bytes_per_cell, Machine const& machine);

}  // namespace sparse::distributed
