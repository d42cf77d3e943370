#pragma once
/// What starts kernels on tiles here.

#include "block.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "cuda_tiles.hpp"
#endif

namespace sparse::poisson::detail {

#if defined(KOKKOS_ENABLE_CUDA)
template <int Dim>
using Launcher = CudaTiles<Dim>;
#else
template <int Dim>
using Launcher = HostTiles;
#endif

}  // namespace sparse::poisson::detail
