#pragma once
/// Sets as differences, for files. It does not use Kokkos, so that fuzzers can build it alone.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sparse::io {

/// A set as differences between consecutive numbers, most of which are small. See sparse/io/sets/set_file.hpp.
struct CodedSet {
  std::vector<std::int64_t> row_steps, interval_counts;  // [rows]
  std::vector<std::int32_t> begins, lengths;             // [intervals]
};

/// `Host` is a `HostSet`, or has its first three members.
template <class Host>
CodedSet encode(Host const& set) {
  CodedSet code;
  std::int64_t key = 0;
  std::int32_t row_begin = 0;
  for (std::size_t r = 0; r < set.row_keys.size(); ++r) {
    code.row_steps.push_back(set.row_keys[r] - key);
    code.interval_counts.push_back(set.row_ptr[r + 1] - set.row_ptr[r]);
    key = set.row_keys[r];
    std::int32_t before = row_begin;
    for (auto i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i) {
      auto const& interval = set.intervals[static_cast<std::size_t>(i)];
      if (i == set.row_ptr[r]) row_begin = interval.begin;
      code.begins.push_back(interval.begin - before);  // coordinates have 31 bits, so differences fit
      code.lengths.push_back(interval.end - interval.begin);
      before = interval.end;
    }
  }
  return code;
}

/// Undoes `encode`. Accepts any numbers; the result is canonical and in the range of coordinates.
/// @throws std::runtime_error  naming the broken part
template <class Host>
Host decode(int dimension, CodedSet const& code) {
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  auto const demand = [](bool holds, char const* what, std::size_t row) {
    if (!holds) throw std::runtime_error("row " + std::to_string(row) + ": " + what);
  };
  auto const in_range = [](std::int64_t coordinate) { return coordinate > -limit && coordinate < limit; };
  if (code.interval_counts.size() != code.row_steps.size() || code.lengths.size() != code.begins.size())
    throw std::runtime_error("its arrays have different lengths");

  Host set;
  std::size_t const rows = code.row_steps.size(), intervals = code.begins.size();
  set.row_keys.reserve(rows);
  set.row_ptr.reserve(rows + 1);
  set.intervals.reserve(intervals);
  set.row_ptr.push_back(0);
  std::int64_t key = 0, row_begin = 0, cells = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    demand(r == 0 || code.row_steps[r] > 0, "the keys do not increase", r);
    demand(!__builtin_add_overflow(key, code.row_steps[r], &key), "the key is out of range", r);
    // As in `cell_at`: y is the lower half with its sign, z the rest.
    auto const y = dimension == 2 ? key : static_cast<std::int32_t>(static_cast<std::uint32_t>(key));
    auto const z = dimension == 2 ? 0 : (key >> 32) + (y < 0);
    demand(in_range(y) && in_range(z), "the key is out of range", r);
    auto const first = set.intervals.size(), count = static_cast<std::size_t>(code.interval_counts[r]);
    demand(code.interval_counts[r] > 0 && count <= intervals - first, "the number of intervals is wrong", r);
    std::int64_t before = row_begin;
    for (std::size_t i = first; i < first + count; ++i) {
      std::int64_t const begin = before + code.begins[i], end = begin + code.lengths[i];
      demand(i == first || code.begins[i] > 0, "intervals overlap or touch", r);
      demand(code.lengths[i] > 0, "an interval is empty", r);
      demand(begin > -limit && end <= limit, "an interval is out of range", r);
      demand(!__builtin_add_overflow(cells, end - begin, &cells), "there are more cells than 64 bits count", r);
      if (i == first) row_begin = begin;
      set.intervals.push_back({static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
      before = end;
    }
    set.row_keys.push_back(key);
    set.row_ptr.push_back(static_cast<std::int64_t>(set.intervals.size()));
  }
  if (set.intervals.size() != intervals) throw std::runtime_error("it has intervals that are in no row");
  return set;
}

}  // namespace sparse::io
