#include <sparse/amr/hierarchy/share.hpp>

#include <algorithm>

#include <sparse/distributed/set_bytes.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

namespace {

/// The sets of levels near a rank.
/// @param before  nullptr, or the same with the same owners
template <int Dim>
std::vector<LevelSets<Dim>> sets_near(Domain<Dim> const& domain, Reach<Dim> const& reach,
                                      std::vector<LevelSets<Dim>> const& all, Share<Dim> const* before) {
  std::vector<LevelSets<Dim>> near(all.size());
  for (std::size_t l = 0; l < all.size(); ++l) {
    // What stays keeps its identity, so that the sets that follow from it are made once.
    auto const part = [&](IntervalSet<Dim> LevelSets<Dim>::*of) {
      bool const stays =
          before != nullptr && l < before->all.size() && (before->all[l].*of).identity() == (all[l].*of).identity();
      return stays ? before->near[l].*of : reach.around(static_cast<int>(l), all[l].*of);
    };
    near[l].cells = part(&LevelSets<Dim>::cells);
    near[l].covered = part(&LevelSets<Dim>::covered);
  }
  return completed(domain, near, before == nullptr ? std::vector<LevelSets<Dim>>() : before->near);
}

}  // namespace

template <int Dim>
double Share<Dim>::imbalance(distributed::Team& team, Index least_work) const {
  std::vector<std::int64_t> sums;
  std::vector<std::uint64_t> most;
  for (std::size_t l = 0; l < near.size(); ++l) {
    Index const count = partition.part(static_cast<int>(l), near[l].update, team.rank()).cell_count();
    sums.push_back(count);
    most.push_back(static_cast<std::uint64_t>(count));
  }
  team.add(sums);
  team.maximise(most);
  double worst = 1;
  for (std::size_t l = 0; l < near.size(); ++l)
    if (sums[l] >= least_work * team.size())
      worst = std::max(worst, static_cast<double>(most[l]) * team.size() / static_cast<double>(sums[l]));
  return worst;
}

template <int Dim>
Share<Dim> with_cells(Domain<Dim> const& domain, Share<Dim> const& before, std::vector<IntervalSet<Dim>> const& cells) {
  auto const all = with_covered(cells, before.all);
  return {all, before.partition, before.reach, sets_near(domain, before.reach, all, &before)};
}

template <int Dim>
Share<Dim> cut_anew(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells,
                    distributed::Team const& team, distributed::PartitionOptions const& options) {
  std::vector<IntervalSet<Dim>> work;
  for (auto const& level : level_sets(domain, cells)) work.push_back(level.update);
  work.resize(static_cast<std::size_t>(domain.level_count()));
  distributed::Partition<Dim> const partition(team.size(), domain.box(0), work, options);
  auto const all = with_covered(cells, {});
  Reach<Dim> const reach(domain, partition, team.rank());
  return {all, partition, reach, sets_near<Dim>(domain, reach, all, nullptr)};
}

template <int Dim>
bool restricts_as_before(Share<Dim> const& before, Share<Dim> const& after, int level) {
  for (int l = level; l >= 0; --l) {
    if (!has_same_cells(before.all[l], after.all[l])) return false;
    if (after.all[l].covered.is_empty()) return true;
  }
  return true;
}

template <int Dim>
bool keeps_parts(Share<Dim> const& before, Share<Dim> const& after, int level, int base) {
  if (level < base) return true;
  int const was_count = static_cast<int>(before.all.size()), count = static_cast<int>(after.all.size());
  auto const stays = [&](int l) {  // also true where there is no such level before and after
    if (l >= was_count || l >= count) return l >= was_count && l >= count;
    return has_same_cells(before.all[l], after.all[l]) && restricts_as_before(before, after, l);
  };
  return stays(level) && stays(level + 1) && before.partition == after.partition;
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
  template Share<Dim> with_cells(Domain<Dim> const&, Share<Dim> const&, std::vector<IntervalSet<Dim>> const&);         \
  template Share<Dim> cut_anew(Domain<Dim> const&, std::vector<IntervalSet<Dim>> const&, distributed::Team const&,     \
                               distributed::PartitionOptions const&);                                                  \
  template bool restricts_as_before(Share<Dim> const&, Share<Dim> const&, int);                                        \
  template bool keeps_parts(Share<Dim> const&, Share<Dim> const&, int, int);                                           \
  template IntervalSet<Dim> united(distributed::Team&, IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
