#pragma once
/// The positions of a field's minimum and maximum.

#include <sparse/fields/field.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse {

/// A value, the cell that has it, and the number of this cell in the domain. `index` is -1 when there is no such cell.
template <class T, int Dim>
struct Located {
  /// The value, its cell, and the cell's position in the set; -1 if there is none.
  T value{};
  Vec<Coord, Dim> cell{};
  Index index = -1;
};

namespace detail {

/// Finds the greatest or the least value, ignoring NaN. Of equal values it takes the first.
template <class T, bool is_greatest>
struct FindExtreme {
  struct Candidate {
    T value;
    Index index;
  };
  using value_type = Candidate;
  T const* values;

  KOKKOS_FORCEINLINE_FUNCTION static bool is_better(T a, Index a_index, T b, Index b_index) {
    if (a_index < 0 || b_index < 0) return a_index >= 0;
    return a != b ? (a > b) == is_greatest : a_index < b_index;
  }
  KOKKOS_FUNCTION void init(Candidate& best) const { best = {T(), -1}; }
  KOKKOS_FUNCTION void join(Candidate& best, Candidate const& other) const {
    if (is_better(other.value, other.index, best.value, best.index)) best = other;
  }
  // Kokkos 3 joins volatile partial results.
  KOKKOS_FUNCTION void join(Candidate volatile& best, Candidate const volatile& other) const {
    if (!is_better(other.value, other.index, best.value, best.index)) return;
    best.value = other.value;
    best.index = other.index;
  }
  KOKKOS_FUNCTION void operator()(Index i, Candidate& best) const {
    T const value = values[i];
    if (value == value && is_better(value, i, best.value, best.index)) best = {value, i};
  }
};

template <bool is_greatest, class T, int Dim>
Located<T, Dim> find_extreme(char const* label, Field<T, Dim> const& field, int component) {
  using Find = FindExtreme<T, is_greatest>;
  auto const best = reduce_by_itself<typename Find::Candidate>(field.context(), label, field.cell_count(),
                                                               Find{field.component(component)});
  if (best.index < 0) return {};
  return {best.value, cell_of(field.domain(), best.index), best.index};
}

}  // namespace detail

/// The least value of one component and the first cell in storage order that has it. NaN is ignored. The index is -1 if
/// there is no other value. Waits for the value.
/// @throws std::invalid_argument  if there is no such component
template <class T, int Dim>
Located<T, Dim> find_minimum(Field<T, Dim> const& field, int component = 0) {
  return detail::find_extreme<false>("sparse::field::find_minimum", field, component);
}

/// The same for the greatest value.
/// @throws std::invalid_argument  if there is no such component
template <class T, int Dim>
Located<T, Dim> find_maximum(Field<T, Dim> const& field, int component = 0) {
  return detail::find_extreme<true>("sparse::field::find_maximum", field, component);
}

}  // namespace sparse
