#pragma once
/// Flushes numbers too small for their type to zero.

#include <sparse/base/config.hpp>

#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <xmmintrin.h>
#define SPARSE_CAN_FLUSH_SUBNORMALS
#endif

namespace sparse::amr {

/// While it lives, this thread treats subnormal numbers (below 1e-38 in float, 1e-308 in double) as zero, if the
/// processor can do so. Ahead of a shock, disturbances decay to such numbers within some ten cells. Arithmetic with
/// them takes a hundred times as long.
class FlushSubnormals {
public:
#if defined(SPARSE_CAN_FLUSH_SUBNORMALS)
  KOKKOS_FORCEINLINE_FUNCTION FlushSubnormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | results | operands); }
  KOKKOS_FORCEINLINE_FUNCTION ~FlushSubnormals() { _mm_setcsr(before_); }

private:
  static constexpr unsigned results = 0x8000, operands = 0x40;
  unsigned before_;
#else
  /// On a device nothing needs to be set.
  KOKKOS_FORCEINLINE_FUNCTION FlushSubnormals() {}
  KOKKOS_FORCEINLINE_FUNCTION ~FlushSubnormals() {}
#endif
};

}  // namespace sparse::amr
