#pragma once
/// Sums of two products that are the same bits wherever they are computed.

#include <cmath>

#include <sparse/base/config.hpp>

namespace sparse {

/// a b + c d, of which c d is rounded first. Compilers may contract either product with the sum, and not always the
/// same one in the copies that they make of a loop's body. Then a value would depend on where its row begins.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sum_of_products(T a, T b, T c, T d) {
#if defined(__FMA__) || defined(__CUDA_ARCH__)
  return std::fma(a, b, c * d);
#else
  return a * b + c * d;  // nothing to contract to
#endif
}

}  // namespace sparse
