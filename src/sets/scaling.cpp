#include <sparse/sets/scaling.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/assemble.hpp>

#include "join_writer.hpp"
#include "range.hpp"
#include "row_match.hpp"

namespace sparse {
namespace {

template <int Dim>
constexpr int child_rows = 1 << (Dim - 1);

/// The part of a row's key that is added to twice the parent's key, for child row `child`.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr RowKey child_key(int child) {
  Vec<Coord, Dim> offset{};
  for (int axis = 1; axis < Dim; ++axis) offset[axis] = (child >> (axis - 1)) & 1;
  return row_key(offset);
}

/// The key of the row of the parents.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION RowKey parent_key(RowKey key) {
  Vec<Coord, Dim> cell = cell_at<Dim>(key, 0);
  for (int axis = 1; axis < Dim; ++axis) cell[axis] = floor_half(cell[axis]);
  return row_key(cell);
}

/// A cursor over the rows of a set that are child `child` of their parents. Its keys are those of the parents.
template <int Dim>
struct ChildCursor {
  static constexpr RowKey none = detail::MatchCursor::none;
  RowKey const* keys = nullptr;
  RowKey child = 0, head = none;
  Index row = 0, end = 0;

  KOKKOS_FORCEINLINE_FUNCTION void advance() {
    while (++row < end) {
      RowKey const key = keys[row];
      head = parent_key<Dim>(key);
      if (2 * head + child == key) return;
    }
    head = none;
  }
};

/// Walks along the parents of the rows of a set.
template <int Dim>
struct ParentSweep {
  SetView set;

  /// An upper bound for the parents of all rows before r. In 3D, the rows of an odd plane have the same parents as
  /// those of the plane before. So the bound then lies behind all parents of that plane.
  KOKKOS_FUNCTION RowKey boundary(Index r) const {
    RowKey const parent = parent_key<Dim>(set.key(r));
    if (Dim == 2) return parent;
    Vec<Coord, Dim> cell = cell_at<Dim>(parent, 0);
    if (cell_at<Dim>(set.key(r), 0)[Dim - 1] % 2 == 0) return parent;
    cell[1] = -coord_limit;
    cell[Dim - 1] += 1;
    return row_key(cell);
  }
  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index part, Sink& sink) const {
    Index const begin = part * detail::match_part_rows, end = begin + detail::match_part_rows;
    bool const is_last = end >= set.row_count;
    RowKey const first = boundary(begin), last = is_last ? 0 : boundary(end);
    ChildCursor<Dim> cursors[child_rows<Dim>];
    for (int c = 0; c < child_rows<Dim>; ++c) {
      RowKey const child = child_key<Dim>(c);
      cursors[c].keys = set.row_keys;
      cursors[c].child = child;
      cursors[c].row = (part == 0 ? 0 : set.lower_row(2 * first + child)) - 1;
      cursors[c].end = is_last ? set.row_count : set.lower_row(2 * last + child);
      cursors[c].advance();
    }
    detail::walk_rows(cursors, ~detail::TruthTable{0}, sink);
  }
};

/// One thread per row finds the place of its parent among all rows. The first existing child represents the parent.
template <int Dim>
struct PlaceParents {
  SetView set;
  RowKey* keys;
  Index* rows;

  KOKKOS_FUNCTION void operator()(Index r) const {
    constexpr int count = child_rows<Dim>;
    RowKey const key = set.key(r), parent = parent_key<Dim>(key);
    Index found[count], place = rows_before(parent);
    bool is_first = true;
    for (int c = 0; c < count; ++c) {
      RowKey const wanted = 2 * parent + child_key<Dim>(c);
      found[c] = set.find_row(wanted);
      if (wanted >= key || found[c] < 0) continue;
      is_first = false;
      ++place;
    }
    keys[place] = parent;
    for (int c = 0; c < count; ++c) rows[count * place + c] = is_first ? found[c] : -1;
  }

private:
  /// Number of rows whose parent has a smaller key. In 3D these are the rows before the parent's first child row, and
  /// the rows of the next plane before its child row there.
  KOKKOS_FUNCTION Index rows_before(RowKey parent) const {
    Index count = set.lower_row(2 * parent);
    if constexpr (Dim == 3) {
      Vec<Coord, Dim> plane = cell_at<Dim>(2 * parent + child_key<Dim>(2), 0);
      count += set.lower_row(row_key(plane));
      plane[1] = -coord_limit;
      count -= set.lower_row(row_key(plane));
    }
    return count;
  }
};

/// Finds the parents of all rows and their child rows.
template <int Dim>
detail::RowMatch<child_rows<Dim>> match_children(Context const& context, SetView const& set) {
  constexpr int count = child_rows<Dim>;
  if constexpr (has_many_threads) {
    detail::RowMatch<count> match{Buffer<RowKey>(context, set.row_count), Buffer<Index>(context, count * set.row_count),
                                  set.row_count};
    parallel_for(context, "sparse::scaling::merge_parents", set.row_count,
                 PlaceParents<Dim>{set, match.keys.data(), match.rows.data()});
    return match;
  } else {
    return detail::collect_rows<count>(context, detail::match_part_count(set.row_count), ParentSweep<Dim>{set});
  }
}

/// The union of the child rows of a coarse row, with coordinates halved.
template <int Dim>
struct CoarsenRow {
  SetView set;
  Index const* rows;
  Index row_count;

  KOKKOS_FORCEINLINE_FUNCTION Row child(Index r, int c) const { return set.row(rows[child_rows<Dim> * r + c]); }

  Index capacity() const { return set.interval_count + row_count; }
  KOKKOS_FUNCTION Index bound(Index r) const {
    Index n = 1;
    for (int c = 0; c < child_rows<Dim>; ++c) n += child(r, c).interval_count();
    return n;
  }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    detail::JoinWriter writer(out);
    if constexpr (Dim == 2) {
      Row a = child(r, 0), b = child(r, 1);
      while (a.first != a.last && b.first != b.last) {
        Interval const x = *a.first, y = *b.first;
        bool const takes_a = x.begin <= y.begin;
        a.first += takes_a;
        b.first += !takes_a;
        add(takes_a ? x : y, writer);
      }
      for (; a.first != a.last; ++a.first) add(*a.first, writer);
      for (; b.first != b.last; ++b.first) add(*b.first, writer);
    } else {
      Row children[child_rows<Dim>];
      for (int c = 0; c < child_rows<Dim>; ++c) children[c] = child(r, c);
      for (;;) {
        int next = -1;
        for (int c = 0; c < child_rows<Dim>; ++c)
          if (children[c].first != children[c].last &&
              (next < 0 || children[c].first->begin < children[next].first->begin))
            next = c;
        if (next < 0) break;
        add(*children[next].first++, writer);
      }
    }
    return writer.finish();
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static void add(Interval interval, detail::JoinWriter& writer) {
    writer({floor_half(interval.begin), floor_half(interval.end - 1) + 1});
  }
};

/// The coarse cells with at least `wanted` children. Each fine row makes two coarse rows: its cells with even x, and
/// its cells with odd x. The sweep counts in how many of these coarse rows a cell lies.
template <int Dim>
struct CoarsenCountedRow {
  static constexpr int half_count = 1 << Dim;
  SetView set;
  Index const* rows;
  int wanted;

  /// One of these two coarse rows. Its ends are the fine ends, rounded up or down.
  struct Half {
    Coord const* next;
    Coord const* last;
    Coord rounding;
    KOKKOS_FORCEINLINE_FUNCTION Coord head() const {
      return next == last ? coord_limit + 1 : floor_half(*next + rounding);
    }
  };

  Index capacity() const { return 2 * set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const {
    Index n = 0;
    for (int c = 0; c < child_rows<Dim>; ++c) n += 2 * set.row(rows[child_rows<Dim> * r + c]).interval_count();
    return n;
  }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Half halves[half_count];
    for (int h = 0; h < half_count; ++h) {
      Row const row = set.row(rows[child_rows<Dim> * r + h / 2]);
      halves[h] = {reinterpret_cast<Coord const*>(row.first), reinterpret_cast<Coord const*>(row.last), 1 - h % 2};
    }
    unsigned inside = 0;
    Coord begin = 0;
    bool was_enough = false;
    for (;;) {
      Coord x = coord_limit + 1;
      for (auto const& half : halves) x = half.head() < x ? half.head() : x;
      if (x > coord_limit) return out;
      int count = 0;
      for (int h = 0; h < half_count; ++h) {
        for (; halves[h].head() == x; ++halves[h].next) inside ^= 1u << h;
        count += (inside >> h) & 1;
      }
      bool const is_enough = count >= wanted;
      if (is_enough && !was_enough) begin = x;
      if (!is_enough && was_enough) *out++ = {begin, x};
      was_enough = is_enough;
    }
  }
};

/// Places the child rows of each row. In 3D, they lie in two planes.
template <int Dim>
struct PlaceChildren {
  SetView set;
  RowKey* keys;
  Index* parents;

  KOKKOS_FUNCTION void operator()(Index part) const {
    Index const begin = part * detail::match_part_rows, limit = begin + detail::match_part_rows;
    Index plane_begin = 0, plane_end = Dim == 2 ? set.row_count : 0;
    for (Index r = begin; r < limit && r < set.row_count; ++r) {
      if (Dim == 3 && (r == begin || r == plane_end)) {
        Vec<Coord, Dim> cell = cell_at<Dim>(set.key(r), 0);
        cell[1] = -coord_limit;
        plane_begin = r == begin ? set.lower_row(row_key(cell)) : r;
        cell[Dim - 1] += 1;
        plane_end = set.lower_row(row_key(cell));
      }
      for (int c = 0; c < child_rows<Dim>; ++c) {
        Index const place =
            child_rows<Dim> * plane_begin + c / 2 * 2 * (plane_end - plane_begin) + 2 * (r - plane_begin) + c % 2;
        keys[place] = 2 * set.key(r) + child_key<Dim>(c);
        parents[place] = r;
      }
    }
  }
};

struct RefineRow {
  SetView set;
  Index const* parents;
  Index child_row_count;  ///< child rows per row

  Index capacity() const { return child_row_count * set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row(parents[r]).interval_count(); }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Row const row = set.row(parents[r]);
    Index const count = row.interval_count();
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < count; ++i) out[i] = {2 * row.first[i].begin, 2 * row.first[i].end};
    return out + count;
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> coarsen(IntervalSet<Dim> const& set, Children children) {
  if (set.is_empty()) return set;
  Context const context = set.context();
  SetView const view = set.rows();
  auto const match = match_children<Dim>(context, view);
  if (children == Children::any)
    return assemble<Dim>(context, "sparse::scaling::coarsen", match.keys.data(), match.count,
                         CoarsenRow<Dim>{view, match.rows.data(), match.count});
  int const wanted = children == Children::all ? 1 << Dim : (1 << (Dim - 1)) + 1;
  return assemble<Dim>(context, "sparse::scaling::coarsen_counted", match.keys.data(), match.count,
                       CoarsenCountedRow<Dim>{view, match.rows.data(), wanted});
}

template <int Dim>
IntervalSet<Dim> refine(IntervalSet<Dim> const& set) {
  if (set.is_empty()) return set;
  Box<Dim> const bounds = set.bounds();
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = 2 * std::int64_t{bounds.begin[axis]};
    end[axis] = 2 * std::int64_t{bounds.end[axis]};
  }
  detail::expect_in_range<Dim>(begin, end, "refine");
  Context const context = set.context();
  SetView const view = set.rows();
  Index const row_count = view.row_count * child_rows<Dim>;
  Buffer<RowKey> const keys(context, row_count);
  Buffer<Index> const parents(context, row_count);
  parallel_for(context, "sparse::scaling::child_rows", detail::match_part_count(view.row_count),
               PlaceChildren<Dim>{view, keys.data(), parents.data()});
  return assemble<Dim>(context, "sparse::scaling::refine", keys.data(), row_count,
                       RefineRow{view, parents.data(), child_rows<Dim>});
}

template <int Dim>
IntervalSet<Dim> rescale(IntervalSet<Dim> set, int steps) {
  for (; steps > 0; --steps) set = refine(set);
  for (; steps < 0; ++steps) set = coarsen(set);
  return set;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> coarsen(IntervalSet<Dim> const&, Children);                                                \
  template IntervalSet<Dim> refine(IntervalSet<Dim> const&);                                                           \
  template IntervalSet<Dim> rescale(IntervalSet<Dim>, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
