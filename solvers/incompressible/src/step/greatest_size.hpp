#pragma once
/// The greatest |value| of some cells or faces.

#include <cstdint>
#include <cstring>
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

/// The maximum is taken over integers, because that vectorises. A maximum of floating-point numbers does not.
template <class T, int Dim>
double greatest_size(Subset<Dim> const& where, T const* values) {
  auto const greatest = reduce<Kokkos::Max, Bits<T>>(
      "sparse::incompressible::greatest_speed", where,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Bits<T>& partial) SPARSE_INLINE_LAMBDA {
        Bits<T> const bits = bits_of_size(values[p.cell]);
        partial = bits > partial ? bits : partial;
      });
  T size;
  std::memcpy(&size, &greatest, sizeof(T));
  return greatest > 0 ? static_cast<double>(size) : 0;  // without values, the maximum is the lowest number
}

}  // namespace sparse::incompressible::detail
