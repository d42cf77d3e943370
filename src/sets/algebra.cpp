#include <sparse/sets/algebra.hpp>

#include <sparse/sets/assemble.hpp>

#include "boolean_row.hpp"
#include "range.hpp"

namespace sparse {
namespace detail {

template <int Dim, int K>
IntervalSet<Dim> combine(Context const& context, std::array<SetView, K> const& operands, TruthTable table,
                         char const* label) {
  Sets<K> sets;
  std::copy(operands.begin(), operands.end(), sets.view);
  RowMatch<K> const match = match_rows(context, sets, table);
  return assemble<Dim>(context, label, match.keys.data(), match.count, BooleanRow<K>(sets, match, table));
}

}  // namespace detail

namespace {

/// Copies the rows of a view.
struct CopyRow {
  SetView set;
  Index capacity() const { return set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row(r).interval_count(); }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Row const row = set.row(r);
    for (Index i = 0; i < row.interval_count(); ++i) out[i] = row[i];
    return out + row.interval_count();
  }
};

}  // namespace

// Equal or empty operands need no work. All other cases run in the first operand's context.

template <int Dim>
IntervalSet<Dim> operator|(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  if (a.identity() == b.identity() || b.is_empty()) return a;
  if (a.is_empty()) return b;
  return detail::combine<Dim, 2>(a.context(), {a.rows(), b.rows()}, detail::in_either, "sparse::set_algebra::union");
}
template <int Dim>
IntervalSet<Dim> operator&(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  if (a.identity() == b.identity() || a.is_empty()) return a;
  if (b.is_empty()) return b;
  return detail::combine<Dim, 2>(a.context(), {a.rows(), b.rows()}, detail::in_both,
                                 "sparse::set_algebra::intersection");
}
template <int Dim>
IntervalSet<Dim> operator-(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  if (a.identity() == b.identity()) return {};
  if (a.is_empty() || b.is_empty()) return a;
  return detail::combine<Dim, 2>(a.context(), {a.rows(), b.rows()}, detail::in_first_only,
                                 "sparse::set_algebra::difference");
}
template <int Dim>
IntervalSet<Dim> operator^(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  if (a.identity() == b.identity()) return {};
  if (b.is_empty()) return a;
  if (a.is_empty()) return b;
  return detail::combine<Dim, 2>(a.context(), {a.rows(), b.rows()}, detail::in_exactly_one,
                                 "sparse::set_algebra::symmetric_difference");
}

template <int Dim>
IntervalSet<Dim> shift(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& offset) {
  if (set.is_empty() || offset == Vec<Coord, Dim>{}) return set;
  Box<Dim> const bounds = set.bounds();
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = std::int64_t{bounds.begin[axis]} + offset[axis];
    end[axis] = std::int64_t{bounds.end[axis]} + offset[axis];
  }
  detail::expect_in_range<Dim>(begin, end, "shift");
  Context const context = set.context();
  SetView const view = moved(set.rows(), offset);
  Buffer<RowKey> keys(context, view.row_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::set_algebra::shift_keys", view.row_count, KOKKOS_LAMBDA(Index r) { out[r] = view.key(r); });
  return assemble<Dim>(context, "sparse::set_algebra::shift", out, view.row_count, CopyRow{view});
}

#define SPARSE_INSTANTIATE_COMBINE(Dim, K)                                                                             \
  template IntervalSet<Dim> detail::combine<Dim, K>(Context const&, std::array<SetView, K> const&, detail::TruthTable, \
                                                    char const*);
#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> operator|(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> operator&(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> operator-(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> operator^(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> shift(IntervalSet<Dim> const&, Vec<Coord, Dim> const&);                                    \
  SPARSE_INSTANTIATE_COMBINE(Dim, 2)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 3)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 4)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 5)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 6)
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
