#pragma once
/// Finds the rows of several sets that have the same key.

#include <algorithm>
#include <limits>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::detail {

KOKKOS_FORCEINLINE_FUNCTION constexpr bool value_at(TruthTable table, unsigned state) { return (table >> state) & 1u; }

/// The rows that a result may have, and their indices in each operand (-1: the operand lacks the row).
template <int K>
struct RowMatch {
  Buffer<RowKey> keys;
  Buffer<Index> rows;  ///< [count * K]
  Index count = 0;
};

/// An array that kernels can index.
template <int K>
struct Sets {
  SetView view[K];
};

/// A cursor over a range of rows of one operand; its keys are keys of the result.
struct MatchCursor {
  static constexpr RowKey none = std::numeric_limits<RowKey>::max();
  RowKey const* keys = nullptr;
  RowKey shift = 0, head = none;
  Index row = 0, end = 0;

  MatchCursor() = default;
  KOKKOS_FORCEINLINE_FUNCTION MatchCursor(SetView const& set, Index begin, Index stop)
      : keys(set.row_keys), shift(set.key_shift), row(begin - 1), end(stop) {
    advance();
  }
  KOKKOS_FORCEINLINE_FUNCTION void advance() {
    ++row;
    head = row < end ? keys[row] + shift : none;
  }
};

/// Passes each key that a cursor has to `sink(key, rows)`, in order. `rows` are the rows with this key.
template <int K, class Cursor, class Sink>
KOKKOS_FORCEINLINE_FUNCTION void walk_rows(Cursor (&cursors)[K], TruthTable can_hold, Sink& sink) {
  for (;;) {
    RowKey key = cursors[0].head;
    SPARSE_UNROLL
    for (int k = 1; k < K; ++k) key = cursors[k].head < key ? cursors[k].head : key;
    if (key == Cursor::none) return;
    Index rows[K];
    unsigned state = 0;
    SPARSE_UNROLL
    for (int k = 0; k < K; ++k) {
      bool const has = cursors[k].head == key;
      state |= unsigned{has} << k;
      rows[k] = has ? cursors[k].row : -1;
      if (has) cursors[k].advance();
    }
    if (value_at(can_hold, state)) sink(key, rows);
  }
}

/// On the host, a part has enough rows to hide the search for its ends.
inline constexpr Index match_part_rows = has_many_threads ? 1 : 1024;
inline Index match_part_count(Index row_count) { return (row_count + match_part_rows - 1) / match_part_rows; }

/// Walks along the rows of all operands, one part of the leading operand's rows at a time.
template <int K>
struct MatchSweep {
  Sets<K> sets;
  int lead;             ///< the operand whose rows are cut into parts
  TruthTable can_hold;  ///< bit s: a row that exactly the operands in s have may be part of the result

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index part, Sink& sink) const {
    SetView const& first = sets.view[lead];
    Index const lead_begin = part * match_part_rows, lead_end = lead_begin + match_part_rows;
    bool const is_last = lead_end >= first.row_count;
    MatchCursor cursors[K];
    for (int k = 0; k < K; ++k) {
      SetView const& set = sets.view[k];
      Index const begin = part == 0 ? 0 : k == lead ? lead_begin : set.lower_row(first.key(lead_begin));
      Index const end = is_last ? set.row_count : k == lead ? lead_end : set.lower_row(first.key(lead_end));
      cursors[k] = MatchCursor(set, begin, end);
    }
    walk_rows(cursors, can_hold, sink);
  }
};

template <int K, class Sweep>
struct CountMatches {
  Sweep sweep;
  struct Sink {
    Index count = 0;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(RowKey, Index const (&)[K]) { ++count; }
  };
  KOKKOS_FUNCTION Count operator()(Index part) const {
    Sink sink;
    sweep(part, sink);
    return {sink.count};
  }
};

template <int K, class Sweep>
struct FillMatches {
  Sweep sweep;
  Count const* starts;
  RowKey* keys;
  Index* rows;
  struct Sink {
    RowKey* keys;
    Index* rows;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(RowKey key, Index const (&row)[K]) {
      *keys++ = key;
      for (int k = 0; k < K; ++k) *rows++ = row[k];
    }
  };
  KOKKOS_FUNCTION void operator()(Index part) const {
    Sink sink{keys + starts[part].value, rows + K * starts[part].value};
    sweep(part, sink);
  }
};

/// Collects the rows that `sweep(part, sink)` passes to its sink, for all parts. Walks twice: to count and to fill.
template <int K, class Sweep>
RowMatch<K> collect_rows(Context const& context, Index part_count, Sweep const& sweep) {
  RowMatch<K> match;
  auto const starts =
      count_and_scan<Count>(context, "sparse::set_algebra::count_rows", part_count, CountMatches<K, Sweep>{sweep});
  match.count = read_back(context, starts.data() + part_count).value;
  match.keys = Buffer<RowKey>(context, match.count);
  match.rows = Buffer<Index>(context, match.count * K);
  parallel_for(context, "sparse::set_algebra::match_rows", part_count,
               FillMatches<K, Sweep>{sweep, starts.data(), match.keys.data(), match.rows.data()});
  return match;
}

/// One thread per row of any operand finds the row's place among all rows. Where an earlier operand has the same key,
/// its row represents both; the later one stays empty.
template <int K>
struct PlaceMatches {
  Sets<K> sets;
  TruthTable can_hold;
  Index first[K + 1];  ///< number of rows in the operands before each
  RowKey* keys;
  Index* rows;

  KOKKOS_FUNCTION void operator()(Index row) const {
    int own = 0;
    while (row >= first[own + 1]) ++own;
    Index const r = row - first[own];
    RowKey const key = sets.view[own].key(r);
    Index found[K], place = 0;
    unsigned state = 0;
    for (int k = 0; k < K; ++k) {
      SetView const& set = sets.view[k];
      Index const lower = k == own ? r : set.lower_row(key);
      bool const has = k == own || (lower < set.row_count && set.key(lower) == key);
      found[k] = has ? lower : -1;
      state |= unsigned{has} << k;
      place += lower + (has && k < own ? 1 : 0);
    }
    bool const is_live = (state & ((1u << own) - 1)) == 0 && value_at(can_hold, state);
    keys[place] = key;
    for (int k = 0; k < K; ++k) rows[K * place + k] = is_live ? found[k] : -1;
  }
};

/// All rows of all operands, in order. Rows where the function cannot be true refer to no operand. The same holds for
/// all rows of a key but the first. No number is read back.
template <int K>
RowMatch<K> merge_rows(Context const& context, Sets<K> const& sets, TruthTable can_hold) {
  PlaceMatches<K> place{sets, can_hold, {}, nullptr, nullptr};
  for (int k = 0; k < K; ++k) place.first[k + 1] = place.first[k] + sets.view[k].row_count;
  RowMatch<K> match;
  match.count = place.first[K];
  match.keys = Buffer<RowKey>(context, match.count);
  match.rows = Buffer<Index>(context, match.count * K);
  place.keys = match.keys.data();
  place.rows = match.rows.data();
  parallel_for(context, "sparse::set_algebra::merge_rows", match.count, place);
  return match;
}

/// Bit s: whether the function of `table` can be true in a row that exactly the operands in s have.
template <int K>
TruthTable can_hold_in_rows(TruthTable table) {
  // A missing row is empty. At each of its cells, a row of the operands in s sees some subset of s.
  TruthTable can_hold = 0;
  for (unsigned state = 0; state < 1u << K; ++state)
    for (unsigned part = state; part != 0; part = (part - 1) & state)
      if (value_at(table, part)) can_hold |= TruthTable{1} << state;
  return can_hold;
}

/// Leaves out rows before the first and behind the last one of an operand without which the function cannot be true.
template <int K>
void trim_rows(Context const& context, Sets<K>& sets, TruthTable can_hold) {
  RowKey low = std::numeric_limits<RowKey>::min(), high = MatchCursor::none;  // one past the last
  context.fence();
  for (int k = 0; k < K; ++k) {
    SetView const& set = sets.view[k];
    bool is_needed = set.row_count > 0;
    for (unsigned state = 0; state < 1u << K; ++state)
      is_needed &= !value_at(can_hold, state) || ((state >> k) & 1) != 0;
    if (!is_needed) continue;
    low = std::max(low, set.key(0));
    high = std::min(high, set.key(set.row_count - 1) + 1);
  }
  if (high == MatchCursor::none) return;
  for (SetView& set : sets.view) {
    Index const begin = set.lower_row(low), end = set.lower_row(high);
    set.row_keys += begin;
    set.row_ptr += begin;
    set.row_count = std::max<Index>(end - begin, 0);
  }
}

/// The rows where the function of `table` can be true. Sets lose others.
template <int K>
RowMatch<K> match_rows(Context const& context, Sets<K>& sets, TruthTable table) {
  TruthTable const can_hold = can_hold_in_rows<K>(table);
  if constexpr (has_many_threads) return merge_rows(context, sets, can_hold);
  trim_rows(context, sets, can_hold);
  int lead = 0;
  for (int k = 1; k < K; ++k)
    if (sets.view[k].row_count > sets.view[lead].row_count) lead = k;
  return collect_rows<K>(context, match_part_count(sets.view[lead].row_count), MatchSweep<K>{sets, lead, can_hold});
}

}  // namespace sparse::detail
