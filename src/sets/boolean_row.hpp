#pragma once
/// Boolean functions of the rows of several sets.

#include <algorithm>
#include <bit>

#include "combine_rows.hpp"

namespace sparse::detail {

/// A function of K sets as a chain of functions of two. Each step combines the result so far with one more argument.
/// Most functions in use are such chains. Then the arguments are combined in the cache one by one.
template <int K>
struct Chain {
  struct Step {
    TruthTable table;  ///< of the result so far and the argument
    int argument;
  };
  int first = 0, step_count = -1;  ///< -1: the function is not a chain
  Step steps[K];

  explicit Chain(TruthTable table) {
    if (K > 2) find(table, (1u << K) - 1, 0);
  }

private:
  /// Writes the function of the table, which depends only on `arguments`, as a chain. Its last `known` steps are known.
  bool find(TruthTable table, unsigned arguments, int known) {
    constexpr TruthTable all = K == 6 ? ~TruthTable{0} : (TruthTable{1} << (1u << K)) - 1;
    if (std::has_single_bit(arguments)) {
      first = std::countr_zero(arguments);
      if (table != argument_table(first)) return false;
      std::reverse(steps, steps + known);
      step_count = known;
      return true;
    }
    for (int k = 0; k < K; ++k) {
      if (((arguments >> k) & 1) == 0) continue;
      TruthTable const in = argument_table(k);
      int const distance = 1 << k;
      TruthTable const without = (table & ~in) | (table & ~in) << distance;  // the function without argument k
      TruthTable const with = (table & in) | (table & in) >> distance;       // the function with argument k
      auto const then = [&](TruthTable rest, TruthTable step) {
        steps[known] = {step, k};
        return find(rest & all, arguments & ~(1u << k), known + 1);
      };
      if (without == with && find(without, arguments & ~(1u << k), known)) return true;
      if (with == 0 && then(without, in_first_only)) return true;
      if (with == all && then(without, in_either)) return true;
      if (without == 0 && (with & 1) == 0 && then(with, in_both)) return true;
      if (without == 0 && (with & 1) != 0 && then(~with, 0b0100)) return true;
      if (with == (~without & all) && then(without, in_exactly_one)) return true;
    }
    return false;
  }
  /// The table of the function that is argument k.
  static TruthTable argument_table(int k) {
    TruthTable table = 0;
    for (unsigned state = 0; state < 1u << K; ++state)
      if ((state >> k) & 1) table |= TruthTable{1} << state;
    return table;
  }
};

/// One row of a function of K sets.
template <int K>
struct BooleanRow {
  Sets<K> sets;
  Index const* rows;
  Index row_count;
  TruthTable table;
  Chain<K> chain;

  BooleanRow(Sets<K> const& operands, RowMatch<K> const& match, TruthTable function)
      : sets(operands), rows(match.rows.data()), row_count(match.count), table(function), chain(function) {}

  KOKKOS_FORCEINLINE_FUNCTION Row row(Index r, int k) const { return sets.view[k].row(rows[K * r + k]); }
  KOKKOS_FORCEINLINE_FUNCTION Ends ends(Index r, int k) const { return {row(r, k), sets.view[k]}; }

  KOKKOS_FUNCTION Index bound(Index r) const { return turns() * bound_of_turn(r); }
  /// The sum of all bounds: each interval of an operand is in one row.
  Index capacity() const {
    Index n = ahead * row_count;
    for (SetView const& set : sets.view) n += set.interval_count;
    return turns() * n;
  }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    auto* const begin = reinterpret_cast<Coord*>(out);
    if constexpr (K == 2) return reinterpret_cast<Interval*>(combine_rows(ends(r, 0), ends(r, 1), table, begin));
    return reinterpret_cast<Interval*>(chain.step_count < 1 ? sweep_all(r, begin) : run_chain(r, begin));
  }

private:
  static constexpr Index ahead = has_many_threads ? 2 : 16;  ///< number of intervals that may be written beyond the end
  /// Number of buffers in a chain: one for the result, two for intermediate results, which alternate behind it.
  KOKKOS_FORCEINLINE_FUNCTION Index turns() const { return chain.step_count > 1 ? 3 : 1; }
  KOKKOS_FORCEINLINE_FUNCTION Index bound_of_turn(Index r) const {
    Index n = ahead;
    for (int k = 0; k < K; ++k) n += row(r, k).interval_count();
    return n;
  }
  KOKKOS_FORCEINLINE_FUNCTION Coord* run_chain(Index r, Coord* out) const {
    Index const size = 2 * bound_of_turn(r);
    Ends result = ends(r, chain.first);
    for (int s = 0; s < chain.step_count; ++s) {
      Coord* const begin = s + 1 == chain.step_count ? out : out + (1 + s % 2) * size;
      Coord* const end = combine_with_next(result, ends(r, chain.steps[s].argument), chain.steps[s].table, begin);
      result = Ends(begin, end, size);
    }
    return out + result.count;
  }
  KOKKOS_FORCEINLINE_FUNCTION Coord* sweep_all(Index r, Coord* out) const {
    constexpr Coord none = coord_limit + 1;
    EndWriter writer{out};
    Ends rest[K];
    Coord head[K];
    for (int k = 0; k < K; ++k) {
      rest[k] = ends(r, k);
      head[k] = rest[k].has_more() ? rest[k].head() : none;
    }
    for (;;) {
      Coord x = head[0];
      for (int k = 1; k < K; ++k) x = head[k] < x ? head[k] : x;
      if (x == none) return writer.out;
      unsigned state = 0;
      for (int k = 0; k < K; ++k) {
        rest[k].next += head[k] == x;
        head[k] = rest[k].has_more() ? rest[k].head() : none;
        state |= rest[k].is_inside() << k;
      }
      writer(x, value_at(table, state));
    }
  }
};

}  // namespace sparse::detail
