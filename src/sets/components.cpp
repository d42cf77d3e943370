#include <sparse/sets/components.hpp>

#include <sparse/sets/assemble.hpp>

#include "interval_forest.hpp"

namespace sparse {
namespace {

using detail::Forest;

void make_roots(Context const& context, Forest const& forest, Index count) {
  parallel_for(
      context, "sparse::components::roots", count, KOKKOS_LAMBDA(Index i) { forest.parents[i] = i; });
}

struct IsRoot {
  Index const* parents;
  KOKKOS_FUNCTION Count operator()(Index i) const { return {parents[i] == i ? 1 : 0}; }
};

/// Adds the lengths of a group of intervals to the sizes of their components. Consecutive intervals of one component
/// take one atomic addition, because all threads may add to the same component.
struct AddSizes {
  static constexpr Index length = has_many_threads ? 16 : 1024;
  SetView set;
  Index const* labels;
  Index* sizes;
  KOKKOS_FUNCTION void operator()(Index c) const {
    Index const begin = c * length, end = begin + length < set.interval_count ? begin + length : set.interval_count;
    Index sum = 0;
    for (Index i = begin; i < end; ++i) {
      sum += Index{set.intervals[i].end} - set.intervals[i].begin;
      if (i + 1 < end && labels[i + 1] == labels[i]) continue;
      Kokkos::atomic_add(sizes + labels[i], sum);
      sum = 0;
    }
  }
};

template <int Dim>
Buffer<Index> device_sizes(Components<Dim> const& components) {
  Context const context = components.set().context();
  Buffer<Index> const sizes(context, components.count());
  Index* const out = sizes.data();
  parallel_for(
      context, "sparse::components::clear", components.count(), KOKKOS_LAMBDA(Index k) { out[k] = 0; });
  SetView const set = components.set().rows();
  parallel_for(context, "sparse::components::sizes", (set.interval_count + AddSizes::length - 1) / AddSizes::length,
               AddSizes{set, components.interval_labels(), out});
  return sizes;
}

/// The intervals of a row whose component is chosen.
template <class IsChosen>
struct ChosenRow {
  SetView set;
  Index const* labels;
  IsChosen is_chosen;
  Index capacity() const { return set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[r + 1] - set.row_ptr[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    for (Index i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i)
      if (is_chosen(labels[i])) *out++ = set.intervals[i];
    return out;
  }
};

template <int Dim, class IsChosen>
IntervalSet<Dim> choose(Components<Dim> const& components, IsChosen const& is_chosen) {
  SetView const view = components.set().rows();
  return assemble<Dim>(components.set().context(), "sparse::components::choose", view.row_keys, view.row_count,
                       ChosenRow<IsChosen>{view, components.interval_labels(), is_chosen});
}

struct IsNumber {
  Index number;
  KOKKOS_FUNCTION bool operator()(Index label) const { return label == number; }
};

struct IsLarge {
  Index const* sizes;
  Index least;
  KOKKOS_FUNCTION bool operator()(Index label) const { return sizes[label] >= least; }
};

struct IsMarked {
  Index const* marks;
  KOKKOS_FUNCTION bool operator()(Index label) const { return marks[label] != 0; }
};

/// Marks the components that touch intervals in row r of the seeds.
struct MarkRow {
  SetView set, seeds;
  Index const* labels;
  Index* marks;
  KOKKOS_FUNCTION void operator()(Index r) const {
    Index const s = set.find_row(seeds.key(r));
    if (s < 0) return;
    Index i = set.row_ptr[s], j = seeds.row_ptr[r];
    Index const i_end = set.row_ptr[s + 1], j_end = seeds.row_ptr[r + 1];
    while (i < i_end && j < j_end) {
      Interval const a = set.intervals[i], b = seeds.intervals[j];
      if (a.begin < b.end && b.begin < a.end) Kokkos::atomic_exchange(marks + labels[i], Index{1});
      if (a.end < b.end)
        ++i;
      else
        ++j;
    }
  }
};

}  // namespace

template <int Dim>
Components<Dim> connected_components(IntervalSet<Dim> const& set, Neighbours neighbours) {
  if (set.is_empty()) return {};
  Context const context = set.context();
  SetView const view = set.rows();
  Index const count = view.interval_count;
  Buffer<Index> const labels(context, count);
  Forest const forest{labels.data()};
  make_roots(context, forest, count);
  detail::join_intervals<Dim>(context, view, neighbours, forest);
  detail::flatten(context, forest, count);
  auto const numbers = count_and_scan<Count>(context, "sparse::components::find_roots", count, IsRoot{forest.parents});
  Count const* const number = numbers.data();
  parallel_for(
      context, "sparse::components::number", count,
      KOKKOS_LAMBDA(Index i) { forest.parents[i] = number[forest.parents[i]].value; });
  return {set, labels, read_back(context, number + count).value};
}

template <int Dim>
Index component_count(IntervalSet<Dim> const& set, Neighbours neighbours) {
  return connected_components(set, neighbours).count();
}

template <int Dim>
std::vector<Index> component_sizes(Components<Dim> const& components) {
  if (components.count() == 0) return {};
  Buffer<Index> const sizes = device_sizes(components);
  return to_host(components.set().context(), static_cast<Index const*>(sizes.data()), sizes.size());
}

template <int Dim>
IntervalSet<Dim> component(Components<Dim> const& components, Index k) {
  if (k < 0 || k >= components.count())
    fail("component: there are " + std::to_string(components.count()) + ", not one of number " + std::to_string(k));
  return choose(components, IsNumber{k});
}

template <int Dim>
IntervalSet<Dim> components_of_size(Components<Dim> const& components, Index least_cells) {
  if (components.count() == 0) return {};
  Buffer<Index> const sizes = device_sizes(components);
  return choose(components, IsLarge{sizes.data(), least_cells});
}

template <int Dim>
IntervalSet<Dim> components_touching(Components<Dim> const& components, IntervalSet<Dim> const& seeds) {
  if (components.count() == 0 || seeds.is_empty()) return {};
  Context const context = components.set().context();
  Buffer<Index> const buffer(context, components.count());
  Index* const marks = buffer.data();
  parallel_for(
      context, "sparse::components::clear", components.count(), KOKKOS_LAMBDA(Index k) { marks[k] = 0; });
  parallel_for(context, "sparse::components::mark", seeds.row_count(),
               MarkRow{components.set().rows(), seeds.rows(), components.interval_labels(), marks});
  return choose(components, IsMarked{marks});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template Components<Dim> connected_components(IntervalSet<Dim> const&, Neighbours);                                  \
  template Index component_count(IntervalSet<Dim> const&, Neighbours);                                                 \
  template std::vector<Index> component_sizes(Components<Dim> const&);                                                 \
  template IntervalSet<Dim> component(Components<Dim> const&, Index);                                                  \
  template IntervalSet<Dim> components_of_size(Components<Dim> const&, Index);                                         \
  template IntervalSet<Dim> components_touching(Components<Dim> const&, IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
