#pragma once
/// The types every part of the library agrees on: where kernels run, how cells are counted and addressed.

#include <cstdint>

#include <Kokkos_Core.hpp>

namespace sparse {

/// Kernels run here, and all data of sets, plans and fields live in its memory.
using ExecutionSpace = Kokkos::DefaultExecutionSpace;
using MemorySpace = ExecutionSpace::memory_space;

/// True when the host can read the data of sets and fields without a copy. SPARSE_LIKE_DEVICE sets it to false in a
/// host build, so that tests can run the code paths of devices.
#if defined(SPARSE_LIKE_DEVICE)
inline constexpr bool is_host_backend = false;
#else
inline constexpr bool is_host_backend = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
#endif

/// True when kernels give each row or cell a thread of its own, as devices need. Otherwise each thread takes a
/// contiguous range of them.
inline constexpr bool has_many_threads = !is_host_backend;

/// A cell coordinate along one axis. Cell i covers [i, i+1) in units of the cell width.
using Coord = std::int32_t;
/// A number of cells, intervals or rows, or a position in an array of them.
using Index = std::int64_t;

/// Coordinates of cells lie strictly between -coord_limit and coord_limit.
inline constexpr Coord coord_limit = Coord{1} << 30;

}  // namespace sparse
