#include <sparse/distributed/halo.hpp>

#include <sparse/base/error.hpp>
#include <sparse/distributed/set_bytes.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::distributed {

template <int Dim>
Halo<Dim>::Halo(Team& team, Partition<Dim> const& partition, int level, IntervalSet<Dim> const& owned,
                IntervalSet<Dim> const& stored, std::vector<Wanted<Dim>> const& wanted) {
  make(team, partition, {{this, level, owned, stored, wanted}});
}

template <int Dim>
void Halo<Dim>::make(Team& team, Partition<Dim> const& partition, std::vector<Request> const& requests) {
  if (requests.empty()) return;
  expects(partition.rank_count() == team.size(), "halo: the partition is one for another number of ranks");
  auto const ranks = static_cast<std::size_t>(team.size()), self = static_cast<std::size_t>(team.rank());
  std::vector<Bytes> messages(ranks);
  bool is_right = true;
  for (std::size_t i = 0; i < requests.size() && is_right; ++i) {
    auto const& [halo, level, owned, stored, wanted] = requests[i];
    *halo = {};
    halo->context_ = stored.is_empty() ? owned.context() : stored.context();
    halo->sends_.resize(ranks);
    halo->receives_.resize(ranks);
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
          if (is_right) halo->own_.push_back(CopyPlan<Dim>(here, stored, owned, offset));
          continue;
        }
        // Messages have the coordinates of the owner.
        halo->receives_[r].parts.push_back({here.cell_count(), CopyPlan<Dim>(here, stored, parts[r], offset)});
        append_number(messages[r], i);
        append(messages[r], parts[r]);
      }
    }
  }
  auto const orders = team.trade(messages);
  for (std::size_t r = 0; r < ranks && is_right; ++r)
    for (std::size_t position = 0; position < orders[r].size() && is_right;) {
      auto const& request = requests[take_number(orders[r], position)];
      auto const cells = take_set<Dim>(orders[r], position, request.halo->context_);
      is_right = (cells - request.owned).is_empty();
      if (is_right)
        request.halo->sends_[r].parts.push_back({cells.cell_count(), CopyPlan<Dim>(cells, cells, request.owned)});
    }
  // All ranks refuse together, else the others would wait for messages.
  expects(team.all(is_right), "halo: a wanted cell is not stored, or its owner does not have it");
  for (auto const& request : requests)
    for (auto* const list : {&request.halo->sends_, &request.halo->receives_}) {
      for (std::size_t r = 0; r < ranks; ++r) (*list)[r].rank = static_cast<int>(r);
      std::erase_if(*list, [](Message const& message) { return message.parts.empty(); });
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
