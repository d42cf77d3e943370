#include <sparse/amr/hierarchy/share.hpp>

#include <algorithm>

#include <sparse/distributed/set_bytes.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

/// Numbers the levels, and counts what all ranks have of them.
/// @param before  what the rank owns of levels that stay is as it is there
template <int Dim>
void complete(Share<Dim>& share, std::vector<bool> const& stays, Share<Dim> const& before, distributed::Team& team,
              Index least_work) {
  std::size_t const count = share.near.size();
  std::vector<std::int64_t> sums;
  std::vector<std::uint64_t> most;
  for (std::size_t l = 0; l < count; ++l) {
    share.versions.push_back(stays[l] ? before.versions[l] : share.next_version++);
    int const level = static_cast<int>(l);
    LevelSets<Dim> const& sets = share.near[l];
    auto const part = [&](IntervalSet<Dim> const& set) { return share.reach.own(level, set); };
    bool const is_known = stays[l] && has_same_cells(sets, before.near[l]);
    share.own.push_back(is_known ? before.own[l] : OwnSets<Dim>(sets, part));
    most.push_back(static_cast<std::uint64_t>(share.own[l].update.cell_count()));
    sums.push_back(share.own[l].update.cell_count());
    sums.push_back(share.own[l].leaves.cell_count());
  }
  team.add(sums);
  team.maximise(most);
  for (std::size_t l = 0; l < count; ++l) {
    share.leaf_counts.push_back(sums[2 * l + 1]);
    if (sums[2 * l] >= least_work * team.size())
      share.imbalance =
          std::max(share.imbalance, static_cast<double>(most[l]) * team.size() / static_cast<double>(sums[2 * l]));
  }
}

/// What a rank knows of levels that are known whole.
template <int Dim>
std::vector<LevelSets<Dim>> parts_around(Reach<Dim> const& reach, std::vector<LevelSets<Dim>> const& whole) {
  std::vector<LevelSets<Dim>> parts(whole.size());
  for (std::size_t l = 0; l < whole.size(); ++l) {
    parts[l].cells = reach.around(static_cast<int>(l), whole[l].cells);
    parts[l].covered = reach.around(static_cast<int>(l), whole[l].covered);
  }
  return parts;
}

}  // namespace

template <int Dim>
Share<Dim> with_cells(Domain<Dim> const& domain, Share<Dim> const& before, AdaptedLevels<Dim> const& levels,
                      distributed::Team& team, Index least_work) {
  Share<Dim> share;
  share.partition = before.partition;
  share.reach = before.reach;
  share.halo = before.halo;
  share.next_version = before.next_version;
  std::size_t const count = levels.cells.size();
  std::vector<LevelSets<Dim>> near(count);
  for (std::size_t l = 0; l < count; ++l) {
    // What stays keeps its identity, so that the sets that follow from it are made once.
    bool const has_finer = l + 1 < count, had_finer = l + 1 < before.near.size();
    near[l].cells = levels.stays[l] ? before.near[l].cells : share.reach.around(static_cast<int>(l), levels.cells[l]);
    if (!has_finer) continue;
    near[l].covered = had_finer && levels.stays[l + 1]
                          ? before.near[l].covered
                          : share.reach.around(static_cast<int>(l), coarsen(levels.cells[l + 1]));
  }
  share.near = completed(domain, near, before.near, false);
  complete(share, levels.stays, before, team, least_work);
  return share;
}

template <int Dim>
Share<Dim> cut_anew(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells, distributed::Team& team,
                    distributed::PartitionOptions const& options, Coord margin, Index next_version) {
  auto const whole = completed<Dim>(domain, with_covered(cells, {}), {}, false);
  std::vector<IntervalSet<Dim>> work;
  for (auto const& level : whole) work.push_back(level.update);
  work.resize(static_cast<std::size_t>(domain.level_count()));
  Share<Dim> share;
  share.partition = distributed::Partition<Dim>(team.size(), domain.box(0), work, options);
  share.reach = Reach<Dim>(domain, share.partition, team.rank(), margin);
  std::vector<IntervalSet<Dim>> around;
  for (int l = 0; l < domain.level_count(); ++l) around.push_back(share.reach.around(l));
  share.halo = distributed::SetHalo<Dim>(team, share.partition, around);
  share.near = completed(domain, parts_around(share.reach, whole), {}, false);
  share.next_version = next_version;
  complete(share, std::vector<bool>(cells.size(), false), Share<Dim>(), team, options.least_work);
  return share;
}

template <int Dim>
bool has_same_cells(Share<Dim> const& before, Share<Dim> const& after, int level) {
  auto const l = static_cast<std::size_t>(level);
  auto const version = [](Share<Dim> const& share, std::size_t of) {
    return of < share.versions.size() ? share.versions[of] : Index{-1};
  };
  return version(before, l) == version(after, l) && version(before, l + 1) == version(after, l + 1);
}

template <int Dim>
bool restricts_as_before(Share<Dim> const& before, Share<Dim> const& after, int level) {
  if (!has_same_cells(before, after, level)) return false;
  if (level + 1 == static_cast<int>(after.near.size())) return true;  // no cell has children
  return level == 0 || restricts_as_before(before, after, level - 1);
}

template <int Dim>
bool keeps_parts(Share<Dim> const& before, Share<Dim> const& after, int level, int base) {
  if (level < base) return true;
  int const was_count = static_cast<int>(before.near.size()), count = static_cast<int>(after.near.size());
  if (level >= was_count || level >= count) return level >= was_count && level >= count;
  return restricts_as_before(before, after, level) && before.partition == after.partition;
}

template <int Dim>
IntervalSet<Dim> united(distributed::Team& team, IntervalSet<Dim> const& of_rank) {
  distributed::Bytes bytes;
  distributed::append(bytes, of_rank);
  auto const messages = team.trade(std::vector<distributed::Bytes>(static_cast<std::size_t>(team.size()), bytes));
  std::vector<IntervalSet<Dim>> sets;
  for (auto const& message : messages) {
    std::size_t position = 0;
    sets.push_back(distributed::take_set<Dim>(message, position, of_rank.context()));
  }
  return unite(sets);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template struct Share<Dim>;                                                                                          \
  template Share<Dim> with_cells(Domain<Dim> const&, Share<Dim> const&, AdaptedLevels<Dim> const&, distributed::Team&, \
                                 Index);                                                                               \
  template Share<Dim> cut_anew(Domain<Dim> const&, std::vector<IntervalSet<Dim>> const&, distributed::Team&,           \
                               distributed::PartitionOptions const&, Coord, Index);                                    \
  template bool has_same_cells(Share<Dim> const&, Share<Dim> const&, int);                                             \
  template bool restricts_as_before(Share<Dim> const&, Share<Dim> const&, int);                                        \
  template bool keeps_parts(Share<Dim> const&, Share<Dim> const&, int, int);                                           \
  template IntervalSet<Dim> united(distributed::Team&, IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
