#pragma once
/// From fields to sets.

#include <sparse/assemble.hpp>
#include <sparse/field.hpp>

namespace sparse {
namespace detail {

template <class Predicate>
struct SelectRow {
  SetView domain;
  Predicate predicate;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    for (Index i = domain.row_ptr[r]; i < domain.row_ptr[r + 1]; ++i) {
      Interval const interval = domain.intervals[i];
      Index const first = domain.cell_offsets[i] - interval.begin;
      for (Coord x = interval.begin; x < interval.end; ++x)
        if (predicate(first + x)) emit(x, x + 1);
    }
  }
};

template <class T>
struct IsAbove {
  T const* values;
  T bound;
  KOKKOS_FUNCTION bool operator()(Index cell) const { return values[cell] > bound || values[cell] < -bound; }
};

}  // namespace detail

/// The cells of `domain` for which `predicate(Index cell)` is true, a cell's index being its position in the domain.
/// Cost: two calls per cell.
template <int Dim, class Predicate>
IntervalSet<Dim> select(IntervalSet<Dim> const& domain, Predicate const& predicate) {
  SetView const view = domain.view();
  return assemble<Dim>(domain.context(), "sparse::select::cells", view.row_keys, view.row_count,
                       detail::SelectRow<Predicate>{view, predicate});
}

/// The cells where |value| > bound. A NaN is not above anything.
/// @throws std::invalid_argument  if there is no such component
template <class T, int Dim>
IntervalSet<Dim> threshold(Field<T, Dim> const& field, std::type_identity_t<T> bound, int component = 0) {
  return select(field.domain(), detail::IsAbove<T>{field.component(component), bound});
}

}  // namespace sparse
