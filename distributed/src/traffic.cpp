#include <sparse/distributed/traffic.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <sparse/base/error.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::distributed {
namespace {

template <int Dim>
IntervalSet<Dim> with_neighbours(IntervalSet<Dim> const& set, Coord steps) {
  return set.is_empty() ? set : expand(set, steps, Element::diamond);
}

/// Deliveries from the owners of cells.
std::vector<Delivery> deliveries(std::vector<OwnedCells> const& owners, std::size_t to) {
  std::vector<Delivery> result;
  for (auto const& [rank, count] : owners)
    if (rank != static_cast<int>(to)) result.push_back({rank, count});
  return result;
}

/// The sums of fluxes normal to an axis at these leaves, from the owners of the cells of the next finer level there.
template <int Dim>
std::vector<Delivery> sums_at(Partition<Dim> const& partition, int finer_level, IntervalSet<Dim> const& leaves,
                              IntervalSet<Dim> const& finer, int axis, std::size_t to) {
  std::map<int, Index> counts;
  IntervalSet<Dim> const fine_places = refine(leaves);
  for (Coord const side : {-1, 1})
    for (auto const& owned : partition.owners(finer_level, shift(fine_places, axis, side) & finer))
      counts[owned.rank] += owned.count;
  std::vector<OwnedCells> owners;
  for (auto const& [rank, count] : counts) owners.push_back({rank, count});
  return deliveries(owners, to);
}

}  // namespace

template <int Dim>
std::vector<IntervalSet<Dim>> computed_cells(std::vector<IntervalSet<Dim>> const& cells) {
  std::vector<IntervalSet<Dim>> computed = cells;
  for (std::size_t l = 0; l + 1 < cells.size(); ++l) {
    auto const covered = coarsen(cells[l + 1]);
    auto const leaves = cells[l] - covered;
    computed[l] = leaves | (covered & with_neighbours(leaves, 1));
  }
  return computed;
}

template <int Dim>
std::vector<std::vector<RankTraffic>> traffic(Partition<Dim> const& partition,
                                              std::vector<IntervalSet<Dim>> const& cells) {
  expects(static_cast<int>(cells.size()) == partition.level_count(), "traffic: the partition has other levels");
  auto const ranks = static_cast<std::size_t>(partition.rank_count());
  auto const computed = computed_cells(cells);
  std::vector<std::vector<RankTraffic>> result(cells.size(), std::vector<RankTraffic>(ranks));
  std::vector<IntervalSet<Dim>> restricted(cells.size());  // covered cells that take means
  for (std::size_t l = 0; l + 1 < cells.size(); ++l) {
    restricted[l] = with_neighbours(computed[l], 2);
    if (l > 0) restricted[l] |= refine(restricted[l - 1]);
    restricted[l] = restricted[l] & coarsen(cells[l + 1]);
  }
  std::vector<IntervalSet<Dim>> needed_by_finer(ranks), needed_here(ranks);
  // From the finest level on, because a level also delivers to the next finer one.
  for (std::size_t l = cells.size(); l-- > 0;) {
    int const level = static_cast<int>(l);
    auto const owned = partition.split(level, cells[l]);
    auto const work = partition.split(level, computed[l]);
    auto const parents = partition.split(level, restricted[l]);
    // Leaves beside covered cells.
    auto const covered = l + 1 < cells.size() ? coarsen(cells[l + 1]) : IntervalSet<Dim>();
    auto const beside = covered.is_empty() ? covered : (cells[l] & with_neighbours(covered, 1)) - covered;
    auto const leaves = partition.split(level, beside);
    for (std::size_t r = 0; r < ranks; ++r) {
      RankTraffic& of_rank = result[l][r];
      auto const near = with_neighbours(work[r], 2);
      auto const of_level = near & cells[l], other = near - of_level;
      auto const halo = (of_level | needed_by_finer[r]) - owned[r];
      of_rank.work = work[r].cell_count();
      of_rank.stored = (owned[r] | near | halo).cell_count();
      of_rank.halo = deliveries(partition.owners(level, halo), r);
      if (!parents[r].is_empty())
        of_rank.children = deliveries(partition.owners(level + 1, refine(parents[r]) & cells[l + 1]), r);
      for (int axis = 0; axis < Dim && !leaves[r].is_empty(); ++axis)
        for (auto const& delivery : sums_at(partition, level + 1, leaves[r], cells[l + 1], axis, r))
          of_rank.sums.push_back(delivery);
      needed_here[r] = l > 0 && !other.is_empty() ? with_neighbours(coarsen(other) & cells[l - 1], 1) & cells[l - 1]
                                                  : IntervalSet<Dim>();
    }
    std::swap(needed_here, needed_by_finer);
  }
  return result;
}

Prediction predict(std::vector<std::vector<RankTraffic>> const& traffic, std::vector<Index> const& steps,
                   Index bytes_per_cell, Machine const& machine) {
  expects(!traffic.empty() && traffic.size() == steps.size(),
          "predict: there must be a number of steps for each level");
  expects(machine.updates > 0 && machine.latency >= 0 && machine.bandwidth > 0, "predict: no such machine");
  std::size_t const ranks = traffic[0].size();
  Prediction result;
  double ideal = 0, all_work = 0, waited = 0;
  std::vector<std::set<int>> partners(ranks);
  std::vector<Index> stored(ranks);
  for (std::size_t l = 0; l < traffic.size(); ++l) {
    double total = 0, most = 0, slowest = 0;
    auto const times = static_cast<double>(steps[l]);
    for (std::size_t r = 0; r < ranks; ++r) {
      RankTraffic const& rank = traffic[l][r];
      // With a finer level the halo arrives twice.
      Index const halos = l + 1 < traffic.size() ? 2 : 1;
      Index received = 0, message_count = 0;
      auto const receive = [&](std::vector<std::vector<Delivery> const*> const& lists, Index times_sent) {
        std::set<int> senders;
        for (auto const* list : lists)
          for (auto const& delivery : *list) {
            received += times_sent * delivery.cell_count;
            senders.insert(delivery.from);
          }
        message_count += times_sent * static_cast<Index>(senders.size());
        partners[r].insert(senders.begin(), senders.end());
      };
      receive({&rank.halo}, halos);
      receive({&rank.children, &rank.sums}, 1);
      auto const work = static_cast<double>(rank.work), bytes = static_cast<double>(received * bytes_per_cell),
                 messages = static_cast<double>(message_count);
      total += work;
      most = std::max(most, work);
      slowest = std::max(slowest, work / machine.updates + messages * machine.latency + bytes / machine.bandwidth);
      result.messages += times * messages / static_cast<double>(ranks);
      result.bytes += times * bytes / static_cast<double>(ranks);
      stored[r] += rank.stored;
    }
    double const mean = total / static_cast<double>(ranks);
    result.imbalance.push_back(mean > 0 ? most / mean : 1);
    waited += times * most;
    all_work += times * mean;
    result.seconds += times * slowest;
    ideal += times * mean / machine.updates;
  }
  for (std::size_t r = 0; r < ranks; ++r) {
    auto const count = static_cast<int>(partners[r].size());
    result.partners += count / static_cast<double>(ranks);
    result.most_partners = std::max(result.most_partners, count);
    result.most_stored = std::max(result.most_stored, stored[r]);
  }
  result.synchronised = all_work > 0 ? waited / all_work : 1;
  result.efficiency = result.seconds > 0 ? ideal / result.seconds : 1;
  return result;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template std::vector<IntervalSet<Dim>> computed_cells(std::vector<IntervalSet<Dim>> const&);                         \
  template std::vector<std::vector<RankTraffic>> traffic(Partition<Dim> const&, std::vector<IntervalSet<Dim>> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::distributed
