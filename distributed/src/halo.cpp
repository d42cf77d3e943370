#include <sparse/distributed/halo.hpp>

#include <sparse/base/error.hpp>
#include <sparse/distributed/set_bytes.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::distributed {

template <int Dim>
Halo<Dim>::Halo(Team& team, Partition<Dim> const& partition, int level, IntervalSet<Dim> const& owned,
                IntervalSet<Dim> const& stored, std::vector<Wanted<Dim>> const& wanted)
    : context_(stored.is_empty() ? owned.context() : stored.context()) {
  expects(partition.rank_count() == team.size(), "halo: the partition is one for another number of ranks");
  auto const ranks = static_cast<std::size_t>(team.size()), self = static_cast<std::size_t>(team.rank());
  std::vector<Bytes> requests(ranks);
  std::vector<Message> receives(ranks), sends(ranks);
  bool is_right = true;
  for (auto const& [cells, offset, holder] : wanted) {
    if (cells.is_empty()) continue;
    is_right = is_right && (cells - stored).is_empty();
    if (!is_right) break;
    auto parts = partition.split(level, shift(cells, offset + holder));
    for (std::size_t r = 0; r < ranks; ++r) {
      if (parts[r].is_empty()) continue;
      parts[r] = shift(parts[r], Vec<Coord, Dim>{} - holder);
      auto const here = shift(parts[r], Vec<Coord, Dim>{} - offset);
      if (r == self) {
        is_right = is_right && (parts[r] - owned).is_empty();
        if (is_right) own_.push_back(CopyPlan<Dim>(here, stored, owned, offset));
        continue;
      }
      // Messages have the coordinates of the owner.
      receives[r].parts.push_back({here.cell_count(), CopyPlan<Dim>(here, stored, parts[r], offset)});
      append(requests[r], parts[r]);
    }
  }
  auto const orders = team.trade(requests);
  for (std::size_t r = 0; r < ranks; ++r)
    for (std::size_t position = 0; position < orders[r].size();) {
      auto const cells = take_set<Dim>(orders[r], position, context_);
      is_right = is_right && (cells - owned).is_empty();
      if (is_right) sends[r].parts.push_back({cells.cell_count(), CopyPlan<Dim>(cells, cells, owned)});
    }
  // All ranks refuse together, else the others would wait for messages.
  expects(team.all(is_right), "halo: a wanted cell is not stored, or its owner does not have it");
  for (std::size_t r = 0; r < ranks; ++r) {
    receives[r].rank = sends[r].rank = static_cast<int>(r);
    if (!receives[r].parts.empty()) receives_.push_back(std::move(receives[r]));
    if (!sends[r].parts.empty()) sends_.push_back(std::move(sends[r]));
  }
}

template <int Dim>
Index Halo<Dim>::Message::cell_count() const {
  Index count = 0;
  for (auto const& part : parts) count += part.cell_count;
  return count;
}

template <int Dim>
Index Halo<Dim>::cells_in(std::vector<Message> const& messages) {
  Index count = 0;
  for (auto const& message : messages) count += message.cell_count();
  return count;
}

template <int Dim>
Index Halo<Dim>::sent_cell_count() const {
  return cells_in(sends_);
}

template <int Dim>
Index Halo<Dim>::received_cell_count() const {
  return cells_in(receives_);
}

template class Halo<2>;
template class Halo<3>;

}  // namespace sparse::distributed
