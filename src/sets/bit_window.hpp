#pragma once
/// Dilation and erosion of dense rows on the host: rows become bits, and a window of rows is combined word by word.
///
/// The cost of a row grows with its words and intervals, but not with the height of the window. Merging the intervals
/// would cost a branch misprediction or a chain of dependent loads for each interval.

#include <algorithm>
#include <bit>
#include <cstdint>

#include <sparse/base/compat.hpp>
#include <sparse/sets/assemble.hpp>

namespace sparse::detail {

/// The rows of a set in the window of a candidate row.
struct WindowRows {
  Index first, last;
};

/// The union (or intersection) of the rows in a window. First, each interval is made longer (or shorter) at both ends.
template <bool is_dilation>
class BitWindow {
public:
  /// The data that all rows share.
  struct Frame {
    SetView set;
    WindowRows const* windows;
    Coord growth;         ///< cells that intervals grow or shrink by at each end
    Index height;         ///< rows in a full window
    std::int64_t origin;  ///< x of the first bit
    Index word_count;     ///< words per row; a row has one bit more than the longest row needs
    std::uint64_t* rows;  ///< [threads, row_count()] the window's rows for each thread, and three rows of scratch

    Index row_count() const { return height + 3; }
  };

  explicit BitWindow(Frame const& frame) : frame_(frame) {}

  /// The operation that writes the rows of one part.
  BitWindow for_part(Index part) const {
    BitWindow result = *this;
    result.frame_.rows += part * frame_.row_count() * frame_.word_count;
    return result;
  }

  Index bound(Index r) const {
    WindowRows const window = frame_.windows[r];
    // Intervals of the result, or the gaps between them, are at least as wide as twice the growth.
    Index const most = 64 * frame_.word_count / (2 * Index{frame_.growth} + 2) + 2;
    return std::min(most, frame_.set.row_ptr[window.last] - frame_.set.row_ptr[window.first]);
  }

  Interval* operator()(Index r, Interval* out) {
    WindowRows const window = frame_.windows[r];
    if (window.first == window.last) return out;
    for (loaded_ = std::max(loaded_, window.first); loaded_ < window.last; ++loaded_) load(loaded_);
    combine(window);
    return write(out);
  }

private:
  std::uint64_t* slot(Index row) const { return frame_.rows + row % frame_.height * frame_.word_count; }

  /// Sets the bits of a row of the set.
  void load(Index r) {
    std::uint64_t* const words = slot(r);
    std::fill(words, words + frame_.word_count, 0);
    // Each end flips all bits behind it: those in its word here, those in later words by the carry below.
    auto const turn = [&](std::int64_t x) {
      auto const bit = static_cast<std::uint64_t>(x - frame_.origin);
      words[bit / 64] ^= ~std::uint64_t{0} << (bit % 64);
    };
    Row const row = frame_.set.row(r);
    Index const last = row.interval_count() - 1;
    std::int64_t const growth = frame_.growth;
    if constexpr (is_dilation) {  // two ends at the same place cancel: the gap closes
      turn(row[0].begin - growth);
      for (Index i = 0; i < last; ++i) {
        turn(row[i].end + growth);
        turn(std::max(row[i].end + growth, row[i + 1].begin - growth));
      }
      turn(row[last].end + growth);
    } else {
      for (Index i = 0; i <= last; ++i) {
        turn(row[i].begin + growth);
        turn(std::max(row[i].begin + growth, row[i].end - growth));
      }
    }
    std::uint64_t carry = 0;
    for (Index w = 0; w < frame_.word_count; ++w) {
      std::uint64_t const word = words[w];
      words[w] = word ^ carry;
      carry ^= 0 - (word >> 63);
    }
  }

  std::uint64_t* work_row(int i) const { return frame_.rows + (frame_.height + i) * frame_.word_count; }

  void combine(WindowRows window) const {
    Index const n = frame_.word_count;
    std::uint64_t* const result = work_row(0);
    // Four rows at a time; the last row may occur twice.
    auto const row = [&](Index r) { return slot(std::min(r, window.last - 1)); };
    for (Index r = window.first; r < window.last; r += 4) {
      std::uint64_t const *const p = row(r), *const q = row(r + 1), *const s = row(r + 2), *const t = row(r + 3);
      std::uint64_t const* const before = r == window.first ? p : result;
      SPARSE_INDEPENDENT_ITERATIONS
      for (Index w = 0; w < n; ++w)
        result[w] = is_dilation ? before[w] | p[w] | q[w] | s[w] | t[w] : before[w] & p[w] & q[w] & s[w] & t[w];
    }
  }

  /// The bits that differ from the bit before them are the ends of the intervals.
  Interval* write(Interval* out) const {
    Index const n = frame_.word_count;
    std::uint64_t const* const words = work_row(0);
    std::uint64_t* const changes = work_row(1);
    changes[0] = words[0] ^ words[0] << 1;
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index w = 1; w < n; ++w) changes[w] = words[w] ^ (words[w] << 1 | words[w - 1] >> 63);
    // Which words have changes cannot be predicted. So they are listed first, without branches.
    std::uint64_t* const places = work_row(2);
    Index place_count = 0;
    for (Index w = 0; w < n; ++w) {
      places[place_count] = static_cast<std::uint64_t>(w);
      place_count += changes[w] != 0;
    }
    auto* end = reinterpret_cast<Coord*>(out);
    for (Index p = 0; p < place_count; ++p) {
      auto const w = static_cast<Index>(places[p]);
      std::uint64_t word = changes[w];
      do {
        *end++ = static_cast<Coord>(frame_.origin + 64 * w + std::countr_zero(word));
        word &= word - 1;
      } while (word != 0);
    }
    return reinterpret_cast<Interval*>(end);
  }

  Frame frame_;
  Index loaded_ = 0;
};

/// The rows of a dilation along y. The window of each has the rows of the set within `radius`.
struct DilatedRows {
  SetView set;
  Coord radius;
  RowKey* keys;
  WindowRows* windows;

  /// Number of result rows for which row i of the set is the first row in the window.
  Count operator()(Index i) const {
    Index const height = 2 * Index{radius} + 1;
    return {i == 0 ? height : std::min<RowKey>(height, set.key(i) - set.key(i - 1))};
  }
  void fill(Index i, Index start) const {
    Index const count = (*this)(i).value, height = 2 * Index{radius} + 1;
    for (Index k = 0; k < count; ++k) {
      RowKey const key = set.key(i) + radius + 1 - count + k;
      // The window is full if row i + height - 1 of the set is still in it.
      Index const last = std::min(i + height, set.row_count);
      keys[start + k] = key;
      windows[start + k] = {i, set.key(last - 1) <= key + radius ? last : set.lower_row(key + radius + 1)};
    }
  }
};

/// Grows the set by (`growth`, `radius`) along x and y, or shrinks it. Host only.
template <bool is_dilation, int Dim>
IntervalSet<Dim> combine_bit_window(IntervalSet<Dim> const& set, Coord growth, Coord radius) {
  Context const context = set.context();
  SetView const view = set.rows();
  Index const height = 2 * Index{radius} + 1;

  Buffer<RowKey> keys;
  Buffer<WindowRows> windows;
  if constexpr (is_dilation) {
    auto const starts = count_and_scan<Count>(context, "sparse::morphology::count_dilated_rows", view.row_count,
                                              DilatedRows{view, radius, nullptr, nullptr});
    Index const count = read_back(context, starts.data() + view.row_count).value;
    keys = Buffer<RowKey>(context, count);
    windows = Buffer<WindowRows>(context, count);
    DilatedRows const rows{view, radius, keys.data(), windows.data()};
    Count const* const start = starts.data();
    parallel_for(context, "sparse::morphology::dilated_rows", view.row_count,
                 [=](Index i) { rows.fill(i, start[i].value); });
  } else {
    windows = Buffer<WindowRows>(context, view.row_count);
    WindowRows* const window = windows.data();
    parallel_for(context, "sparse::morphology::full_windows", view.row_count, [=](Index i) {
      bool const is_full = i >= radius && i + radius < view.row_count && view.key(i - radius) == view.key(i) - radius &&
                           view.key(i + radius) == view.key(i) + radius;
      window[i] = is_full ? WindowRows{i - radius, i + radius + 1} : WindowRows{0, 0};
    });
  }

  Box<Dim> const bounds = set.bounds();
  Coord const margin = is_dilation ? growth : 0;
  std::int64_t const origin = std::int64_t{bounds.begin[0]} - margin;
  Index const word_count = (bounds.end[0] + margin - origin) / 64 + 1;
  typename BitWindow<is_dilation>::Frame frame{view, windows.data(), growth, height, origin, word_count, nullptr};
  Buffer<std::uint64_t> const rows(context, compat::concurrency() * frame.row_count() * word_count);
  frame.rows = rows.data();
  BitWindow<is_dilation> const operation(frame);
  return assemble<Dim>(context, is_dilation ? "sparse::morphology::dilate_bits" : "sparse::morphology::erode_bits",
                       is_dilation ? keys.data() : view.row_keys, windows.size(), operation);
}

/// The largest radius for one call of `combine_bit_window`; 0 if merging is cheaper. Bits pay where rows have many
/// intervals and a window of rows fits into the cache.
template <int Dim>
Coord bit_window_radius(IntervalSet<Dim> const& set, Coord radius) {
  constexpr Index most_words = Index{1} << 14;
  Box<Dim> const bounds = set.bounds();
  Index const words_per_row = (Index{bounds.end[0]} - bounds.begin[0] + 2 * Index{radius}) / 64 + 1;
  bool const pays = words_per_row <= most_words && words_per_row * set.row_count() <= 8 * set.interval_count();
  return pays ? std::min<Coord>(radius, 32) : 0;
}

}  // namespace sparse::detail
