#pragma once
/// Everything that differs between Kokkos 3.4 and 5.x, so that no other file asks for a version.

#include <sparse/base/config.hpp>

namespace sparse::compat {

/// Number of threads (host) or hardware lanes (device) that kernels run on.
inline int concurrency() { return ExecutionSpace().concurrency(); }

}  // namespace sparse::compat

/// Unrolls the next loop, whose short trip count is a constant, early enough for the loop around it to vectorise.
#if defined(__CUDACC__) || defined(__clang__)
#define SPARSE_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define SPARSE_UNROLL _Pragma("GCC unroll 16")
#else
#define SPARSE_UNROLL
#endif

/// Marks the next loop's iterations as independent, for the host compilers that would otherwise not vectorise it.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SPARSE_INDEPENDENT_ITERATIONS
#elif defined(__clang__)
#define SPARSE_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define SPARSE_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define SPARSE_INDEPENDENT_ITERATIONS
#endif

/// Forces inlining of a lambda; stands after its parameters. Loops around the calls vectorise only then.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define SPARSE_INLINE_LAMBDA __attribute__((always_inline))
#else
#define SPARSE_INLINE_LAMBDA
#endif
