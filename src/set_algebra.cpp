#include <sparse/set_algebra.hpp>

#include <sparse/assemble.hpp>

namespace sparse {
namespace detail {
namespace {

/// A row as its 2n interval ends: position i is a begin when i is even, and x is inside when an odd number is behind.
struct Ends {
  Row row;
  Index next = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool is_inside() const { return next & 1; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_done() const { return next == 2 * row.interval_count(); }
  KOKKOS_FORCEINLINE_FUNCTION Coord position() const {
    if (is_done()) return coord_limit + 1;
    Interval const interval = row[next >> 1];
    return is_inside() ? interval.end : interval.begin;
  }
};

/// One row of `a op b`: sweeps over the ends of both and emits where op holds.
template <Boolean op>
struct BooleanRow {
  SetView a, b;
  Index const* a_rows;
  Index const* b_rows;

  KOKKOS_FORCEINLINE_FUNCTION static bool holds(bool in_a, bool in_b) {
    if (op == Boolean::either) return in_a || in_b;
    if (op == Boolean::both) return in_a && in_b;
    if (op == Boolean::first_only) return in_a && !in_b;
    return in_a != in_b;
  }

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Ends ends_a{a.row(a_rows[r])}, ends_b{b.row(b_rows[r])};
    Coord begin = 0;
    bool was_inside = false;
    while (!ends_a.is_done() || !ends_b.is_done()) {
      Coord const x_a = ends_a.position(), x_b = ends_b.position();
      Coord const x = x_a < x_b ? x_a : x_b;
      ends_a.next += x_a == x;
      ends_b.next += x_b == x;
      bool const inside = holds(ends_a.is_inside(), ends_b.is_inside());
      if (inside == was_inside) continue;
      if (inside)
        begin = x;
      else
        emit(begin, x);
      was_inside = inside;
    }
  }
};

/// The rows that a result may have, and where they stand in both operands (-1: nowhere).
struct RowPairs {
  Buffer<RowKey> keys;
  Buffer<Index> a_rows, b_rows;
  Index count = 0;

  RowPairs(Context const& context, Index capacity)
      : keys(context, capacity), a_rows(context, capacity), b_rows(context, capacity) {}
};

/// The rows of a, and for each the row of b with the same key. With `only_shared`, rows that b lacks get -1 for a too.
RowPairs rows_of_first(Context const& context, SetView const& a, SetView const& b, bool only_shared) {
  RowPairs pairs(context, a.row_count);
  pairs.count = a.row_count;
  RowKey* const keys = pairs.keys.data();
  Index* const a_rows = pairs.a_rows.data();
  Index* const b_rows = pairs.b_rows.data();
  parallel_for(
      context, "sparse::set_algebra::match_rows", a.row_count, KOKKOS_LAMBDA(Index r) {
        keys[r] = a.key(r);
        b_rows[r] = b.find_row(a.key(r));
        a_rows[r] = only_shared && b_rows[r] < 0 ? -1 : r;
      });
  return pairs;
}

/// A count that `exclusive_scan` can add up.
struct Count {
  Index value = 0;
  KOKKOS_FORCEINLINE_FUNCTION void add(Count const& b) { value += b.value; }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(Count volatile& a, Count const volatile& b) {
    a.value = a.value + b.value;
  }
};

struct IsUnshared {
  SetView a, b;
  KOKKOS_FUNCTION Count operator()(Index r) const { return {a.find_row(b.key(r)) < 0 ? 1 : 0}; }
};

/// The rows of a or b in order: row i of a stands behind i rows of a and those of b that only b has.
RowPairs rows_of_either(Context const& context, SetView const& a, SetView const& b) {
  auto const only_b =
      count_and_scan<Count>(context, "sparse::set_algebra::find_unshared_rows", b.row_count, IsUnshared{a, b});
  Count const* const before = only_b.data();

  RowPairs pairs(context, a.row_count + b.row_count);
  RowKey* const keys = pairs.keys.data();
  Index* const a_rows = pairs.a_rows.data();
  Index* const b_rows = pairs.b_rows.data();
  parallel_for(
      context, "sparse::set_algebra::place_first_rows", a.row_count, KOKKOS_LAMBDA(Index r) {
        RowKey const key = a.key(r);
        Index const s = b.lower_row(key);
        Index const place = r + before[s].value;
        keys[place] = key;
        a_rows[place] = r;
        b_rows[place] = s < b.row_count && b.key(s) == key ? s : -1;
      });
  parallel_for(
      context, "sparse::set_algebra::place_second_rows", b.row_count, KOKKOS_LAMBDA(Index s) {
        if (before[s + 1].value == before[s].value) return;
        RowKey const key = b.key(s);
        Index const place = a.lower_row(key) + before[s].value;
        keys[place] = key;
        a_rows[place] = -1;
        b_rows[place] = s;
      });
  pairs.count = a.row_count + read_back(context, before + b.row_count).value;
  return pairs;
}

template <int Dim, Boolean op>
IntervalSet<Dim> combine_as(Context const& context, SetView const& a, SetView const& b, char const* label) {
  RowPairs const pairs = op == Boolean::both         ? rows_of_first(context, a, b, true)
                         : op == Boolean::first_only ? rows_of_first(context, a, b, false)
                                                     : rows_of_either(context, a, b);
  return assemble<Dim>(context, label, pairs.keys.data(), pairs.count,
                       BooleanRow<op>{a, b, pairs.a_rows.data(), pairs.b_rows.data()});
}

}  // namespace

template <int Dim>
IntervalSet<Dim> combine(Context const& context, SetView const& a, SetView const& b, Boolean op) {
  switch (op) {
  case Boolean::either:
    return combine_as<Dim, Boolean::either>(context, a, b, "sparse::set_algebra::union");
  case Boolean::both:
    return combine_as<Dim, Boolean::both>(context, a, b, "sparse::set_algebra::intersection");
  case Boolean::first_only:
    return combine_as<Dim, Boolean::first_only>(context, a, b, "sparse::set_algebra::difference");
  default:
    return combine_as<Dim, Boolean::exactly_one>(context, a, b, "sparse::set_algebra::symmetric_difference");
  }
}

template <int Dim>
void expect_in_range(Vec<std::int64_t, Dim> const& begin, Vec<std::int64_t, Dim> const& end, char const* operation) {
  for (int axis = 0; axis < Dim; ++axis)
    if (begin[axis] <= -coord_limit || end[axis] > coord_limit)
      fail(std::string(operation) + ": cells from " + std::to_string(begin[axis]) + " to " +
           std::to_string(end[axis] - 1) + " on axis " + std::to_string(axis) +
           " leave the range of coordinates, -2^30 < x < 2^30");
}

}  // namespace detail

namespace {

/// Operands that are the same set or empty need no work; the rest runs in the first operand's context.
template <int Dim>
IntervalSet<Dim> combine(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b, detail::Boolean op) {
  auto const same = a.identity() == b.identity();
  switch (op) {
  case detail::Boolean::either:
    if (same || b.is_empty()) return a;
    if (a.is_empty()) return b;
    break;
  case detail::Boolean::both:
    if (same || a.is_empty()) return a;
    if (b.is_empty()) return b;
    break;
  case detail::Boolean::first_only:
    if (same) return {};
    if (a.is_empty() || b.is_empty()) return a;
    break;
  case detail::Boolean::exactly_one:
    if (same) return {};
    if (b.is_empty()) return a;
    if (a.is_empty()) return b;
    break;
  }
  return detail::combine<Dim>(a.context(), a.view(), b.view(), op);
}

/// The rows of a view as they are.
struct CopyRow {
  SetView set;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Row const row = set.row(r);
    for (Index i = 0; i < row.interval_count(); ++i) emit(row[i].begin, row[i].end);
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> operator|(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  return combine(a, b, detail::Boolean::either);
}
template <int Dim>
IntervalSet<Dim> operator&(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  return combine(a, b, detail::Boolean::both);
}
template <int Dim>
IntervalSet<Dim> operator-(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  return combine(a, b, detail::Boolean::first_only);
}
template <int Dim>
IntervalSet<Dim> operator^(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  return combine(a, b, detail::Boolean::exactly_one);
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
  SetView const view = moved(set.view(), offset);
  Buffer<RowKey> keys(context, view.row_count);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::set_algebra::shift_keys", view.row_count, KOKKOS_LAMBDA(Index r) { out[r] = view.key(r); });
  return assemble<Dim>(context, "sparse::set_algebra::shift", out, view.row_count, CopyRow{view});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> operator|(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> operator&(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> operator-(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> operator^(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                               \
  template IntervalSet<Dim> shift(IntervalSet<Dim> const&, Vec<Coord, Dim> const&);                                    \
  template IntervalSet<Dim> detail::combine(Context const&, SetView const&, SetView const&, detail::Boolean);          \
  template void detail::expect_in_range<Dim>(Vec<std::int64_t, Dim> const&, Vec<std::int64_t, Dim> const&, char const*);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
