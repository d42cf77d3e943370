#pragma once
/// What ranks tell each other of sets.

#include <vector>

#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>

namespace sparse::distributed {

/// The places about which each rank wants to know, and who owns them. Each owner knows whether cells there belong to a
/// set, and tells the ranks that want to know.
template <int Dim>
class SetHalo {
public:
  SetHalo() = default;
  /// Collective. Cost: `Partition::split` of the wanted cells, and a message to each owner.
  /// @param wanted  [level] cells about which this rank wants to know
  /// @throws std::invalid_argument  if the partition is one for another number of ranks
  SetHalo(Team& team, Partition<Dim> const& partition, std::vector<IntervalSet<Dim>> const& wanted);

  /// The set of all ranks among the wanted cells, and the whole part of this rank. Collective.
  /// Cost: set algebra, and a message to each rank that wants to know of cells of this one.
  /// @param own  the cells of the set that this rank owns
  IntervalSet<Dim> fill(Team& team, int level, IntervalSet<Dim> const& own) const {
    return fill(team, level, std::vector<IntervalSet<Dim>>{own})[0];
  }
  /// The same for several levels with one message to each rank.
  /// @param own  [level - first]
  std::vector<IntervalSet<Dim>> fill(Team& team, int first, std::vector<IntervalSet<Dim>> const& own) const;

private:
  struct Place {
    int rank;
    IntervalSet<Dim> cells;  // that this rank owns, and the other one wants to know about
  };
  std::vector<std::vector<Place>> told_;  // [level]
};

}  // namespace sparse::distributed
