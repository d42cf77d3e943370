#include <sparse/amr/hierarchy/share.hpp>

#include <algorithm>

#include <sparse/distributed/set_bytes.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

template <int Dim>
double Share<Dim>::imbalance(Index least_work) const {
  double worst = 1;
  for (std::size_t l = 0; l < all.size(); ++l) {
    Index const work = all[l].update.cell_count();
    if (work < least_work * partition.rank_count()) continue;
    for (auto const& owned : partition.owners(static_cast<int>(l), all[l].update))
      worst = std::max(worst, static_cast<double>(owned.count) * partition.rank_count() / static_cast<double>(work));
  }
  return worst;
}

template <int Dim>
Share<Dim> cut_anew(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> all, distributed::Team const& team,
                    distributed::PartitionOptions const& options) {
  std::vector<IntervalSet<Dim>> work;
  for (auto const& level : all) work.push_back(level.update);
  work.resize(static_cast<std::size_t>(domain.level_count()));
  distributed::Partition<Dim> const partition(team.size(), domain.box(0), work, options);
  return {std::move(all), partition, Reach<Dim>(domain, partition, team.rank())};
}

template <int Dim>
bool keeps_parts(Share<Dim> const& before, Share<Dim> const& after, int level, int base) {
  if (level < base) return true;
  int const was_count = static_cast<int>(before.all.size()), count = static_cast<int>(after.all.size());
  auto const stays = [&](int l) {  // also true where there is no such level before and after
    if (l >= was_count || l >= count) return l >= was_count && l >= count;
    return has_same_cells(before.all[l], after.all[l]) &&
           before.all[l].restricted.identity() == after.all[l].restricted.identity();
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
  template Share<Dim> cut_anew(Domain<Dim> const&, std::vector<LevelSets<Dim>>, distributed::Team const&,              \
                               distributed::PartitionOptions const&);                                                  \
  template bool keeps_parts(Share<Dim> const&, Share<Dim> const&, int, int);                                           \
  template IntervalSet<Dim> united(distributed::Team&, IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
