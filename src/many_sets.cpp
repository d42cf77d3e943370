#include <numeric>

#include <sparse/assemble.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse {
namespace detail {
namespace {

/// The rows of many sets, one after the other.
struct ManyRows {
  SetView const* sets;
  Index const* first_row;  ///< [set_count + 1]
  Index set_count;

  /// The set that row g belongs to.
  KOKKOS_FUNCTION Index set_of(Index g) const {
    Index low = 0, high = set_count;
    while (high - low > 1) {
      Index const middle = (low + high) / 2;
      (first_row[middle] <= g ? low : high) = middle;
    }
    return low;
  }
  KOKKOS_FUNCTION RowKey key(Index g) const {
    Index const s = set_of(g);
    return sets[s].key(g - first_row[s]);
  }
  KOKKOS_FUNCTION Row row(Index g) const {
    Index const s = set_of(g);
    return sets[s].row(g - first_row[s]);
  }
};

/// Sorts by begin. Shell's method: in place, for host and device, and quick on the short rows there are.
KOKKOS_FUNCTION void sort_intervals(Interval* values, Index count) {
  Index gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (Index i = gap; i < count; ++i) {
      Interval const value = values[i];
      Index j = i;
      for (; j >= gap && values[j - gap].begin > value.begin; j -= gap) values[j] = values[j - gap];
      values[j] = value;
    }
}

/// The union of the intervals in a bucket, which come in any order.
struct BucketRow {
  Count const* starts;
  Interval const* intervals;

  KOKKOS_FUNCTION Index bound(Index r) const { return starts[r + 1].value - starts[r].value; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Index const count = bound(r);
    if (count == 0) return out;
    for (Index i = 0; i < count; ++i) out[i] = intervals[starts[r].value + i];
    sort_intervals(out, count);
    Interval* last = out;
    for (Index i = 1; i < count; ++i) {
      if (out[i].begin > last->end)
        *++last = out[i];
      else if (out[i].end > last->end)
        last->end = out[i].end;
    }
    return last + 1;
  }
};


/// Sorted keys of all rows, each once.
Buffer<RowKey> keys_of(Context const& context, ManyRows const& rows, Index row_count) {
  Buffer<RowKey> keys(context, row_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::set_algebra::gather_keys", row_count, KOKKOS_LAMBDA(Index g) { out[g] = rows.key(g); });
  Index const count = sort_unique(context, out, row_count);
  keys.resize(count);
  return keys;
}

KOKKOS_FUNCTION Index bucket_of(RowKey const* keys, Index count, RowKey key) {
  Index first = 0;
  while (count > 1) {
    Index const half = count / 2;
    first += keys[first + half] <= key ? half : 0;
    count -= half;
  }
  return first;
}

}  // namespace

template <int Dim>
IntervalSet<Dim> unite(Context const& context, std::vector<SetView> const& sets) {
  std::vector<Index> first_row{0}, first_interval{0};
  for (auto const& set : sets) {
    first_row.push_back(first_row.back() + set.row_count);
    first_interval.push_back(first_interval.back() + set.interval_count);
  }
  Index const row_count = first_row.back();
  if (row_count == 0) return {};
  auto const views = to_device(context, sets);
  auto const first_rows = to_device(context, first_row);
  ManyRows const rows{views.data(), first_rows.data(), static_cast<Index>(sets.size())};
  Buffer<RowKey> const keys = keys_of(context, rows, row_count);
  RowKey const* const key = keys.data();
  Index const bucket_count = keys.size();

  Buffer<Count> const starts(context, bucket_count + 1), next(context, bucket_count + 1);
  Count* const start = starts.data();
  Count* const cursor = next.data();
  parallel_for(
      context, "sparse::set_algebra::clear_buckets", bucket_count, KOKKOS_LAMBDA(Index b) { start[b] = {0}; });
  parallel_for(
      context, "sparse::set_algebra::count_buckets", row_count, KOKKOS_LAMBDA(Index g) {
        Kokkos::atomic_add(&start[bucket_of(key, bucket_count, rows.key(g))].value, rows.row(g).interval_count());
      });
  exclusive_scan(context, "sparse::set_algebra::scan_buckets", start, bucket_count);
  parallel_for(
      context, "sparse::set_algebra::copy_starts", bucket_count, KOKKOS_LAMBDA(Index b) { cursor[b] = start[b]; });
  Buffer<Interval> const buckets(context, first_interval.back());
  Interval* const out = buckets.data();
  parallel_for(
      context, "sparse::set_algebra::fill_buckets", row_count, KOKKOS_LAMBDA(Index g) {
        Row const row = rows.row(g);
        Index const place = Kokkos::atomic_fetch_add(&cursor[bucket_of(key, bucket_count, rows.key(g))].value,
                                                     row.interval_count());
        for (Index i = 0; i < row.interval_count(); ++i) out[place + i] = row[i];
      });
  return assemble<Dim>(context, "sparse::set_algebra::unite", key, bucket_count, BucketRow{start, out});
}

}  // namespace detail

template <int Dim>
IntervalSet<Dim> unite(std::vector<IntervalSet<Dim>> const& sets) {
  std::vector<IntervalSet<Dim>> some;
  for (auto const& set : sets)
    if (!set.is_empty()) some.push_back(set);
  if (some.empty()) return {};
  if (some.size() == 1) return some.front();
  if (some.size() == 2) return some[0] | some[1];
  std::vector<SetView> views;
  for (auto const& set : some) views.push_back(set.rows());
  return detail::unite<Dim>(some.front().context(), views);
}

template <int Dim>
IntervalSet<Dim> intersect(std::vector<IntervalSet<Dim>> const& sets) {
  expects(!sets.empty(), "intersect: there are no sets");
  auto sorted = sets;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto const& a, auto const& b) { return a.interval_count() < b.interval_count(); });
  IntervalSet<Dim> result = sorted.front();
  for (std::size_t i = 1; i < sorted.size() && !result.is_empty(); ++i) result = result & sorted[i];
  return result;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> detail::unite<Dim>(Context const&, std::vector<SetView> const&);                           \
  template IntervalSet<Dim> unite(std::vector<IntervalSet<Dim>> const&);                                               \
  template IntervalSet<Dim> intersect(std::vector<IntervalSet<Dim>> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
