#pragma once
/// From fields to sets.

#include <sparse/fields/field.hpp>
#include <sparse/sets/assemble.hpp>

namespace sparse {
namespace detail {

template <class Predicate>
struct SelectRow {
  static constexpr Index block = 64;
  SetView domain;
  Predicate predicate;

  Index capacity() const { return (domain.cell_count + domain.interval_count) / 2; }
  KOKKOS_FUNCTION Index bound(Index r) const {
    Index count = 0;
    for (Index i = domain.row_ptr[r]; i < domain.row_ptr[r + 1]; ++i)
      count += (Index{domain.intervals[i].end} - domain.intervals[i].begin + 1) / 2;
    return count;
  }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    for (Index i = domain.row_ptr[r]; i < domain.row_ptr[r + 1]; ++i) {
      Interval const interval = domain.intervals[i];
      Index const first = domain.cell_offsets[i] - interval.begin;
      bool is_open = false;
      for (Index x = interval.begin; x < interval.end; x += block) {
        Index const left = interval.end - x;
        out = append_block(first + x, x, left < block ? left : block, is_open, out);
      }
      if (is_open) (out++)->end = interval.end;
    }
    return out;
  }

  /// Continues the row with `count` cells from x on. `is_open` says whether the cell before belongs to the result.
  /// Predicate values are collected as bits: that vectorises, and a block without changes needs no further work.
  KOKKOS_FORCEINLINE_FUNCTION Interval* append_block(Index cell, Index x, Index count, bool& is_open,
                                                     Interval* out) const {
    std::uint64_t bits = 0;
    if (count == block)
      for (Index j = 0; j < block; ++j) bits |= std::uint64_t{predicate(cell + j)} << j;
    else
      for (Index j = 0; j < count; ++j) bits |= std::uint64_t{predicate(cell + j)} << j;
    std::uint64_t const valid = ~std::uint64_t{0} >> (block - count);
    std::uint64_t changes = (bits ^ (bits << 1 | (is_open ? 1u : 0u))) & valid;
    for (; changes != 0; changes &= changes - 1) {
      auto const at = static_cast<Coord>(x + trailing_zeros(changes));
      if (is_open)
        (out++)->end = at;
      else
        out->begin = at;
      is_open = !is_open;
    }
    return out;
  }

  KOKKOS_FORCEINLINE_FUNCTION static int trailing_zeros(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return __ffsll(static_cast<long long>(bits)) - 1;
#else
    return __builtin_ctzll(bits);
#endif
  }
};

template <class T>
struct IsAbove {
  T const* values;
  T bound;
  KOKKOS_FUNCTION bool operator()(Index cell) const { return values[cell] > bound || values[cell] < -bound; }
};

}  // namespace detail

/// The cells of `domain` for which `predicate(Index cell)` is true. `cell` is the cell's position in the domain.
/// Cost: one call per cell.
template <int Dim, class Predicate>
IntervalSet<Dim> select(IntervalSet<Dim> const& domain, Predicate const& predicate) {
  SetView const view = domain.view();
  return assemble<Dim>(domain.context(), "sparse::select::cells", view.row_keys, view.row_count,
                       detail::SelectRow<Predicate>{view, predicate});
}

/// The cells where |value| > bound. A NaN is not above anything. Cost: one pass over the cells.
/// @throws std::invalid_argument  if there is no such component
template <class T, int Dim>
IntervalSet<Dim> threshold(Field<T, Dim> const& field, std::type_identity_t<T> bound, int component = 0) {
  return select(field.domain(), detail::IsAbove<T>{field.component(component), bound});
}

}  // namespace sparse
