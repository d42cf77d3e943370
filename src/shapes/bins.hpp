#pragma once
/// Sorts items into bins: count, scan, fill, then sort each bin.

#include <sparse/base/parallel.hpp>

#include "sets/search.hpp"

namespace sparse {

/// Bin b holds the items `starts[b].value` to `starts[b + 1].value`.
template <class Item>
struct Bins {
  Buffer<Count> starts;  // [bins + 1]
  Buffer<Item> items;
};

namespace detail {

/// The source of item number `item`. The items of source s begin with number `starts[s]`.
KOKKOS_FUNCTION inline Index source_of(Count const* starts, Index source_count, Index item) {
  return last_at_most(source_count, item, [=](Index s) { return starts[s].value; });
}

template <class Source>
struct CountItems {
  Source source;
  KOKKOS_FUNCTION Count operator()(Index s) const { return {source.count(s)}; }
};

template <class Source>
struct CountBin {
  Source source;
  Count const* item_starts;
  Index source_count;
  Index* sizes;
  KOKKOS_FUNCTION void operator()(Index item) const {
    Index const s = source_of(item_starts, source_count, item);
    Kokkos::atomic_fetch_add(sizes + source.bin(s, item - item_starts[s].value), Index{1});
  }
};

template <class Source, class Item>
struct FillBin {
  Source source;
  Count const* item_starts;
  Index source_count;
  Count const* starts;
  Index* left;
  Item* items;
  KOKKOS_FUNCTION void operator()(Index item) const {
    Index const s = source_of(item_starts, source_count, item), i = item - item_starts[s].value;
    Index const bin = source.bin(s, i);
    items[starts[bin].value + Kokkos::atomic_fetch_add(left + bin, Index{-1}) - 1] = source.item(s, i);
  }
};

struct SizeOfBin {
  Index const* sizes;
  KOKKOS_FUNCTION Count operator()(Index bin) const { return {sizes[bin]}; }
};

template <class Item>
struct SortBin {
  Count const* starts;
  Item* items;
  KOKKOS_FUNCTION void operator()(Index bin) const {
    sort_in_place(items + starts[bin].value, starts[bin + 1].value - starts[bin].value,
                  [](Item const& a, Item const& b) { return a < b; });
  }
};

struct FillZero {
  Index* values;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = 0; }
};

}  // namespace detail

/// Sorts items into bins. Source s has items `source.item(s, i)` for i < `source.count(s)`, and each goes to bin
/// `source.bin(s, i)`. Each bin is then sorted by `<`. If items that `<` does not order are equal, the result does not
/// depend on the number of threads.
/// @param label  names the kernels: `sparse::<topic>::<step>`
template <class Item, class Source>
Bins<Item> sort_into_bins(Context const& context, std::string const& label, Index source_count, Source const& source,
                          Index bin_count) {
  auto const item_starts =
      count_and_scan<Count>(context, label + "_count_items", source_count, detail::CountItems<Source>{source});
  Index const item_count = read_back(context, item_starts.data() + source_count).value;
  Buffer<Index> const sizes(context, bin_count);
  parallel_for(context, label + "_clear_bins", bin_count, detail::FillZero{sizes.data()});
  parallel_for(context, label + "_count_bins", item_count,
               detail::CountBin<Source>{source, item_starts.data(), source_count, sizes.data()});
  Bins<Item> bins;
  bins.starts = count_and_scan<Count>(context, label + "_scan_bins", bin_count, detail::SizeOfBin{sizes.data()});
  bins.items = Buffer<Item>(context, item_count);
  parallel_for(context, label + "_fill_bins", item_count,
               detail::FillBin<Source, Item>{source, item_starts.data(), source_count, bins.starts.data(), sizes.data(),
                                             bins.items.data()});
  parallel_for(context, label + "_sort_bins", bin_count, detail::SortBin<Item>{bins.starts.data(), bins.items.data()});
  return bins;
}

}  // namespace sparse
