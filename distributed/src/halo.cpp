#include <sparse/distributed/halo.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <sparse/base/error.hpp>
#include <sparse/distributed/set_bytes.hpp>
#include <sparse/fields/transfer.hpp>
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
  auto const copy_plan = [&](IntervalSet<Dim> const& cells, IntervalSet<Dim> const& target,
                             IntervalSet<Dim> const& source, Vec<Coord, Dim> const& offset) -> CopyPlan<Dim> {
    try {
      return {cells, target, source, offset};
    } catch (std::invalid_argument const&) {  // one of them lacks a cell
      is_right = false;
      return {};
    }
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto const& [halo, level, owned, stored, wanted] = requests[i];
    *halo = {};
    halo->context_ = stored.is_empty() ? owned.context() : stored.context();
    halo->sends_.resize(ranks);
    halo->receives_.resize(ranks);
    // What has the same offset goes together, whoever holds it.
    std::vector<std::pair<Vec<Coord, Dim>, std::vector<IntervalSet<Dim>>>> by_offset;
    for (Wanted<Dim> const& one : wanted) {
      if (one.cells.is_empty()) continue;
      auto same = std::find_if(by_offset.begin(), by_offset.end(),
                               [&](auto const& found) { return found.first == one.offset; });
      if (same == by_offset.end()) same = by_offset.insert(same, {one.offset, std::vector<IntervalSet<Dim>>(ranks)});
      auto const of_holders = partition.split(level, shift(one.cells, one.offset + one.holder));
      for (std::size_t r = 0; r < ranks; ++r) same->second[r] |= shift(of_holders[r], Vec<Coord, Dim>{} - one.holder);
    }
    for (auto const& [offset, parts] : by_offset) {
      for (std::size_t r = 0; r < ranks; ++r) {
        if (parts[r].is_empty()) continue;
        auto const here = shift(parts[r], Vec<Coord, Dim>{} - offset);
        if (r == self) {
          halo->own_.push_back(copy_plan(here, stored, owned, offset));
          continue;
        }
        // Messages have the coordinates of the owner.
        halo->receives_[r].parts.push_back({parts[r], copy_plan(here, stored, parts[r], offset)});
        append_number(messages[r], i);
        append(messages[r], parts[r]);
      }
    }
  }
  auto const orders = team.trade(messages);
  for (std::size_t r = 0; r < ranks; ++r)
    for (std::size_t position = 0; position < orders[r].size();) {
      auto const& request = requests[take_number(orders[r], position)];
      auto const cells = take_set<Dim>(orders[r], position, request.halo->context_);
      request.halo->sends_[r].parts.push_back({cells, copy_plan(cells, cells, request.owned, {})});
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
  for (auto const& part : parts) count += part.cell_count();
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

template <int Dim>
IntervalSet<Dim> Halo<Dim>::sent_cells() const {
  std::vector<IntervalSet<Dim>> cells;
  for (auto const& message : sends_)
    for (auto const& part : message.parts) cells.push_back(part.cells);
  return unite(cells);
}

/// Visits the messages of several halos: by rank, and to one rank by halo.
template <int Dim>
template <class T, class Take>
void Halo<Dim>::for_each_message(std::vector<Filling<T>> const& fillings, std::vector<Message> Halo::*list,
                                 Take const& take) {
  std::vector<std::size_t> next(fillings.size());
  for (;;) {
    int const none = std::numeric_limits<int>::max();
    int rank = none;
    for (std::size_t i = 0; i < fillings.size(); ++i)
      if (auto const& messages = fillings[i].halo->*list; next[i] < messages.size())
        rank = std::min(rank, messages[next[i]].rank);
    if (rank == none) return;
    for (std::size_t i = 0; i < fillings.size(); ++i)
      if (auto const& messages = fillings[i].halo->*list; next[i] < messages.size() && messages[next[i]].rank == rank)
        take(fillings[i], messages[next[i]++]);
  }
}

template <int Dim>
template <class T>
void Halo<Dim>::fill(Team& team, FieldView<T> target, FieldView<T const> source, int component_count) const {
  auto begun = begin<T>(team, {{this, target, source}}, component_count);
  finish<T>(begun);
}

template <int Dim>
template <class T>
auto Halo<Dim>::begin(Team& team, std::vector<Filling<T>> const& fillings, int component_count) -> Begun<T> {
  Begun<T> begun{fillings, component_count, {}, {}, {}};
  if (fillings.empty()) return begun;
  // One piece of memory for all messages, by rank and then by halo. In a message parts follow each other, and in a part
  // its components. What is sent is the host's: it can outlive the arena and Kokkos.
  Context const& context = fillings[0].halo->context_;
  Index sent_count = 0, received_count = 0;
  for (auto const& filling : fillings) {
    sent_count += cells_in(filling.halo->sends_) * component_count;
    received_count += cells_in(filling.halo->receives_) * component_count;
  }
  std::shared_ptr<T[]> const sent(new T[static_cast<std::size_t>(sent_count)]);
  begun.room = Buffer<T>(context, received_count);
  Buffer<T> packed;
  if constexpr (!is_host_backend) packed = Buffer<T>(context, sent_count);
  T* const places = is_host_backend ? sent.get() : packed.data();
  std::vector<Outgoing> outgoing;
  Index position = 0;
  for_each_message(fillings, &Halo::sends_, [&](Filling<T> const& filling, Message const& message) {
    if (outgoing.empty() || outgoing.back().to != message.rank)
      outgoing.push_back({message.rank, sent.get() + position, 0});
    for (auto const& part : message.parts) {
      copy<T, Dim>({places + position, part.cell_count()}, part.copy, filling.source, component_count);
      position += part.cell_count() * component_count;
    }
    outgoing.back().size += static_cast<std::size_t>(message.cell_count() * component_count) * sizeof(T);
  });
  if constexpr (!is_host_backend) {
    sparse::detail::copy_bytes_to_host(context, sent.get(), packed.data(),
                                       static_cast<std::size_t>(sent_count) * sizeof(T));
    begun.host_room.resize(static_cast<std::size_t>(received_count));
  }
  context.fence();
  T* to = is_host_backend ? begun.room.data() : begun.host_room.data();
  std::vector<Incoming> incoming;
  for_each_message(fillings, &Halo::receives_, [&](Filling<T> const&, Message const& message) {
    if (incoming.empty() || incoming.back().from != message.rank) incoming.push_back({message.rank, to, 0});
    Index const count = message.cell_count() * component_count;
    incoming.back().size += static_cast<std::size_t>(count) * sizeof(T);
    to += count;
  });
  begun.arrivals = team.post(incoming, outgoing, sent);
  return begun;
}

template <int Dim>
template <class T>
void Halo<Dim>::finish(Begun<T>& begun) {
  if (begun.fillings.empty()) return;
  for (auto const& [halo, target, source] : begun.fillings)
    for (auto const& plan : halo->own_) copy<T, Dim>(target, plan, source, begun.component_count);
  begun.arrivals->wait();
  if constexpr (!is_host_backend) begun.room = to_device(begun.fillings[0].halo->context_, begun.host_room);
  T* place = begun.room.data();
  for_each_message(begun.fillings, &Halo::receives_, [&](Filling<T> const& filling, Message const& message) {
    for (auto const& part : message.parts) {
      copy<T, Dim>(filling.target, part.copy, FieldView<T const>{place, part.cell_count()}, begun.component_count);
      place += part.cell_count() * begun.component_count;
    }
  });
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template void Halo<Dim>::fill(Team&, FieldView<T>, FieldView<T const>, int) const;                                   \
  template Halo<Dim>::Begun<T> Halo<Dim>::begin(Team&, std::vector<Filling<T>> const&, int);                           \
  template void Halo<Dim>::finish(Begun<T>&);
#define SPARSE_INSTANTIATE_ALL(Dim)                                                                                    \
  template class Halo<Dim>;                                                                                            \
  SPARSE_INSTANTIATE(float, Dim)                                                                                       \
  SPARSE_INSTANTIATE(double, Dim)                                                                                      \
  SPARSE_INSTANTIATE(std::int32_t, Dim)                                                                                \
  SPARSE_INSTANTIATE(std::int64_t, Dim)
SPARSE_INSTANTIATE_ALL(2)
SPARSE_INSTANTIATE_ALL(3)

}  // namespace sparse::distributed
