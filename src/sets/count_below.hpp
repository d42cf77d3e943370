#pragma once
/// Searches in sorted numbers, sixteen at a time.

#include <sparse/base/config.hpp>

#if defined(__AVX2__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace sparse::detail {

/// The number of values below x among the increasing `values[0]`, ..., `values[15]`.
KOKKOS_FORCEINLINE_FUNCTION int count_below(Coord const* values, Coord x) {
#if defined(__AVX512F__) && !defined(__CUDA_ARCH__)
  return __builtin_popcount(_mm512_cmplt_epi32_mask(_mm512_loadu_si512(values), _mm512_set1_epi32(x)));
#elif defined(__AVX2__) && !defined(__CUDA_ARCH__)
  __m256i const bound = _mm256_set1_epi32(x);
  auto const below = [&](Coord const* eight) {
    __m256i const less = _mm256_cmpgt_epi32(bound, _mm256_loadu_si256(reinterpret_cast<__m256i const*>(eight)));
    return __builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(less))));
  };
  return below(values) + below(values + 8);
#else
  int n = 0;
  n += values[n + 7] < x ? 8 : 0;
  n += values[n + 3] < x ? 4 : 0;
  n += values[n + 1] < x ? 2 : 0;
  n += values[n] < x ? 1 : 0;
  return n + (values[n] < x);
#endif
}

/// Finds the ranks of increasing numbers among sorted values. Searches two levels of sixteen, and restarts every 256
/// values.
class RankSearch {
public:
  /// @param count  at least 16
  KOKKOS_FORCEINLINE_FUNCTION RankSearch(Coord const* values, Index count) : values_(values), count_(count) {
    sample();
  }

  /// The number of values smaller than x. x must not decrease from call to call.
  KOKKOS_FORCEINLINE_FUNCTION Index operator()(Coord x) {
    while (base_ + 256 < count_ && values_[base_ + 255] < x) {
      base_ += 256;
      sample();
    }
    Index block = base_ + 16 * Index{count_below(samples_, x)};
    block = block < count_ - 16 ? block : count_ - 16;
    return block + count_below(values_ + block, x);
  }

private:
  /// Samples the last value of each group of sixteen.
  KOKKOS_FORCEINLINE_FUNCTION void sample() {
    for (int i = 0; i < 16; ++i) {
      Index const last = base_ + 16 * i + 15;
      samples_[i] = last < count_ ? values_[last] : coord_limit + 1;
#if !defined(__CUDA_ARCH__)
      __builtin_prefetch(values_ + last + count_);  // of the next row
#endif
    }
  }

  Coord const* values_;
  Index count_, base_ = 0;
  Coord samples_[16];
};

}  // namespace sparse::detail
