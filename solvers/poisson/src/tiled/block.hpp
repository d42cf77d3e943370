#pragma once
/// Kernels on tiles, written once: as a block of threads on a device, and as loops on the host.
///
/// A kernel is a struct with a type `Shared`, memory of a block, and `operator()(block, shared, tile)`, which consists
/// of phases `block.each(count, body)`. All calls of a phase are done before the next one begins, in any order.

#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {

/// A block that is one thread of the host.
struct HostBlock {
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each(int count, Body const& body) const {
    for (int i = 0; i < count; ++i) body(i);
  }
  /// A phase with a sum of what `body` returns: this thread's part of it.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION double each_sum(int count, Body const& body) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += body(i);
    return sum;
  }
  /// The sum of the parts, for the first thread of the block.
  KOKKOS_FORCEINLINE_FUNCTION double total(double part) const { return part; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_first() const { return true; }
};

/// For kernels that need none.
struct NoMemory {};

template <class Kernel>
struct OnHostTile {
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(Index tile) const {
    typename Kernel::Shared shared;
    kernel(HostBlock{}, shared, static_cast<int>(tile));
  }
};

/// Starts kernels on the host.
class HostTiles {
public:
  explicit HostTiles(Context const& context) : context_(context) {}

  /// A block for each tile.
  template <class Kernel>
  void tiles(char const* label, Index count, Kernel const& kernel) const {
    parallel_for(context_, label, count, OnHostTile<Kernel>{kernel});
  }
  /// One block.
  template <class Kernel>
  void block(char const* label, Kernel const& kernel) const {
    parallel_for(context_, label, 1, OnHostTile<Kernel>{kernel});
  }
  /// `body(i)` for 0 <= i < count.
  template <class Body>
  void each(char const* label, Index count, Body const& body) const {
    parallel_for(context_, label, count, body);
  }
  /// Does the same as at the last call with this number, which `step()` does.
  template <class Step>
  void repeat(int, Step const& step) const {
    step();
  }

private:
  Context context_;
};

}  // namespace sparse::poisson::detail
