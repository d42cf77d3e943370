#pragma once
/// What the ranks of a simulation agree on.

#include <bit>
#include <concepts>
#include <cstdint>
#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/hierarchy/reach.hpp>
#include <sparse/amr/sweep/wave_rate.hpp>
#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>

namespace sparse::amr {

/// What a rank knows of the levels of all ranks: which cells there are, and who owns what. Each rank knows this whole,
/// since sets are small beside states. All other sets are made near the part of the rank alone.
template <int Dim>
struct Share {
  std::vector<LevelSets<Dim>> all;  ///< [level] of all ranks: `cells` and `covered`; the other sets are left out
  distributed::Partition<Dim> partition;
  Reach<Dim> reach;  ///< of this rank
  /// [level] the sets of `all`, as far as the storage of this rank reaches and a little farther. Farther away they lack
  /// cells, so sets that depend on their surroundings are wrong at their rim.
  std::vector<LevelSets<Dim>> near;

  /// The greatest work of a rank over the mean work, for levels with at least `least_work` cells per rank; the greatest
  /// of all levels, and at least 1. Work is cells that a step computes. Collective. Cost: `Partition::part` of these.
  double imbalance(distributed::Team& team, Index least_work) const;
};

/// The share of a rank in levels with these cells. What stays as it is in `before` keeps its identity.
template <int Dim>
Share<Dim> with_cells(Domain<Dim> const& domain, Share<Dim> const& before, std::vector<IntervalSet<Dim>> const& cells);

/// The same, cut anew. Levels that are not there are cut into equal volumes. Cost: the sets of whole levels.
/// @throws std::invalid_argument  if an option is out of range
template <int Dim>
Share<Dim> cut_anew(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells,
                    distributed::Team const& team, distributed::PartitionOptions const& options);

/// Whether the cells of a level that a step restricts are those before. They depend on what all coarser levels read.
template <int Dim>
bool restricts_as_before(Share<Dim> const& before, Share<Dim> const& after, int level);

/// Whether each rank keeps its part of a level, with the sets that it has, when levels change: the cells of the level
/// and of the next finer one stay, with what covers them and who owns them. Levels coarser than `base` always stay.
template <int Dim>
bool keeps_parts(Share<Dim> const& before, Share<Dim> const& after, int level, int base);

/// The union of what all ranks have. Collective. Cost: a message to each rank.
template <int Dim>
IntervalSet<Dim> united(distributed::Team& team, IntervalSet<Dim> const& of_rank);

/// The greatest rate of all ranks; not finite if one of them is not. Collective. Without a team the rate itself.
template <std::floating_point T>
T agreed(distributed::Team* team, T rate) {
  if (team == nullptr) return rate;
  using Bits = OrderedBits<T>;
  std::vector<std::uint64_t> bits{static_cast<std::uint64_t>(std::bit_cast<Bits>(rate))};
  team->maximise(bits);
  return std::bit_cast<T>(static_cast<Bits>(bits[0]));
}

/// Whether all ranks say so. Collective. Without a team what this one says.
inline bool agreed(distributed::Team* team, bool holds) { return team == nullptr ? holds : team->all(holds); }

}  // namespace sparse::amr
