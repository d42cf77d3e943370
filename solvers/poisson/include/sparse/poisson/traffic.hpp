#pragma once
/// What ranks that share a Poisson problem would compute and send, without sending anything.

#include <vector>

#include <sparse/distributed/traffic.hpp>
#include <sparse/poisson/method.hpp>
#include <sparse/poisson/problem.hpp>

namespace sparse::poisson {

/// A level of the multigrid, as ranks share it.
struct LevelTraffic {
  Index cell_count = 0;    ///< of all ranks
  Coord unit_edge = 0;     ///< of the partition, in cells of the level
  bool is_shared = false;  ///< else each rank computes all of its cells
  /// How often ranks get the values below: in a cycle and, of the finest level, before a solution.
  int exchange_count = 0, exchanges_before = 0;
  /// [rank] `work` and `stored` are the cells of its window. The right-hand sides of a level that is not shared go from
  /// each rank to all others, by `Team::gather_all`.
  std::vector<distributed::RankTraffic> ranks = {};
};

/// The levels that ranks share, and the first one that they do not share, for cycles of `MultigridCg` over so many
/// ranks. The problem's team does not matter and may be null. Coarse cells count as if no walls cut them into parts.
/// Cost: some set operations on a small part of each level for each rank.
/// @throws std::invalid_argument  if the number of ranks is not positive, the cycles are not valid V-cycles, or there
///                                are no cells
template <int Dim>
std::vector<LevelTraffic> cycle_traffic(Problem<Dim> const& problem, int rank_count, Multigrid const& options = {});

}  // namespace sparse::poisson
