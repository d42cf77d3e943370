#pragma once
/// Kernels on tiles, written once: as a block of threads on a device, and as loops on the host.
///
/// A kernel is a struct with a type `Shared`, the memory of a block, and `operator()(block, shared, tile)`. That
/// consists of phases `block.each(count, body)`. The calls of a phase come in any order; all end before the next phase
/// begins.

#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {

/// A block that is one thread of the host.
struct HostBlock {
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each(int count, Body const& body) const {
    for (int i = 0; i < count; ++i) body(i);
  }
  /// A phase that adds up what `body` returns. @return  this thread's part of the sum
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION double each_sum(int count, Body const& body) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += body(i);
    return sum;
  }
  /// The sum of the parts of all threads; only the first thread of the block gets it.
  KOKKOS_FORCEINLINE_FUNCTION double total(double part) const { return part; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_first() const { return true; }
};

/// For kernels without memory of a block.
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
  /// Does what `step()` does. It must be the same at each call with the same number.
  template <class Step>
  void repeat(int, Step const& step) const {
    step();
  }

private:
  Context context_;
};

}  // namespace sparse::poisson::detail
