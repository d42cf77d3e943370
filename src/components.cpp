#include <sparse/components.hpp>

#include <limits>

#include <sparse/assemble.hpp>

namespace sparse {
namespace {

// ---- a forest over the intervals, in which every tree becomes a component

/// Each interval points to one with a smaller index, or to itself where it is the root of its tree: so a root is the
/// first interval of its component, whatever order threads work in.
///
/// Threads read and halve paths while others link roots. A pointer only ever moves to another ancestor, which an old
/// value is too, so these accesses need not be ordered, only whole (volatile); links are compare-and-swaps of roots.
struct Forest {
  Index* parents;

  KOKKOS_FORCEINLINE_FUNCTION Index volatile& parent(Index i) const { return parents[i]; }

  KOKKOS_FORCEINLINE_FUNCTION Index root(Index i) const {
    Index up = parent(i);
    while (up != i) {
      Index const next = parent(up);
      if (next == up) return up;
      parent(i) = next;
      i = next;
      up = parent(i);
    }
    return i;
  }

  KOKKOS_FORCEINLINE_FUNCTION void join(Index a, Index b) const {
    a = root(a);
    b = root(b);
    while (a != b) {
      Index const low = a < b ? a : b, high = a < b ? b : a;
      Index const seen = Kokkos::atomic_compare_exchange(parents + high, high, low);
      if (seen == high) return;
      a = root(seen);  // another thread was faster
      b = root(low);
    }
  }
};

/// The rows before a row in storage order that touch it, and by how much intervals there may miss each other along x.
struct EarlierRows {
  RowKey offset[4];
  Coord reach[4];
  int count = 0;
};

/// Of every two rows that touch, one is before the other, so looking back finds all pairs.
template <int Dim>
EarlierRows earlier_rows(Neighbours neighbours) {
  EarlierRows rows;
  for (Coord z = Dim == 3 ? -1 : 0; z <= 0; ++z)
    for (Coord y = -1; y <= (z < 0 ? 1 : -1); ++y) {
      int const steps = (y != 0) + (z != 0);
      if (steps > static_cast<int>(neighbours)) continue;
      Vec<Coord, Dim> offset{0, y};
      if (Dim == 3) offset[Dim - 1] = z;
      rows.offset[rows.count] = row_key(offset);
      rows.reach[rows.count++] = steps < static_cast<int>(neighbours) ? 1 : 0;
    }
  return rows;
}

/// The last of `count` increasing numbers, the first being 0, that is not greater than `value`.
KOKKOS_FUNCTION Index last_at_most(Index const* numbers, Index count, Index value) {
  Index first = 0;
  while (count > 1) {
    Index const half = count / 2;
    bool const right = numbers[first + half] <= value;
    first += right ? half : 0;
    count = right ? count - half : half;
  }
  return first;
}

/// Finds rows of increasing keys: a few steps ahead, else anywhere by bisection.
struct RowCursor {
  Index row = -1;

  KOKKOS_FUNCTION Index seek(SetView const& set, RowKey wanted) {
    if (row < 0) return row = set.lower_row(wanted);
    for (int step = 0; step < 8; ++step, ++row)
      if (row == set.row_count || set.key(row) >= wanted) return row;
    return row = set.lower_row(wanted);
  }
};

/// Joins the intervals of stretch c with those of earlier rows that they touch. A stretch is a number of intervals, so
/// that long and short rows make equal work.
struct JoinStretch {
  static constexpr Index length = is_host_backend ? 1024 : 16;
  SetView set;
  EarlierRows earlier;
  Forest forest;

  KOKKOS_FUNCTION void operator()(Index c) const {
    Index const begin = c * length, end = begin + length < set.interval_count ? begin + length : set.interval_count;
    RowCursor cursors[4];
    for (Index r = last_at_most(set.row_ptr, set.row_count, begin); r < set.row_count && set.row_ptr[r] < end; ++r) {
      Index const first = set.row_ptr[r] > begin ? set.row_ptr[r] : begin;
      Index const last = set.row_ptr[r + 1] < end ? set.row_ptr[r + 1] : end;
      for (int k = 0; k < earlier.count; ++k) {
        RowKey const wanted = set.key(r) + earlier.offset[k];
        Index const q = cursors[k].seek(set, wanted);
        if (q < set.row_count && set.key(q) == wanted) sweep(first, last, q, earlier.reach[k]);
      }
    }
  }

  /// Joins the intervals i, ..., i_end - 1 with those of row q.
  KOKKOS_FORCEINLINE_FUNCTION void sweep(Index i, Index i_end, Index q, Coord reach) const {
    Index j = first_that_ends_after(q, set.intervals[i].begin - reach);
    Index const j_end = set.row_ptr[q + 1];
    while (i < i_end && j < j_end) {
      Interval const a = set.intervals[i], b = set.intervals[j];
      if (a.begin < b.end + reach && b.begin < a.end + reach) forest.join(i, j);
      // Gaps are at least one cell wide: what ends first touches nothing further on.
      if (a.end < b.end)
        ++i;
      else
        ++j;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Index first_that_ends_after(Index q, Coord x) const {
    Index low = set.row_ptr[q], high = set.row_ptr[q + 1];
    if (set.intervals[low].end > x) return low;
    while (low < high) {
      Index const middle = low + (high - low) / 2;
      if (set.intervals[middle].end <= x)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

/// Joins all intervals of a set that touch.
template <int Dim>
void join_intervals(Context const& context, SetView const& set, Neighbours neighbours, Forest const& forest) {
  parallel_for(context, "sparse::components::join",
               (set.interval_count + JoinStretch::length - 1) / JoinStretch::length,
               JoinStretch{set, earlier_rows<Dim>(neighbours), forest});
}

void flatten(Context const& context, Forest const& forest, Index count) {
  parallel_for(
      context, "sparse::components::flatten", count, KOKKOS_LAMBDA(Index i) { forest.parents[i] = forest.root(i); });
}

void make_roots(Context const& context, Forest const& forest, Index count) {
  parallel_for(
      context, "sparse::components::roots", count, KOKKOS_LAMBDA(Index i) { forest.parents[i] = i; });
}

// ---- components

/// A number that `exclusive_scan` can add up.
struct Tally {
  Index value = 0;
  KOKKOS_FORCEINLINE_FUNCTION void add(Tally const& b) { value += b.value; }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(Tally volatile& a, Tally const volatile& b) {
    a.value = a.value + b.value;
  }
};

struct IsRoot {
  Index const* parents;
  KOKKOS_FUNCTION Tally operator()(Index i) const { return {parents[i] == i ? 1 : 0}; }
};

/// Adds the lengths of a stretch of intervals to the sizes of their components: one addition for all neighbours in
/// storage that are in the same one, since all threads may want the same.
struct AddSizes {
  static constexpr Index length = is_host_backend ? 1024 : 16;
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

/// Marks the components that intervals of row r of the seeds meet.
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

/// Writes the labels of a stretch of cells.
struct LabelStretch {
  static constexpr Index length = is_host_backend ? 4096 : 1;
  SetView set;
  Index const* labels;
  std::int32_t* out;
  KOKKOS_FUNCTION void operator()(Index c) const {
    Index cell = c * length;
    Index const last = cell + length < set.cell_count ? cell + length : set.cell_count;
    for (Index i = last_at_most(set.cell_offsets, set.interval_count, cell); cell < last; ++i) {
      Index const interval_end = set.cell_offsets[i] + (Index{set.intervals[i].end} - set.intervals[i].begin);
      Index const end = interval_end < last ? interval_end : last;
      auto const label = static_cast<std::int32_t>(labels[i]);
      for (; cell < end; ++cell) out[cell] = label;
    }
  }
};

// ---- holes

/// The gaps of a stretch of rows as intervals: what is before, between and behind the intervals of a row, one more than
/// there are of these. The gaps of row r are numbered from `row_ptr[r] + r` on.
struct GapsOfRows {
  static constexpr Index length = is_host_backend ? 256 : 1;
  SetView set;
  EarlierRows earlier;
  Index* row_ptr;
  Interval* gaps;
  Index* parents;

  KOKKOS_FUNCTION void operator()(Index c) const {
    Index const end = (c + 1) * length < set.row_count ? (c + 1) * length : set.row_count;
    RowCursor before[4], behind[4];
    for (Index r = c * length; r < end; ++r) {
      // A row that the set does not have is outside as a whole, and so are the gaps beside it.
      bool is_open = false;
      for (int k = 0; k < earlier.count; ++k)
        is_open = is_open || lacks(before[k], set.key(r) + earlier.offset[k]) ||
                  lacks(behind[k], set.key(r) - earlier.offset[k]);
      fill(r, is_open);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool lacks(RowCursor& cursor, RowKey key) const {
    Index const r = cursor.seek(set, key);
    return r == set.row_count || set.key(r) != key;
  }

  KOKKOS_FORCEINLINE_FUNCTION void fill(Index r, bool is_open) const {
    Index const first = set.row_ptr[r] + r, last = set.row_ptr[r + 1] + r;
    row_ptr[r] = first;
    if (r + 1 == set.row_count) row_ptr[r + 1] = last + 1;
    for (Index g = first; g <= last; ++g) {
      gaps[g] = {g == first ? -coord_limit - 1 : set.intervals[g - r - 1].end,
                 g == last ? coord_limit + 1 : set.intervals[g - r].begin};
      // The first gap of all is outside and has the least index: the root of everything outside.
      parents[g] = is_open || g == first || g == last ? 0 : g;
    }
  }
};

struct FilledRow {
  SetView set;
  Index const* parents;
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row_ptr[r + 1] - set.row_ptr[r]; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Index i = set.row_ptr[r];
    Interval open = set.intervals[i];
    for (++i; i < set.row_ptr[r + 1]; ++i) {
      if (parents[i + r] == 0) {
        *out++ = open;
        open.begin = set.intervals[i].begin;
      }
      open.end = set.intervals[i].end;
    }
    *out++ = open;
    return out;
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
  join_intervals<Dim>(context, view, neighbours, forest);
  flatten(context, forest, count);
  auto const numbers = count_and_scan<Tally>(context, "sparse::components::find_roots", count, IsRoot{forest.parents});
  Tally const* const number = numbers.data();
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
Field<std::int32_t, Dim> component_field(Components<Dim> const& components) {
  expects(components.count() <= std::numeric_limits<std::int32_t>::max(),
          "component_field: more components than 32 bits count");
  Field<std::int32_t, Dim> field("component", components.set());
  SetView const set = components.set().view();
  constexpr Index length = LabelStretch::length;
  parallel_for(field.context(), "sparse::components::label_cells", (set.cell_count + length - 1) / length,
               LabelStretch{set, components.interval_labels(), field.view().data});
  return field;
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

template <int Dim>
IntervalSet<Dim> fill_holes(IntervalSet<Dim> const& set, Neighbours neighbours) {
  if (set.is_empty()) return set;
  Context const context = set.context();
  SetView const view = set.rows();
  Index const gap_count = view.interval_count + view.row_count;
  Buffer<Index> const row_ptr(context, view.row_count + 1), parents(context, gap_count);
  Buffer<Interval> const gaps(context, gap_count);
  parallel_for(context, "sparse::components::gaps", (view.row_count + GapsOfRows::length - 1) / GapsOfRows::length,
               GapsOfRows{view, earlier_rows<Dim>(neighbours), row_ptr.data(), gaps.data(), parents.data()});
  SetView gap_view = view;
  gap_view.row_ptr = row_ptr.data();
  gap_view.intervals = gaps.data();
  gap_view.interval_count = gap_count;
  Forest const forest{parents.data()};
  join_intervals<Dim>(context, gap_view, neighbours, forest);
  flatten(context, forest, gap_count);
  return assemble<Dim>(context, "sparse::components::fill", view.row_keys, view.row_count,
                       FilledRow{view, parents.data()});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template Components<Dim> connected_components(IntervalSet<Dim> const&, Neighbours);                                  \
  template Index component_count(IntervalSet<Dim> const&, Neighbours);                                                 \
  template std::vector<Index> component_sizes(Components<Dim> const&);                                                 \
  template Field<std::int32_t, Dim> component_field(Components<Dim> const&);                                           \
  template IntervalSet<Dim> component(Components<Dim> const&, Index);                                                  \
  template IntervalSet<Dim> components_of_size(Components<Dim> const&, Index);                                         \
  template IntervalSet<Dim> components_touching(Components<Dim> const&, IntervalSet<Dim> const&);                      \
  template IntervalSet<Dim> fill_holes(IntervalSet<Dim> const&, Neighbours);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
