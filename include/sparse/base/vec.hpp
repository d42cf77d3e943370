#pragma once
/// Short fixed vectors for coordinates and states, and boxes of cells.

#include <limits>

#include <sparse/base/compat.hpp>
#include <sparse/base/error.hpp>

namespace sparse {

/// N values of type T; an aggregate, so `Vec<Coord, 2>{3, 4}` and plain braces work.
template <class T, int N>
struct Vec {
  /// The components.
  T data[N];

  /// A component, 0 <= i < N.
  KOKKOS_FORCEINLINE_FUNCTION constexpr T& operator[](int i) { return data[i]; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr T const& operator[](int i) const { return data[i]; }

  /// The vector whose entries are all `value`.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Vec filled(T value) {
    Vec v{};
    SPARSE_UNROLL
    for (int i = 0; i < N; ++i) v[i] = value;
    return v;
  }
  /// `length` along `axis`, zero elsewhere. The axis is not checked.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Vec along(int axis, T length) {
    Vec v{};
    v[axis] = length;
    return v;
  }

  /// Component by component.
  KOKKOS_FORCEINLINE_FUNCTION constexpr Vec& operator+=(Vec const& b) {
    SPARSE_UNROLL
    for (int i = 0; i < N; ++i) data[i] += b[i];
    return *this;
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr Vec& operator-=(Vec const& b) {
    SPARSE_UNROLL
    for (int i = 0; i < N; ++i) data[i] -= b[i];
    return *this;
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr Vec& operator*=(T s) {
    SPARSE_UNROLL
    for (int i = 0; i < N; ++i) data[i] *= s;
    return *this;
  }
};

/// Component by component; `==` is true if all are equal.
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION constexpr Vec<T, N> operator+(Vec<T, N> a, Vec<T, N> const& b) {
  return a += b;
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION constexpr Vec<T, N> operator-(Vec<T, N> a, Vec<T, N> const& b) {
  return a -= b;
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION constexpr Vec<T, N> operator*(T s, Vec<T, N> a) {
  return a *= s;
}
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator==(Vec<T, N> const& a, Vec<T, N> const& b) {
  SPARSE_UNROLL
  for (int i = 0; i < N; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

/// The cells with begin <= cell < end on every axis.
template <int Dim>
struct Box {
  /// The first cell, and one past the last along each axis.
  Vec<Coord, Dim> begin, end;

  /// True when no cell is inside.
  constexpr bool is_empty() const {
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis)
      if (end[axis] <= begin[axis]) return true;
    return false;
  }
  /// Number of cells.
  /// @throws std::invalid_argument  if it does not fit into 64 bits
  constexpr Index cell_count() const {
    if (is_empty()) return 0;
    Index count = 1;
    for (int axis = 0; axis < Dim; ++axis) {
      Index const length = Index{end[axis]} - begin[axis];
      if (length > std::numeric_limits<Index>::max() / count) fail("a box has more cells than 64 bits count");
      count *= length;
    }
    return count;
  }
  friend constexpr bool operator==(Box const& a, Box const& b) { return a.begin == b.begin && a.end == b.end; }
};

}  // namespace sparse
