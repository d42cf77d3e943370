#pragma once
/// Searches and sorts inside kernels.

#include <sparse/base/config.hpp>

namespace sparse::detail {

/// The last of `count` >= 1 positions whose value `at(i)` is at most `wanted`. Values increase. Returns 0 if there is
/// none.
template <class Value, class At>
KOKKOS_FORCEINLINE_FUNCTION Index last_at_most(Index count, Value wanted, At const& at) {
  Index low = 0, high = count;
  while (high - low > 1) {
    Index const middle = low + (high - low) / 2;
    if (at(middle) <= wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Shell sort, which needs no memory and no recursion. Gaps: Ciura (2001).
template <class Item, class IsLess>
KOKKOS_FUNCTION void sort_in_place(Item* items, Index count, IsLess const& is_less) {
  constexpr int small_gaps[] = {1, 4, 10, 23, 57, 132, 301, 701};
  int g = 0;
  Index gap = 1;
  while (gap < count) gap = ++g < 8 ? small_gaps[g] : 9 * gap / 4;
  while (g-- > 0) {
    gap = g < 8 ? small_gaps[g] : (4 * gap + 8) / 9;
    for (Index i = gap; i < count; ++i) {
      Item const item = items[i];
      Index j = i;
      for (; j >= gap && is_less(item, items[j - gap]); j -= gap) items[j] = items[j - gap];
      items[j] = item;
    }
  }
}

}  // namespace sparse::detail
