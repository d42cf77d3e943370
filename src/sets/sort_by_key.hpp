#pragma once
/// Sorts items by the row that they belong to.

#include <cstring>

#include <sparse/base/interval.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse {
namespace detail {

struct HasLesserKey {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return a.key < b.key;
  }
};

/// One pass of a radix sort: moves `count` values to the order of one digit. Equal digits keep their order. Returns
/// false, and moves nothing, when all values have the same digit.
template <class T, class Digit>
bool sort_by_digit(T const* from, T* to, Index count, std::vector<Index>& starts, Digit const& digit) {
  std::fill(starts.begin(), starts.end(), 0);
  for (Index i = 0; i < count; ++i) ++starts[digit(from[i])];
  if (starts[digit(from[0])] == count) return false;
  Index sum = 0;
  for (Index& start : starts) {
    Index const size = start;
    start = sum;
    sum += size;
  }
  for (Index i = 0; i < count; ++i) to[starts[digit(from[i])]++] = from[i];
  return true;
}

/// Sorts values by their member `key`; equal keys keep their order.
/// Cost on the host: serial, linear; a pass over the values for each 11 bits of the extent in y and in z. One fence.
template <class T>
void stable_sort_by_key(Context const& context, Buffer<T>& values) {
  Index const count = values.size();
  if (count == 0) return;
  if constexpr (!is_host_backend) return stable_sort(context, values.data(), count, HasLesserKey{});
  context.fence();
  T* from = values.data();
  if (std::is_sorted(from, from + count, HasLesserKey{})) return;
  Buffer<T> scratch(context, count);
  T* to = scratch.data();
  Vec<Coord, 3> least = Vec<Coord, 3>::filled(coord_limit), greatest = Vec<Coord, 3>::filled(-coord_limit);
  for (Index i = 0; i < count; ++i) {
    Vec<Coord, 3> const cell = cell_at<3>(from[i].key, 0);
    for (int axis = 1; axis < 3; ++axis) {
      least[axis] = std::min(least[axis], cell[axis]);
      greatest[axis] = std::max(greatest[axis], cell[axis]);
    }
  }
  constexpr int bits = 11;
  std::vector<Index> starts(std::size_t{1} << bits);
  for (int axis = 1; axis < 3; ++axis)
    for (int shift = 0; shift < 32 && ((std::int64_t{greatest[axis]} - least[axis]) >> shift) > 0; shift += bits) {
      auto const digit = [&](T const& value) {
        auto const distance = static_cast<std::uint32_t>(cell_at<3>(value.key, 0)[axis] - least[axis]);
        return static_cast<std::size_t>(distance >> shift & ((1u << bits) - 1));
      };
      if (sort_by_digit(from, to, count, starts, digit)) std::swap(from, to);
    }
  if (from != values.data()) std::swap(values, scratch);
}

}  // namespace detail
}  // namespace sparse
