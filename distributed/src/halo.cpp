#include <sparse/distributed/halo.hpp>

#include <stdexcept>

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
    for (auto const& [cells, offset, holder] : wanted) {
      if (cells.is_empty()) continue;
      auto parts = partition.split(level, shift(cells, offset + holder));
      for (std::size_t r = 0; r < ranks; ++r) {
        if (parts[r].is_empty()) continue;
        parts[r] = shift(parts[r], Vec<Coord, Dim>{} - holder);
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

template <int Dim>
template <class T>
void Halo<Dim>::fill(Team& team, FieldView<T> target, FieldView<T const> source, int component_count) const {
  auto begun = begin<T>(team, source, component_count);
  finish<T>(begun, target, source, component_count);
}

template <int Dim>
template <class T>
auto Halo<Dim>::begin(Team& team, FieldView<T const> source, int component_count) const -> Begun<T> {
  // One piece of memory for all messages, by rank. In a message parts follow each other, and in a part its components.
  // What is sent is the host's: it can outlive the arena and Kokkos.
  Index const sent_count = cells_in(sends_) * component_count;
  std::shared_ptr<T[]> const sent(new T[static_cast<std::size_t>(sent_count)]);
  Buffer<T> packed;
  if constexpr (!is_host_backend) packed = Buffer<T>(context_, sent_count);
  Begun<T> begun;
  begun.room = Buffer<T>(context_, cells_in(receives_) * component_count);
  T* place = is_host_backend ? sent.get() : packed.data();
  for (auto const& message : sends_)
    for (auto const& part : message.parts) {
      copy<T, Dim>({place, part.cell_count()}, part.copy, source, component_count);
      place += part.cell_count() * component_count;
    }
  if constexpr (!is_host_backend) {
    sparse::detail::copy_bytes_to_host(context_, sent.get(), packed.data(),
                                       static_cast<std::size_t>(sent_count) * sizeof(T));
    begun.host_room.resize(static_cast<std::size_t>(begun.room.size()));
  }
  context_.fence();
  T const* from = sent.get();
  T* to = is_host_backend ? begun.room.data() : begun.host_room.data();
  std::vector<Incoming> incoming;
  std::vector<Outgoing> outgoing;
  for (auto const& message : receives_) {
    Index const count = message.cell_count() * component_count;
    incoming.push_back({message.rank, to, static_cast<std::size_t>(count) * sizeof(T)});
    to += count;
  }
  for (auto const& message : sends_) {
    Index const count = message.cell_count() * component_count;
    outgoing.push_back({message.rank, from, static_cast<std::size_t>(count) * sizeof(T)});
    from += count;
  }
  begun.arrivals = team.post(incoming, outgoing, sent);
  return begun;
}

template <int Dim>
template <class T>
void Halo<Dim>::finish(Begun<T>& begun, FieldView<T> target, FieldView<T const> source, int component_count) const {
  begun.arrivals->wait();
  if constexpr (!is_host_backend) begun.room = to_device(context_, begun.host_room);
  for (auto const& plan : own_) copy<T, Dim>(target, plan, source, component_count);
  T* place = begun.room.data();
  for (auto const& message : receives_)
    for (auto const& part : message.parts) {
      copy<T, Dim>(target, part.copy, FieldView<T const>{place, part.cell_count()}, component_count);
      place += part.cell_count() * component_count;
    }
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template void Halo<Dim>::fill(Team&, FieldView<T>, FieldView<T const>, int) const;                                   \
  template Halo<Dim>::Begun<T> Halo<Dim>::begin(Team&, FieldView<T const>, int) const;                                 \
  template void Halo<Dim>::finish(Begun<T>&, FieldView<T>, FieldView<T const>, int) const;
#define SPARSE_INSTANTIATE_ALL(Dim)                                                                                    \
  template class Halo<Dim>;                                                                                            \
  SPARSE_INSTANTIATE(float, Dim)                                                                                       \
  SPARSE_INSTANTIATE(double, Dim)                                                                                      \
  SPARSE_INSTANTIATE(std::int32_t, Dim)                                                                                \
  SPARSE_INSTANTIATE(std::int64_t, Dim)
SPARSE_INSTANTIATE_ALL(2)
SPARSE_INSTANTIATE_ALL(3)

}  // namespace sparse::distributed
