#pragma once
/// The greatest |value| of some cells or faces.

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::incompressible::detail {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
/// The bits of |value|. They have the same order as the values. 0 for NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Bits<T> bits_of_size(T value) {
  T const size = value < 0 ? -value : value, known = size == size ? size : T(0);
  Bits<T> bits;
  std::memcpy(&bits, &known, sizeof(T));
  return bits;
}

/// The bits of |value|: those of infinity, or more, for what is not finite.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Bits<T> bits_of_magnitude(T value) {
  Bits<T> bits;
  std::memcpy(&bits, &value, sizeof(T));
  return bits & std::numeric_limits<Bits<T>>::max();
}

/// The number whose size has these bits. 0 for a maximum of nothing, which is the lowest number.
template <class T>
double size_of_bits(Bits<T> bits) {
  T size;
  std::memcpy(&size, &bits, sizeof(T));
  return bits > 0 ? static_cast<double>(size) : 0;
}

/// The maximum is taken over integers, because that vectorises. A maximum of floating-point numbers does not.
template <class T, int Dim>
double greatest_size(Subset<Dim> const& where, T const* values) {
  return size_of_bits<T>(reduce<Kokkos::Max, Bits<T>>(
      "sparse::incompressible::greatest_speed", where,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Bits<T>& partial) SPARSE_INLINE_LAMBDA {
        Bits<T> const bits = bits_of_size(values[p.cell]);
        partial = bits > partial ? bits : partial;
      }));
}
/// The same of a difference.
template <class T, int Dim>
double greatest_difference(Subset<Dim> const& where, T const* x, T const* y) {
  return size_of_bits<T>(reduce<Kokkos::Max, Bits<T>>(
      "sparse::incompressible::greatest_change", where,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Bits<T>& partial) SPARSE_INLINE_LAMBDA {
        Bits<T> const bits = bits_of_size(x[p.cell] - y[p.cell]);
        partial = bits > partial ? bits : partial;
      }));
}

}  // namespace sparse::incompressible::detail
