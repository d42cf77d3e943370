#include <sparse/distributed/gathering.hpp>

#include <numeric>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/fields/transfer.hpp>

namespace sparse::distributed {
namespace {

template <class T>
struct Take {
  T* all;
  T const* message;
  std::int32_t const* places;
  KOKKOS_FUNCTION void operator()(Index i) const { all[i] = message[places[i]]; }
};

}  // namespace

template <int Dim>
Gathering<Dim>::Gathering(Partition<Dim> const& partition, int rank, int level, IntervalSet<Dim> const& all,
                          IntervalSet<Dim> const& stored)
    : context_(all.context()), places_(context_, all.cell_count()) {
  constexpr Index most = (Index{1} << 30) / static_cast<Index>(sizeof(double));  // see Team::gather_all
  expects(all.cell_count() <= most, "gathering: there are more cells than a message can bring");
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(all.cell_count()));
  std::iota(numbers.begin(), numbers.end(), 0);
  auto const in_message = to_device(context_, numbers);
  Index first = 0;
  for (auto const& part : partition.split(level, all)) {
    if (static_cast<int>(counts_.size()) == rank) {
      first_ = first;
      own_ = CopyPlan<Dim>(part, part, stored);
    }
    counts_.push_back(part.cell_count());
    copy<std::int32_t, Dim>({places_.data(), places_.size()}, CopyPlan<Dim>(part, all, part),
                            {in_message.data() + first, part.cell_count()});
    first += part.cell_count();
  }
  context_.fence();  // before the numbers go
}

template <int Dim>
template <class T>
void Gathering<Dim>::fill(Team& team, T* all, T const* stored) const {
  Index const own_count = counts_[static_cast<std::size_t>(team.rank())];
  Buffer<T> message(context_, places_.size());
  T* const own = message.data() + first_;
  copy<T, Dim>({own, own_count}, own_, {stored, 0}, 1);
  std::vector<std::size_t> sizes;
  for (Index const count : counts_) sizes.push_back(static_cast<std::size_t>(count) * sizeof(T));
  if constexpr (is_host_backend) {
    context_.fence();
    team.gather_all(sizes, reinterpret_cast<std::byte*>(message.data()));
  } else {  // the host cannot reach the memory of fields
    auto values = to_host(context_, message.data(), message.size());
    team.gather_all(sizes, reinterpret_cast<std::byte*>(values.data()));
    message = to_device(context_, values);
  }
  parallel_for(context_, "sparse::distributed::gather", places_.size(), Take<T>{all, message.data(), places_.data()});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class Gathering<Dim>;                                                                                       \
  template void Gathering<Dim>::fill(Team&, float*, float const*) const;                                               \
  template void Gathering<Dim>::fill(Team&, double*, double const*) const;
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::distributed
