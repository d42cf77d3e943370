#include "part_graph.hpp"

#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {
namespace {

// ---- coarsening

/// A cell's parts.
struct FirstOfBlock {
  std::uint64_t const* place;
  int bits;
  KOKKOS_FUNCTION Count operator()(Index i) const {
    return {i == 0 || place[i] >> bits != place[i - 1] >> bits ? 1 : 0};
  }
};
struct FillBlocks {
  Index const* block;  // [part] blocks before it
  Index* first;        // [block + 1]
  Index count;
  KOKKOS_FUNCTION void operator()(Index i) const {
    if (block[i + 1] > block[i]) first[block[i]] = i;
    if (i + 1 == count) first[block[count]] = count;
  }
};

/// Labels connected parts of a block with the number of the first of them.
struct LabelBlock {
  Index const* first;
  Index const* starts;
  std::int32_t const* to;
  std::int32_t* label;

  KOKKOS_FUNCTION std::int32_t root(std::int32_t i) const {
    while (label[i] != i) i = label[i];
    return i;
  }
  KOKKOS_FUNCTION void operator()(Index block) const {
    auto const begin = static_cast<std::int32_t>(first[block]), end = static_cast<std::int32_t>(first[block + 1]);
    for (auto i = begin; i < end; ++i) {
      label[i] = i;
      for (Index e = starts[i]; e < starts[i + 1]; ++e) {
        if (to[e] < begin || to[e] >= i) continue;  // of another block, or still to come
        auto const a = root(i), b = root(to[e]);
        label[a < b ? b : a] = a < b ? a : b;
      }
    }
    for (auto i = begin; i < end; ++i) label[i] = root(i);
  }
};

/// Marks parts that are coupled to something, and those that are the first of their label.
struct IsCoupled {
  Index const* starts;
  KOKKOS_FUNCTION Count operator()(Index i) const { return {starts[i + 1] > starts[i] ? 1 : 0}; }
};
struct IsFirst {
  Index const* starts;
  std::int32_t const* label;
  KOKKOS_FUNCTION Count operator()(Index i) const { return {label[i] == i && starts[i + 1] > starts[i] ? 1 : 0}; }
};

struct ListChildren {
  Index const *first, *starts;
  std::int32_t const* label;
  Index const *coupled, *numbers;  // [part] coupled ones, and first ones, before it
  std::int32_t* parent;
  Index* child_starts;
  std::int32_t* child;
  Index count;
  KOKKOS_FUNCTION void operator()(Index block) const {
    Index const begin = first[block], end = first[block + 1];
    if (end == count) child_starts[numbers[end]] = coupled[end];
    Index next = coupled[begin];
    for (Index i = begin; i < end; ++i) {
      if (starts[i + 1] == starts[i]) parent[i] = -1;
      if (numbers[i + 1] == numbers[i]) continue;
      child_starts[numbers[i]] = next;
      for (Index k = i; k < end; ++k) {
        if (label[k] != i) continue;
        parent[k] = static_cast<std::int32_t>(numbers[i]);
        child[next++] = static_cast<std::int32_t>(k);
      }
    }
  }
};

template <class T, int Dim>
struct GatherParts {
  Index const* child_starts;
  std::int32_t const* child;
  std::uint64_t const* fine_place;
  Aggregate<T, Dim> const* fine;
  std::uint64_t* place;
  Aggregate<T, Dim>* aggregates;
  KOKKOS_FUNCTION void operator()(Index i) const {
    Gather<T, Dim> gather;
    for (Index k = child_starts[i]; k < child_starts[i + 1]; ++k)
      gather.add(static_cast<unsigned>(fine_place[child[k]]) & ((1u << Dim) - 1), fine[child[k]]);
    aggregates[i] = gather.result();
    place[i] = fine_place[child[child_starts[i]]] >> Dim;
  }
};

/// An upper bound of a part's entries: those of its children.
struct MostEntries {
  Index const *child_starts, *fine_starts;
  std::int32_t const* child;
  KOKKOS_FUNCTION Count operator()(Index i) const {
    Index count = 0;
    for (Index k = child_starts[i]; k < child_starts[i + 1]; ++k)
      count += fine_starts[child[k] + 1] - fine_starts[child[k]];
    return {count};
  }
};

/// Adds up the fluxes from a part to each other one and counts these.
template <class T, int Dim>
struct AddFluxes {
  Index const *child_starts, *fine_starts;
  std::int32_t const *child, *parent, *fine_to;
  T const* fine_flux;
  std::uint8_t const* fine_arm;
  Index const* room;
  std::int32_t* to;
  T* flux;
  std::uint8_t* arm;
  KOKKOS_FUNCTION Count operator()(Index i) const {
    Index const begin = room[i];
    Index end = begin;
    for (Index k = child_starts[i]; k < child_starts[i + 1]; ++k)
      for (Index e = fine_starts[child[k]]; e < fine_starts[child[k] + 1]; ++e) {
        std::int32_t const other = parent[fine_to[e]];
        if (other == i) continue;
        Index at = begin;
        while (at < end && (to[at] != other || arm[at] != fine_arm[e])) ++at;
        if (at == end) {
          to[end] = other;
          arm[end] = fine_arm[e];
          flux[end++] = 0;
        }
        flux[at] += fine_flux[e] * (T(0.5) / (1 << Dim));
      }
    return {end - begin};
  }
};

template <class T>
struct PackEntries {
  Index const *room, *starts;
  std::int32_t const* from_to;
  T const* from_flux;
  std::uint8_t const* from_arm;
  std::int32_t* to;
  T* flux;
  std::uint8_t* arm;
  KOKKOS_FUNCTION void operator()(Index i) const {
    for (Index e = starts[i], k = room[i]; e < starts[i + 1]; ++e, ++k) {
      to[e] = from_to[k];
      flux[e] = from_flux[k];
      arm[e] = from_arm[k];
    }
  }
};

// ---- matrices

template <class T, int Dim>
struct MakeRow {
  Index const* starts;
  std::int32_t const* to;
  T const* flux;
  std::uint8_t const* arm;
  Aggregate<T, Dim> const* aggregates;
  Seams<Dim> seams;
  T *weight, *extra, *inverse;
  KOKKOS_FUNCTION void operator()(Index i) const {
    T sum = extra[i] = aggregates[i].dirichlet() + aggregates[i].zeroth;
    for (Index e = starts[i]; e < starts[i + 1]; ++e) {
      weight[e] = flux[e] / distance(aggregates[i], aggregates[to[e]], seams, arm[e]);
      sum += weight[e];
    }
    inverse[i] = sum > 0 ? 1 / sum : T(0);
  }
};

struct IsRed {
  std::uint64_t const* place;
  int dim;
  KOKKOS_FUNCTION Count operator()(Index i) const {
    Index sum = 1;
    for (int axis = 0; axis < dim; ++axis) sum += static_cast<Index>(place[i] >> axis & 1);
    return {sum & 1};
  }
};
struct FillOrder {
  Index const* red;  // [part + 1] red ones before it
  Index count;
  std::int32_t* order;
  KOKKOS_FUNCTION void operator()(Index i) const {
    order[red[i + 1] > red[i] ? red[i] : red[count] + i - red[i]] = static_cast<std::int32_t>(i);
  }
};

}  // namespace

template <class T, int Dim>
PartGraph<T, Dim> coarser(Context const& context, PartGraph<T, Dim> const& fine, PartChildren& children) {
  Index const n = fine.count;
  auto const block = scanned(context, n, FirstOfBlock{fine.place.data(), Dim});
  Index const block_count = read_back(context, block.data() + n);
  Buffer<Index> const first(context, block_count + 1);
  parallel_for(context, "sparse::poisson::blocks", n, FillBlocks{block.data(), first.data(), n});
  Buffer<std::int32_t> const label(context, n);
  parallel_for(context, "sparse::poisson::label_parts", block_count,
               LabelBlock{first.data(), fine.starts.data(), fine.to.data(), label.data()});
  auto const coupled = scanned(context, n, IsCoupled{fine.starts.data()});
  auto const numbers = scanned(context, n, IsFirst{fine.starts.data(), label.data()});

  PartGraph<T, Dim> coarse;
  coarse.count = read_back(context, numbers.data() + n);
  coarse.seams = fine.seams.coarser();
  children.starts = Buffer<Index>(context, coarse.count + 1);
  children.child = Buffer<std::int32_t>(context, read_back(context, coupled.data() + n));
  children.parent = Buffer<std::int32_t>(context, n);
  parallel_for(context, "sparse::poisson::list_children", block_count,
               ListChildren{first.data(), fine.starts.data(), label.data(), coupled.data(), numbers.data(),
                            children.parent.data(), children.starts.data(), children.child.data(), n});

  coarse.place = Buffer<std::uint64_t>(context, coarse.count);
  coarse.aggregates = Buffer<Aggregate<T, Dim>>(context, coarse.count);
  parallel_for(context, "sparse::poisson::gather_parts", coarse.count,
               GatherParts<T, Dim>{children.starts.data(), children.child.data(), fine.place.data(),
                                   fine.aggregates.data(), coarse.place.data(), coarse.aggregates.data()});
  auto const room =
      scanned(context, coarse.count, MostEntries{children.starts.data(), fine.starts.data(), children.child.data()});
  Index const most = read_back(context, room.data() + coarse.count);
  Buffer<std::int32_t> const to(context, most);
  Buffer<T> const flux(context, most);
  Buffer<std::uint8_t> const arm(context, most);
  coarse.starts = scanned(context, coarse.count,
                          AddFluxes<T, Dim>{children.starts.data(), fine.starts.data(), children.child.data(),
                                            children.parent.data(), fine.to.data(), fine.flux.data(), fine.arm.data(),
                                            room.data(), to.data(), flux.data(), arm.data()});
  Index const entries = read_back(context, coarse.starts.data() + coarse.count);
  coarse.to = Buffer<std::int32_t>(context, entries);
  coarse.flux = Buffer<T>(context, entries);
  coarse.arm = Buffer<std::uint8_t>(context, entries);
  parallel_for(context, "sparse::poisson::pack_entries", coarse.count,
               PackEntries<T>{room.data(), coarse.starts.data(), to.data(), flux.data(), arm.data(), coarse.to.data(),
                              coarse.flux.data(), coarse.arm.data()});
  context.fence();
  return coarse;
}

template <class T, int Dim>
void make_matrix(Context const& context, PartGraph<T, Dim> const& graph, Buffer<T>& weight, Buffer<T>& extra,
                 Buffer<T>& inverse) {
  weight = Buffer<T>(context, graph.to.size());
  extra = Buffer<T>(context, graph.count);
  inverse = Buffer<T>(context, graph.count);
  parallel_for(context, "sparse::poisson::part_rows", graph.count,
               MakeRow<T, Dim>{graph.starts.data(), graph.to.data(), graph.flux.data(), graph.arm.data(),
                               graph.aggregates.data(), graph.seams, weight.data(), extra.data(), inverse.data()});
}

template <class T, int Dim>
Index order_by_colour(Context const& context, PartGraph<T, Dim> const& graph, Buffer<std::int32_t>& order) {
  order = Buffer<std::int32_t>(context, graph.count);
  auto const red = scanned(context, graph.count, IsRed{graph.place.data(), Dim});
  parallel_for(context, "sparse::poisson::order_parts", graph.count, FillOrder{red.data(), graph.count, order.data()});
  return read_back(context, red.data() + graph.count);
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template PartGraph<T, Dim> coarser(Context const&, PartGraph<T, Dim> const&, PartChildren&);                         \
  template void make_matrix(Context const&, PartGraph<T, Dim> const&, Buffer<T>&, Buffer<T>&, Buffer<T>&);             \
  template Index order_by_colour(Context const&, PartGraph<T, Dim> const&, Buffer<std::int32_t>&);
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson::detail
