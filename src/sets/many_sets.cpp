#include <sparse/sets/algebra.hpp>
#include <sparse/sets/assemble.hpp>

#include "search.hpp"

namespace sparse {
namespace detail {
namespace {

/// The rows of many sets, one after the other.
struct ManyRows {
  SetView const* sets;
  Index const* first_row;  ///< [set_count + 1]
  Index set_count;

  Index part_count(Index row_count) const { return (row_count + part_rows - 1) / part_rows; }
  /// Calls `body(key, row)` for the rows of a part. Only the part's first row needs a search for its set.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(Index part, Body const& body) const {
    Index const begin = part * part_rows, limit = begin + part_rows;
    Index const end = limit < first_row[set_count] ? limit : first_row[set_count];
    Index s = last_at_most(set_count, begin, [this](Index i) { return first_row[i]; });
    for (Index g = begin; g < end; ++g) {
      while (g >= first_row[s + 1]) ++s;
      body(sets[s].key(g - first_row[s]), sets[s].row(g - first_row[s]));
    }
  }

private:
  static constexpr Index part_rows = has_many_threads ? 1 : 1024;
};

/// Assigns rows to buckets. If the bounding rectangle of the rows is not much larger than their number, it has a bucket
/// per row. Otherwise there is a bucket for each key.
template <int Dim>
struct Buckets {
  RowKey const* keys;  ///< [count]
  Index count;
  bool is_rectangle;
  Vec<Coord, Dim> origin;
  Index height;

  KOKKOS_FUNCTION Index operator()(RowKey key) const {
    if (is_rectangle) {
      Vec<Coord, Dim> const cell = cell_at<Dim>(key, 0);
      Index const y = Index{cell[1]} - origin[1];
      return Dim == 2 ? y : (Index{cell[Dim - 1]} - origin[Dim - 1]) * height + y;
    }
    return last_at_most(count, key, [this](Index i) { return keys[i]; });
  }
};

template <int Dim>
struct CountIntervals {
  ManyRows rows;
  Buckets<Dim> bucket_of;
  Count* counts;
  KOKKOS_FUNCTION void operator()(Index part) const { rows.for_each(part, *this); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RowKey key, Row const& row) const {
    Kokkos::atomic_add(&counts[bucket_of(key)].value, row.interval_count());
  }
};

template <int Dim>
struct FillIntervals {
  ManyRows rows;
  Buckets<Dim> bucket_of;
  Count* next;  ///< place of the next interval in each bucket
  Interval* intervals;
  KOKKOS_FUNCTION void operator()(Index part) const { rows.for_each(part, *this); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RowKey key, Row const& row) const {
    Index const place = Kokkos::atomic_fetch_add(&next[bucket_of(key)].value, row.interval_count());
    for (Index i = 0; i < row.interval_count(); ++i) intervals[place + i] = row[i];
  }
};

/// Keeps the least value of `sign` times the coordinate along an axis.
template <int Dim>
struct LeastOf {
  Coord* found;
  int axis;
  Coord sign;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RowKey key, Row const&) const {
    Coord const c = sign * cell_at<Dim>(key, 0)[axis];
    if (c < *found) *found = c;
  }
};

/// The lowest coordinate of all rows along an axis (sign 1), or minus the highest (sign -1).
template <int Dim>
Coord extreme_of(Context const& context, ManyRows const& rows, Index row_count, int axis, Coord sign) {
  // Rows are sorted along the last axis. So the first and last row of each set suffice.
  if (axis == Dim - 1)
    return parallel_reduce<Kokkos::Min, Coord>(
        context, "sparse::set_algebra::outer_rows", rows.set_count, KOKKOS_LAMBDA(Index s, Coord & found) {
          SetView const& set = rows.sets[s];
          Coord const c = sign * cell_at<Dim>(set.key(sign > 0 ? 0 : set.row_count - 1), 0)[axis];
          if (c < found) found = c;
        });
  return parallel_reduce<Kokkos::Min, Coord>(
      context, "sparse::set_algebra::outer_rows", rows.part_count(row_count), KOKKOS_LAMBDA(Index part, Coord & found) {
        rows.for_each(part, LeastOf<Dim>{&found, axis, sign});
      });
}

/// The union of the intervals in a bucket. They come in any order.
struct BucketRow {
  Count const* starts;
  Interval const* intervals;

  KOKKOS_FUNCTION Index bound(Index r) const { return starts[r + 1].value - starts[r].value; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Index const count = bound(r);
    if (count == 0) return out;
    for (Index i = 0; i < count; ++i) out[i] = intervals[starts[r].value + i];
    sort_in_place(out, count, [](Interval const& a, Interval const& b) { return a.begin < b.begin; });
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

struct StoreKeys {
  RowKey* out;
  Index* next;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RowKey key, Row const&) const {
    out[Kokkos::atomic_fetch_add(next, Index{1})] = key;
  }
};

/// The sorted keys of all rows, without repetitions.
Buffer<RowKey> sorted_keys(Context const& context, ManyRows const& rows, Index row_count) {
  Buffer<RowKey> keys(context, row_count);
  RowKey* const out = keys.data();
  Buffer<Index> const next = to_device(context, std::vector<Index>{0});
  Index* const place = next.data();
  parallel_for(
      context, "sparse::set_algebra::gather_keys", rows.part_count(row_count), KOKKOS_LAMBDA(Index part) {
        rows.for_each(part, StoreKeys{out, place});
      });
  Index const count = sort_unique(context, out, row_count);
  keys.resize(count);
  return keys;
}

}  // namespace

template <int Dim>
IntervalSet<Dim> unite(Context const& context, std::vector<SetView> const& sets) {
  std::vector<Index> first_row{0}, first_interval{0};
  for (auto const& set : sets) {
    expects(set.row_count > 0, "unite: a set without rows");
    first_row.push_back(first_row.back() + set.row_count);
    first_interval.push_back(first_interval.back() + set.interval_count);
  }
  Index const row_count = first_row.back();
  if (row_count == 0) return {};
  auto const views = to_device(context, sets);
  auto const first_rows = to_device(context, first_row);
  ManyRows const rows{views.data(), first_rows.data(), static_cast<Index>(sets.size())};
  Box<Dim> rectangle;
  rectangle.begin[0] = 0, rectangle.end[0] = 1;
  for (int axis = 1; axis < Dim; ++axis) {
    rectangle.begin[axis] = extreme_of<Dim>(context, rows, row_count, axis, 1);
    rectangle.end[axis] = 1 - extreme_of<Dim>(context, rows, row_count, axis, -1);
  }
  bool const is_rectangle =
      static_cast<double>(rectangle.end[1] - rectangle.begin[1]) *
          (Dim == 3 ? static_cast<double>(rectangle.end[Dim - 1] - rectangle.begin[Dim - 1]) : 1) <
      4.0 * static_cast<double>(row_count);
  Buffer<RowKey> const keys = is_rectangle ? keys_of(context, rectangle) : sorted_keys(context, rows, row_count);
  Buckets<Dim> const bucket_of{keys.data(), keys.size(), is_rectangle, rectangle.begin,
                               Index{rectangle.end[1]} - rectangle.begin[1]};

  Buffer<Count> const starts(context, keys.size() + 1), next(context, keys.size() + 1);
  Count* const start = starts.data();
  Count* const cursor = next.data();
  Buffer<Interval> const intervals(context, first_interval.back());
  parallel_for(
      context, "sparse::set_algebra::clear_buckets", keys.size(), KOKKOS_LAMBDA(Index b) { start[b] = {0}; });
  parallel_for(context, "sparse::set_algebra::count_buckets", rows.part_count(row_count),
               CountIntervals<Dim>{rows, bucket_of, start});
  exclusive_scan(context, "sparse::set_algebra::scan_buckets", start, keys.size());
  parallel_for(
      context, "sparse::set_algebra::copy_starts", keys.size(), KOKKOS_LAMBDA(Index b) { cursor[b] = start[b]; });
  parallel_for(context, "sparse::set_algebra::fill_buckets", rows.part_count(row_count),
               FillIntervals<Dim>{rows, bucket_of, cursor, intervals.data()});
  return assemble<Dim>(context, "sparse::set_algebra::unite", keys.data(), keys.size(),
                       BucketRow{start, intervals.data()});
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
