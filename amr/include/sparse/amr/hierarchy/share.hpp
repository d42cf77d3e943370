#pragma once
/// What the ranks of a simulation agree on.

#include <bit>
#include <concepts>
#include <cstdint>
#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/amr/hierarchy/adapted_cells.hpp>
#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/amr/hierarchy/reach.hpp>
#include <sparse/amr/sweep/wave_rate.hpp>
#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/set_halo.hpp>
#include <sparse/distributed/team.hpp>

namespace sparse::amr {

/// What a rank knows of the levels of all ranks. No rank knows them whole.
template <int Dim>
struct Share {
  distributed::Partition<Dim> partition;
  Reach<Dim> reach;  ///< of this rank
  /// How owners tell this rank which cells there are near its own.
  distributed::SetHalo<Dim> halo;
  /// [level] the sets of all levels without their edges, as far as `reach.around`. Farther away they lack cells, so
  /// sets that depend on their surroundings are wrong at their rim.
  std::vector<LevelSets<Dim>> near;
  /// [level] numbers of the cells, the same on all ranks: other cells have another number.
  std::vector<Index> versions;
  Index next_version = 0;
  std::vector<OwnSets<Dim>> own;   ///< [level]
  std::vector<Index> leaf_counts;  ///< [level] of all ranks
  /// The greatest work of a rank over the mean work, for levels with enough cells per rank; the greatest of all levels,
  /// and at least 1. Work is cells that a step computes.
  double imbalance = 1;
};

/// The share of a rank in levels with these cells, which it knows near its own. Who owns what stays.
/// Collective.
template <int Dim>
Share<Dim> with_cells(Domain<Dim> const& domain, Share<Dim> const& before, AdaptedLevels<Dim> const& levels,
                      distributed::Team& team, Index least_work);

/// The share of a rank in levels with these cells, which all ranks know whole, cut anew. Collective.
/// Cost: the sets of whole levels.
/// @param margin        how far tags reach, in cells of their level
/// @param next_version  the number of the cells of the first level
/// @throws std::invalid_argument  if an option is out of range
template <int Dim>
Share<Dim> cut_anew(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells, distributed::Team& team,
                    distributed::PartitionOptions const& options, Coord margin, Index next_version);

/// How the ranks of a share agree on cells.
template <int Dim>
class OwnersAgree : public Agreement<Dim> {
public:
  /// Both must outlive the object.
  OwnersAgree(Share<Dim> const& share, distributed::Team& team) : share_(share), team_(team) {}
  IntervalSet<Dim> own(int level, IntervalSet<Dim> const& set) const override { return share_.reach.own(level, set); }
  IntervalSet<Dim> known(int level, IntervalSet<Dim> const& own) const override {
    return share_.halo.fill(team_, level, own);
  }
  /// The same for level `first` and finer ones, together.
  std::vector<IntervalSet<Dim>> known(int first, std::vector<IntervalSet<Dim>> const& own) const {
    return share_.halo.fill(team_, first, own);
  }
  void add(std::vector<std::int64_t>& counts) const override { team_.add(counts); }
  Index covered_count(int level) const override {
    return share_.own[static_cast<std::size_t>(level)].covered.cell_count();
  }

private:
  Share<Dim> const& share_;
  distributed::Team& team_;
};

/// Whether a level has the same cells, with the same children.
template <int Dim>
bool has_same_cells(Share<Dim> const& before, Share<Dim> const& after, int level);

/// Whether the cells of a level that a step restricts are those before. They depend on what all coarser levels read.
template <int Dim>
bool restricts_as_before(Share<Dim> const& before, Share<Dim> const& after, int level);

/// Whether each rank keeps its part of a level, with the sets that it has, when levels change: its cells stay, with
/// what covers them, what of them is restricted, and who owns them. The ghosts of the next finer level are those
/// before, too: nested levels have none near covered cells. Levels coarser than `base` always stay. Also true where
/// there is no such level before and after.
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
