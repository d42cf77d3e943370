#pragma once
/// Convective fluxes between central and upstream differences.

#include <sparse/base/products.hpp>

namespace sparse::incompressible::detail {

/// The flux out of a cell along an axis minus the flux in. Both are 2 speed times value.
/// @param in, out  speeds along the axis through the two faces
/// @param share    donor-cell share: 0 takes the mean of both sides, 1 the upstream value
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T carried_away(T in, T out, T below, T here, T above, T share) {
  T const size_in = in < 0 ? -in : in, size_out = out < 0 ? -out : out;
  return sum_of_products(out, here + above, -in, below + here) +
         share * sum_of_products(size_out, here - above, -size_in, below - here);
}

}  // namespace sparse::incompressible::detail
