#pragma once
/// Which rows of several sets belong together.

#include <limits>

#include <sparse/parallel.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse::detail {

KOKKOS_FORCEINLINE_FUNCTION constexpr bool value_at(TruthTable table, unsigned state) { return (table >> state) & 1u; }

/// The rows that a result may have, and where they stand in each operand (-1: nowhere).
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

/// Walks along the rows of all operands in the order of their keys, a part at a time.
template <int K>
struct MatchSweep {
  Sets<K> sets;
  int lead;            ///< the operand whose rows are cut into parts
  Index part_rows;     ///< rows of the lead in each part
  TruthTable can_hold; ///< bit s: a row that exactly the operands in s have may be part of the result

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index part, Sink& sink) const {
    SetView const& first = sets.view[lead];
    bool const is_last = (part + 1) * part_rows >= first.row_count;
    Cursor cursors[K];
    SPARSE_UNROLL
    for (int k = 0; k < K; ++k) {
      SetView const& set = sets.view[k];
      Index const begin = part == 0   ? 0
                          : k == lead ? part * part_rows
                                      : set.lower_row(first.key(part * part_rows));
      Index const end = is_last     ? set.row_count
                        : k == lead ? (part + 1) * part_rows
                                    : set.lower_row(first.key((part + 1) * part_rows));
      cursors[k] = Cursor(set, begin, end);
    }
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

private:
  struct Cursor {
    static constexpr RowKey none = std::numeric_limits<RowKey>::max();
    RowKey const* keys = nullptr;
    RowKey shift = 0, head = none;
    Index row = 0, end = 0;

    KOKKOS_FUNCTION Cursor() = default;
    KOKKOS_FORCEINLINE_FUNCTION Cursor(SetView const& set, Index begin, Index stop)
        : keys(set.row_keys), shift(set.key_shift), row(begin - 1), end(stop) {
      advance();
    }
    KOKKOS_FORCEINLINE_FUNCTION void advance() {
      ++row;
      head = row < end ? keys[row] + shift : none;
    }
  };
};

template <int K>
struct CountMatches {
  MatchSweep<K> sweep;
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

template <int K>
struct FillMatches {
  MatchSweep<K> sweep;
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

/// The rows in which the function of `table` may hold anywhere. Two walks over the keys.
template <int K>
RowMatch<K> match_rows(Context const& context, Sets<K> const& sets, TruthTable table) {
  // Rows that are missing are empty: the function may hold in a row when it does for some subset of the sets there.
  TruthTable can_hold = 0;
  for (unsigned state = 0; state < 1u << K; ++state)
    for (unsigned part = state; part != 0; part = (part - 1) & state)
      if (value_at(table, part)) can_hold |= TruthTable{1} << state;

  int lead = 0;
  for (int k = 1; k < K; ++k)
    if (sets.view[k].row_count > sets.view[lead].row_count) lead = k;
  // On the host a part is long enough to hide the search for its ends.
  Index const part_rows = is_host_backend ? 1024 : 1;
  Index const parts = (sets.view[lead].row_count + part_rows - 1) / part_rows;
  MatchSweep<K> const sweep{sets, lead, part_rows, can_hold};

  RowMatch<K> match;
  auto const starts =
      count_and_scan<Count>(context, "sparse::set_algebra::count_rows", parts, CountMatches<K>{sweep});
  match.count = read_back(context, starts.data() + parts).value;
  match.keys = Buffer<RowKey>(context, match.count);
  match.rows = Buffer<Index>(context, match.count * K);
  parallel_for(context, "sparse::set_algebra::match_rows", parts,
               FillMatches<K>{sweep, starts.data(), match.keys.data(), match.rows.data()});
  return match;
}

}  // namespace sparse::detail
