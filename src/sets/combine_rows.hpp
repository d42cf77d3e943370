#pragma once
/// Boolean functions of two rows, in three ways. They handle rows of few intervals against rows of many, intersections
/// of intervals or gaps, and sweeps over all ends.

#include "count_below.hpp"
#include "ends.hpp"
#include "row_match.hpp"

namespace sparse::detail {

/// For operands of which one has far fewer ends. Each of the few ends is searched among the many. The many ends in
/// between are copied or left out, sixteen at a time. May overwrite memory behind `writer.out`.
class LopsidedSweep {
public:
  /// @param few_bit  1 or 2: the operand with few ends is argument 0 or 1 of the table
  KOKKOS_FORCEINLINE_FUNCTION LopsidedSweep(Ends const& few, Ends const& many, TruthTable table, unsigned few_bit,
                                            Coord* out)
      : few_(few), many_(many), out_(out) {
    unsigned const many_bit = 3 - few_bit;
    for (unsigned state = 0; state < 4; ++state)
      values_ |= unsigned{value_at(table, (state & 1) * few_bit + (state >> 1) * many_bit)} << state;
    copies_outside_ = ((values_ ^ values_ >> 2) & 1) != 0;
    copies_inside_ = ((values_ ^ values_ >> 2) & 2) != 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION Coord* operator()() {
    constexpr Index group = 32;
    RankSearch rank(many_.values, many_.count);
    for (Index first = 0; first < few_.count; first += group) {
      Index const count = first + group < few_.count ? group : few_.count - first;
      Index ranks[group];
      for (Index i = 0; i < count; ++i) ranks[i] = rank(few_.values[first + i] + few_.shift - many_.shift);
      for (Index i = 0; i < count; i += 2) {
        copy_until(ranks[i], copies_outside_);
        change(few_.values[first + i] + few_.shift, 1);
        copy_until(ranks[i + 1], copies_inside_);
        change(few_.values[first + i + 1] + few_.shift, 0);
      }
    }
    copy_until(many_.count, copies_outside_);
    return out_;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void copy_until(Index stop, bool copies) {
    Index const count = stop - many_.next;
    Coord const* const from = many_.values + many_.next;
    many_.next = stop;
    if (!copies) return;
    if (stop + 32 <= many_.readable)
      for (Index k = 0; k < count; k += 32) SPARSE_INDEPENDENT_ITERATIONS
    for (int j = 0; j < 32; ++j) out_[k + j] = from[k + j] + many_.shift;
    else for (Index k = 0; k < count; ++k) out_[k] = from[k] + many_.shift;
    out_ += count;
    was_inside_ ^= count & 1;
  }
  /// The operand with few ends begins (1) or ends (0) at x.
  KOKKOS_FORCEINLINE_FUNCTION void change(Coord x, unsigned in_few) {
    many_.next += many_.has_more() && many_.head() == x;
    unsigned const inside = (values_ >> (in_few + 2 * many_.is_inside())) & 1;
    *out_ = x;
    out_ += inside ^ was_inside_;
    was_inside_ = inside;
  }

  Ends few_, many_;
  Coord* out_;
  unsigned values_ = 0, was_inside_ = 0;  // values_: the table with the few ends as argument 0
  bool copies_outside_, copies_inside_;   // whether ends of the many are copied outside and inside of the few
};

/// True when `LopsidedSweep` is faster. It writes up to 32 ends too far.
KOKKOS_FORCEINLINE_FUNCTION bool is_lopsided(Index few, Index many) {
  return !has_many_threads && many >= 16 && many >= 3 * few;
}

/// Disjoint pairs of positions in increasing order: the intervals of a row, or the gaps between them. Gaps include the
/// unbounded ones below the first interval and above the last one.
struct Pairs {
  Coord const* next;
  Coord const* last;
  Coord shift;
  Coord low = -coord_limit - 1, high = coord_limit + 1;  ///< everything below `low` and above `high` is gap, too

  KOKKOS_FORCEINLINE_FUNCTION static Pairs intervals(Ends const& ends) {
    return {ends.values, ends.values + ends.count, ends.shift};
  }
  /// The gaps of a row that is not empty.
  KOKKOS_FORCEINLINE_FUNCTION static Pairs gaps(Ends const& ends) {
    Coord const* const last = ends.values + ends.count - 1;
    return {ends.values + 1, last, ends.shift, *ends.values + ends.shift, *last + ends.shift};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has_more() const { return next != last; }
  KOKKOS_FORCEINLINE_FUNCTION Coord begin() const { return next[0] + shift; }
  KOKKOS_FORCEINLINE_FUNCTION Coord end() const { return next[1] + shift; }
};

/// Writes the intersections of the pairs, without the unbounded parts.
class PairIntersection {
public:
  KOKKOS_FORCEINLINE_FUNCTION PairIntersection(Pairs const& x, Pairs const& y, Coord* out) : x_(x), y_(y), out_(out) {}

  KOKKOS_FORCEINLINE_FUNCTION Coord* operator()() {
    below(x_, y_.low);
    below(y_, x_.low);
    write(x_.high, y_.low);
    write(y_.high, x_.low);
    // Which pair ends first cannot be predicted, so there is no branch on it.
    while (x_.has_more() && y_.has_more()) {
      Coord const x_begin = x_.begin(), x_end = x_.end(), y_begin = y_.begin(), y_end = y_.end();
      write(x_begin > y_begin ? x_begin : y_begin, x_end < y_end ? x_end : y_end);
      int const x_first = x_end <= y_end;
      x_.next += 2 * x_first;
      y_.next += 2 - 2 * x_first;
    }
    above(x_, y_.high);
    above(y_, x_.high);
    return out_;
  }

private:
  /// Writes an interval, but keeps it only if it is not empty.
  KOKKOS_FORCEINLINE_FUNCTION void write(Coord begin, Coord end) {
    out_[0] = begin;
    out_[1] = end;
    out_ += begin < end ? 2 : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void below(Pairs& pairs, Coord low) {
    for (; pairs.has_more(); pairs.next += 2) {
      write(pairs.begin(), pairs.end() < low ? pairs.end() : low);
      if (pairs.end() > low) return;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void above(Pairs& pairs, Coord high) {
    for (; pairs.has_more(); pairs.next += 2) write(pairs.begin() > high ? pairs.begin() : high, pairs.end());
  }

  Pairs x_, y_;
  Coord* out_;
};

/// Union, intersection or difference of two rows of similar length. Each is an intersection of intervals or gaps: the
/// gaps of a union are the intersections of the operands' gaps.
KOKKOS_FORCEINLINE_FUNCTION Coord* combine_pair(Ends const& a, Ends const& b, TruthTable table, Coord* out) {
  if (table == in_both) return PairIntersection(Pairs::intervals(a), Pairs::intervals(b), out)();
  if (table == in_first_only) return PairIntersection(Pairs::intervals(a), Pairs::gaps(b), out)();
  Pairs const gaps_a = Pairs::gaps(a), gaps_b = Pairs::gaps(b);
  *out = gaps_a.low < gaps_b.low ? gaps_a.low : gaps_b.low;
  out = PairIntersection(gaps_a, gaps_b, out + 1)();
  *out = gaps_a.high > gaps_b.high ? gaps_a.high : gaps_b.high;
  return out + 1;
}
KOKKOS_FORCEINLINE_FUNCTION bool is_intersection(TruthTable table) {
  return table == in_both || table == in_first_only || table == in_either;
}

/// Any function of two rows of similar length.
KOKKOS_FORCEINLINE_FUNCTION void sweep_pair(Ends& a, Ends& b, TruthTable table, EndWriter& writer) {
  while (a.has_more() && b.has_more()) {
    Coord const x_a = a.head(), x_b = b.head();
    a.next += x_a <= x_b;
    b.next += x_b <= x_a;
    writer(x_a < x_b ? x_a : x_b, value_at(table, a.is_inside() + 2 * b.is_inside()));
  }
}

/// Any function of two rows. Writes up to 32 ends too far.
KOKKOS_FORCEINLINE_FUNCTION Coord* combine_rows(Ends a, Ends b, TruthTable table, Coord* out) {
  bool const a_is_few = a.count <= b.count;
  Ends const &few = a_is_few ? a : b, &many = a_is_few ? b : a;
  if (is_lopsided(few.count, many.count)) return LopsidedSweep(few, many, table, a_is_few ? 1 : 2, out)();
  if (few.count > 0 && is_intersection(table)) return combine_pair(a, b, table, out);
  EndWriter writer{out};
  sweep_pair(a, b, table, writer);
  pass(a, a.count, value_at(table, 2 * b.is_inside()) != value_at(table, 2 * b.is_inside() + 1), writer);
  pass(b, b.count, value_at(table, a.is_inside()) != value_at(table, a.is_inside() + 2), writer);
  return writer.out;
}

/// The same, but not inlined on request: functions of many sets would take minutes to compile.
KOKKOS_INLINE_FUNCTION Coord* combine_with_next(Ends const& a, Ends const& b, TruthTable table, Coord* out) {
  return combine_rows(a, b, table, out);
}

}  // namespace sparse::detail
