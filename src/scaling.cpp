#include <sparse/scaling.hpp>

#include <sparse/assemble.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse {
namespace {

template <int Dim>
constexpr int child_rows = 1 << (Dim - 1);

/// What child row `child` adds to the doubled key of its parent.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr RowKey child_key(int child) {
  Vec<Coord, Dim> offset{};
  for (int axis = 1; axis < Dim; ++axis) offset[axis] = (child >> (axis - 1)) & 1;
  return row_key(offset);
}

/// Key of the row that holds the parents of the cells in the row of `key`.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION RowKey parent_key(RowKey key) {
  Vec<Coord, Dim> cell = cell_at<Dim>(key, 0);
  for (int axis = 1; axis < Dim; ++axis) cell[axis] = floor_half(cell[axis]);
  return row_key(cell);
}

/// The union of the child rows of a coarse row, halved.
template <int Dim>
struct CoarsenRow {
  SetView set;
  RowKey const* keys;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Row rows[child_rows<Dim>];
    for (int c = 0; c < child_rows<Dim>; ++c) rows[c] = set.row(set.find_row(2 * keys[r] + child_key<Dim>(c)));
    for (;;) {
      int next = -1;
      for (int c = 0; c < child_rows<Dim>; ++c)
        if (rows[c].first != rows[c].last && (next < 0 || rows[c].first->begin < rows[next].first->begin)) next = c;
      if (next < 0) return;
      Interval const interval = *rows[next].first++;
      emit(floor_half(interval.begin), floor_half(interval.end - 1) + 1);
    }
  }
};

template <int Dim>
struct RefineRow {
  SetView set;
  RowKey const* keys;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Row const row = set.row(set.find_row(parent_key<Dim>(keys[r])));
    for (Index i = 0; i < row.interval_count(); ++i) emit(2 * row[i].begin, 2 * row[i].end);
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> coarsen(IntervalSet<Dim> const& set) {
  Context const context = set.context();
  SetView const view = set.rows();
  Buffer<RowKey> keys(context, view.row_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::scaling::parent_keys", view.row_count,
      KOKKOS_LAMBDA(Index r) { out[r] = parent_key<Dim>(view.key(r)); });
  Index const count = sort_unique(context, out, view.row_count);
  return assemble<Dim>(context, "sparse::scaling::coarsen", out, count, CoarsenRow<Dim>{view, out});
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
  Buffer<RowKey> keys(context, row_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::scaling::child_keys", row_count, KOKKOS_LAMBDA(Index r) {
        out[r] = 2 * view.key(r / child_rows<Dim>) + child_key<Dim>(static_cast<int>(r % child_rows<Dim>));
      });
  // In 3D the children of a plane's rows interleave with those of the next rows of the same plane.
  sort_unique(context, out, row_count);
  return assemble<Dim>(context, "sparse::scaling::refine", out, row_count, RefineRow<Dim>{view, out});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> coarsen(IntervalSet<Dim> const&);                                                          \
  template IntervalSet<Dim> refine(IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
