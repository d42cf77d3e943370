#pragma once
/// What the set engine is measured against: the same operations by other means, each written as its users would.

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include <boost/icl/interval_set.hpp>
#include <roaring/roaring.h>

#include <sparse/sets/interval_set.hpp>

namespace peers {

using sparse::Coord;
using sparse::HostSet;
using sparse::Index;
using sparse::Interval;

enum class Op { either, both, first_only, exactly_one };

// ---- sorted intervals, merged by hand: one thread, one pass, memory that is there already

struct Rows {
  std::vector<Index> row_ptr;
  std::vector<Interval> intervals;
};

/// One entry per row of a domain of `height` rows.
inline Rows dense_rows(HostSet<2> const& set, Coord height) {
  Rows rows{{0}, set.intervals};
  std::size_t r = 0;
  for (Coord y = 0; y < height; ++y) {
    bool const is_there = r < set.row_keys.size() && set.row_keys[r] == y;
    r += is_there;
    rows.row_ptr.push_back(set.row_ptr[r]);
  }
  return rows;
}

inline Interval* merge_union(Interval const* a, Interval const* a_end, Interval const* b, Interval const* b_end,
                             Interval* out) {
  if (a == a_end && b == b_end) return out;
  auto const next = [&] { return b == b_end || (a != a_end && a->begin <= b->begin) ? *a++ : *b++; };
  Interval open = next();
  while (a != a_end || b != b_end) {
    Interval const interval = next();
    if (interval.begin <= open.end) {
      if (interval.end > open.end) open.end = interval.end;
    } else {
      *out++ = open;
      open = interval;
    }
  }
  *out++ = open;
  return out;
}

inline Interval* merge_intersection(Interval const* a, Interval const* a_end, Interval const* b, Interval const* b_end,
                                    Interval* out) {
  while (a != a_end && b != b_end) {
    Coord const begin = std::max(a->begin, b->begin), end = std::min(a->end, b->end);
    if (begin < end) *out++ = {begin, end};
    if (a->end < b->end)
      ++a;
    else
      ++b;
  }
  return out;
}

inline Interval* merge_difference(Interval const* a, Interval const* a_end, Interval const* b, Interval const* b_end,
                                  Interval* out) {
  for (; a != a_end; ++a) {
    Coord begin = a->begin;
    while (b != b_end && b->end <= begin) ++b;
    for (; b != b_end && b->begin < a->end; ++b) {
      if (begin < b->begin) *out++ = {begin, b->begin};
      begin = b->end;
      if (begin >= a->end) break;
    }
    if (begin < a->end) *out++ = {begin, a->end};
  }
  return out;
}

inline Interval* merge_symmetric_difference(Interval const* a, Interval const* a_end, Interval const* b,
                                            Interval const* b_end, Interval* out) {
  auto const* x = reinterpret_cast<Coord const*>(a);
  auto const* const x_end = reinterpret_cast<Coord const*>(a_end);
  auto const* y = reinterpret_cast<Coord const*>(b);
  auto const* const y_end = reinterpret_cast<Coord const*>(b_end);
  auto* ends = reinterpret_cast<Coord*>(out);
  while (x != x_end && y != y_end) {
    if (*x < *y)
      *ends++ = *x++;
    else if (*y < *x)
      *ends++ = *y++;
    else
      ++x, ++y;
  }
  while (x != x_end) *ends++ = *x++;
  while (y != y_end) *ends++ = *y++;
  return reinterpret_cast<Interval*>(ends);
}

/// Writes the result to `out`, which is large enough; returns the number of its intervals.
inline Index merge(Rows const& a, Rows const& b, Op op, Rows& out) {
  Interval* end = out.intervals.data();
  out.row_ptr[0] = 0;
  for (std::size_t y = 0; y + 1 < a.row_ptr.size(); ++y) {
    Interval const* const a_first = a.intervals.data() + a.row_ptr[y];
    Interval const* const a_last = a.intervals.data() + a.row_ptr[y + 1];
    Interval const* const b_first = b.intervals.data() + b.row_ptr[y];
    Interval const* const b_last = b.intervals.data() + b.row_ptr[y + 1];
    switch (op) {
    case Op::either:
      end = merge_union(a_first, a_last, b_first, b_last, end);
      break;
    case Op::both:
      end = merge_intersection(a_first, a_last, b_first, b_last, end);
      break;
    case Op::first_only:
      end = merge_difference(a_first, a_last, b_first, b_last, end);
      break;
    case Op::exactly_one:
      end = merge_symmetric_difference(a_first, a_last, b_first, b_last, end);
      break;
    }
    out.row_ptr[y + 1] = end - out.intervals.data();
  }
  return end - out.intervals.data();
}

// ---- CRoaring

using Roaring = std::unique_ptr<roaring_bitmap_t, decltype(&roaring_bitmap_free)>;

inline Roaring roaring_of(HostSet<2> const& set, Coord width) {
  Roaring bitmap(roaring_bitmap_create(), &roaring_bitmap_free);
  set.for_each_interval([&](sparse::RowKey y, Interval interval, Index) {
    auto const row = static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(width);
    roaring_bitmap_add_range(bitmap.get(), row + static_cast<std::uint64_t>(interval.begin),
                             row + static_cast<std::uint64_t>(interval.end));
  });
  roaring_bitmap_run_optimize(bitmap.get());
  roaring_bitmap_shrink_to_fit(bitmap.get());
  return bitmap;
}

inline Roaring combine(Roaring const& a, Roaring const& b, Op op) {
  auto* const function = op == Op::either       ? &roaring_bitmap_or
                         : op == Op::both       ? &roaring_bitmap_and
                         : op == Op::first_only ? &roaring_bitmap_andnot
                                                : &roaring_bitmap_xor;
  return {function(a.get(), b.get()), &roaring_bitmap_free};
}

// ---- Boost.ICL, a set per row

using IclRows = std::vector<boost::icl::interval_set<Coord>>;

inline IclRows icl_of(HostSet<2> const& set, Coord height) {
  IclRows rows(static_cast<std::size_t>(height));
  set.for_each_interval([&](sparse::RowKey y, Interval interval, Index) {
    auto& row = rows[static_cast<std::size_t>(y)];
    row.insert(row.end(), boost::icl::interval<Coord>::right_open(interval.begin, interval.end));
  });
  return rows;
}

inline IclRows combine(IclRows const& a, IclRows const& b, Op op) {
  IclRows result = a;
  for (std::size_t y = 0; y < a.size(); ++y) switch (op) {
    case Op::either:
      result[y] += b[y];
      break;
    case Op::both:
      result[y] &= b[y];
      break;
    case Op::first_only:
      result[y] -= b[y];
      break;
    case Op::exactly_one:
      result[y] ^= b[y];
      break;
    }
  return result;
}

// ---- a bit per cell

struct Bits {
  Coord width, height;  ///< width: a multiple of 64
  std::vector<std::uint64_t> words;
  std::size_t row_words() const { return static_cast<std::size_t>(width) / 64; }
};

inline Bits bits_of(HostSet<2> const& set, Coord width, Coord height) {
  Bits bits{width, height,
            std::vector<std::uint64_t>(static_cast<std::size_t>(width) / 64 * static_cast<std::size_t>(height))};
  set.for_each_interval([&](sparse::RowKey y, Interval interval, Index) {
    for (Coord x = interval.begin; x < interval.end; ++x)
      bits.words[static_cast<std::size_t>(y) * bits.row_words() + static_cast<std::size_t>(x) / 64] |= std::uint64_t{1}
                                                                                                       << (x % 64);
  });
  return bits;
}

inline Index count(Bits const& bits) {
  Index n = 0;
  for (auto const word : bits.words) n += std::popcount(word);
  return n;
}

inline void combine(Bits const& a, Bits const& b, Op op, Bits& out) {
  auto const each = [&](auto const& function) {
    for (std::size_t i = 0; i < out.words.size(); ++i) out.words[i] = function(a.words[i], b.words[i]);
  };
  using W = std::uint64_t;
  switch (op) {
  case Op::either:
    return each([](W x, W y) { return x | y; });
  case Op::both:
    return each([](W x, W y) { return x & y; });
  case Op::first_only:
    return each([](W x, W y) { return x & ~y; });
  case Op::exactly_one:
    return each([](W x, W y) { return x ^ y; });
  }
}

/// One row grown by `radius` < 64 along x: shifts of 1, 2, 4, ... both ways.
inline void widen_row(std::uint64_t* row, std::uint64_t* scratch, std::size_t words, int radius) {
  for (int width = 1; width < radius + 1;) {
    int const step = std::min(width, radius + 1 - width);
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t const before = i == 0 ? 0 : row[i - 1], after = i + 1 == words ? 0 : row[i + 1];
      scratch[i] = row[i] | row[i] << step | before >> (64 - step) | row[i] >> step | after << (64 - step);
    }
    std::copy(scratch, scratch + words, row);
    width += step;
  }
}

/// Dilation by a square. `out` and `scratch` have the size of `in`.
inline void dilate(Bits const& in, int radius, Bits& out, Bits& scratch) {
  std::size_t const words = in.row_words();
  auto const height = static_cast<std::size_t>(in.height);
  std::vector<std::uint64_t> row(words);
  scratch.words = in.words;
  for (std::size_t y = 0; y < height; ++y) widen_row(scratch.words.data() + y * words, row.data(), words, radius);
  Bits *from = &scratch, *to = &out;
  for (int width = 1; width < radius + 1;) {
    int const step = std::min(width, radius + 1 - width);
    for (std::size_t y = 0; y < height; ++y) {
      std::uint64_t const* const here = from->words.data() + y * words;
      std::uint64_t const* const below =
          y < static_cast<std::size_t>(step) ? here : here - static_cast<std::size_t>(step) * words;
      std::uint64_t const* const above =
          y + static_cast<std::size_t>(step) >= height ? here : here + static_cast<std::size_t>(step) * words;
      std::uint64_t* const result = to->words.data() + y * words;
      for (std::size_t i = 0; i < words; ++i) result[i] = here[i] | below[i] | above[i];
    }
    std::swap(from, to);
    width += step;
  }
  if (from != &out) out.words = from->words;
}

}  // namespace peers
