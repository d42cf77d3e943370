#pragma once
/// Hashes of fields and sets, to tell whether two states are the same bits.

#include <cstring>

#include <sparse/base/parallel.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::live {

/// A number that depends on every bit of a value and on its place. Sums of these do not depend on the order.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mixed_bits(double value, std::uint64_t place) {
  std::uint64_t x = 0;
  memcpy(&x, &value, sizeof x);
  x ^= place * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct HashCell {
  double const* values;
  std::uint64_t salt;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p, std::uint64_t& sum) const {
    sum += mixed_bits(values[p.cell], static_cast<std::uint64_t>(p.cell) + salt);
  }
};

/// The hash of a component of a field on some cells.
inline std::uint64_t hash_of(Subset<2> const& cells, double const* values, std::uint64_t salt) {
  return reduce<Kokkos::Sum, std::uint64_t>("sparse::live::hash", cells, HashCell{values, salt << 40});
}

/// Adds up the places of cells.
struct HashInterval {
  Interval const* intervals;
  Index const* offsets;
  KOKKOS_FUNCTION void operator()(Index i, std::uint64_t& sum) const {
    auto const place = static_cast<std::uint64_t>(offsets[i]);
    sum += mixed_bits(intervals[i].begin, 2 * place) + mixed_bits(intervals[i].end, 2 * place + 1);
  }
};
struct HashRow {
  RowKey const* keys;
  KOKKOS_FUNCTION void operator()(Index i, std::uint64_t& sum) const {
    sum += mixed_bits(static_cast<double>(keys[i]), static_cast<std::uint64_t>(i) + (1ull << 60));
  }
};

/// The hash of a set's rows and intervals.
inline std::uint64_t hash_of(IntervalSet<2> const& set) {
  auto const view = set.view();
  return parallel_reduce<Kokkos::Sum, std::uint64_t>(set.context(), "sparse::live::hash_rows", view.row_count,
                                                     HashRow{view.row_keys}) +
         parallel_reduce<Kokkos::Sum, std::uint64_t>(set.context(), "sparse::live::hash_set", view.interval_count,
                                                     HashInterval{view.intervals, view.cell_offsets});
}

}  // namespace sparse::live
