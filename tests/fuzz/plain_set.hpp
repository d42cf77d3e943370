#pragma once
/// What the codec of set files needs of a set, without Kokkos.

#include <cstdint>
#include <cstdlib>
#include <vector>

struct PlainInterval {
  std::int32_t begin, end;
};
struct PlainSet {
  std::vector<std::int64_t> row_keys, row_ptr;
  std::vector<PlainInterval> intervals;
};

/// Aborts unless the set is canonical and its coordinates are in range.
inline void expect_canonical(int dimension, PlainSet const& set) {
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  auto const demand = [](bool holds) {
    if (!holds) std::abort();
  };
  demand(set.row_ptr.size() == set.row_keys.size() + 1 && set.row_ptr.front() == 0);
  demand(set.row_ptr.back() == static_cast<std::int64_t>(set.intervals.size()));
  for (std::size_t r = 0; r < set.row_keys.size(); ++r) {
    std::int64_t const key = set.row_keys[r], y = dimension == 2 ? key : static_cast<std::int32_t>(key & 0xffffffff);
    std::int64_t const z = dimension == 2 ? 0 : (key - y) / (std::int64_t{1} << 32);
    demand(r == 0 || set.row_keys[r - 1] < key);
    demand(-limit < y && y < limit && -limit < z && z < limit);
    demand(set.row_ptr[r] < set.row_ptr[r + 1]);
    for (auto i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i) {
      auto const& interval = set.intervals[static_cast<std::size_t>(i)];
      demand(-limit < interval.begin && interval.begin < interval.end && interval.end <= limit);
      demand(i == set.row_ptr[r] || set.intervals[static_cast<std::size_t>(i) - 1].end < interval.begin);
    }
  }
}
