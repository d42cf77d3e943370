#pragma once
/// Kernels on tiles, written once: as a block of threads on a device, and as loops on the host.
///
/// A kernel is a struct with a type `Shared`, the memory of a block, and `operator()(block, shared, tile)`. That
/// consists of phases `block.each(count, body)`. The calls of a phase come in any order; all end before the next phase
/// begins. Kernels reach memory by `block.at(values, i)`, so that they can be counted.

#include <cstring>
#include <memory>

#include <sparse/base/parallel.hpp>

#include "memory.hpp"
#include "operator/zeros.hpp"

namespace sparse::poisson::detail {

/// A block that is one thread of the host.
template <class Memory>
struct SerialBlock : Memory {
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
using HostBlock = SerialBlock<PlainMemory>;
using CountedBlock = SerialBlock<CountedMemory>;

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

/// For bodies that are called with memory and a number.
template <class Body>
struct OnPlainMemory {
  Body body;
  KOKKOS_FUNCTION void operator()(Index i) const { body(PlainMemory{}, i); }
};

/// Starts kernels on the host.
class HostTiles {
public:
  /// @param counts  If it is given, one thread does everything and counts.
  explicit HostTiles(Context const& context, std::shared_ptr<TileCounts> counts = {})
      : context_(context), counts_(std::move(counts)) {}

  /// A block for each tile.
  template <class Kernel>
  void tiles(char const* label, Index count, Kernel const& kernel) const {
    if (counts_ == nullptr)
      parallel_for(context_, label, count, OnHostTile<Kernel>{kernel});
    else
      count_launch(label, count, [&](CountedBlock const& block, Index tile) {
        typename Kernel::Shared shared;
        kernel(block, shared, static_cast<int>(tile));
      });
  }
  /// One block.
  template <class Kernel>
  void block(char const* label, Kernel const& kernel) const {
    tiles(label, 1, kernel);
  }
  /// `body(memory, i)` for 0 <= i < count.
  template <class Body>
  void each(char const* label, Index count, Body const& body) const {
    if (counts_ == nullptr)
      parallel_for(context_, label, count, OnPlainMemory<Body>{body});
    else
      count_launch(label, count, body);
  }
  /// Sets values to 0, by a kernel or without one.
  template <class T>
  void zero(T* values, Index count, bool by_kernel) const {
    char const* const label = "sparse::poisson::tiled_zeros";
    if (by_kernel)
      parallel_for(context_, label, count, Clear<T>{values});
    else
      set_to_zero(values, count);
    if (counts_ == nullptr) return;
    Index const bytes = count * static_cast<Index>(sizeof(T));
    counts_->kernels[label] += {by_kernel ? 1 : 0, by_kernel ? 0 : 1, bytes, bytes, 0};
  }
  /// Does what `step()` does. It must be the same at each call with the same number.
  template <class Step>
  void repeat(int, Step const& step) const {
    step();
  }

private:
  template <class Body>
  void count_launch(char const* label, Index count, Body const& body) const {
    if (count == 0) return;
    context_.fence();
    CountedBlock const block{{&counter_}};
    for (Index i = 0; i < count; ++i) body(block, i);
    auto& kernel = counts_->kernels[label];
    ++kernel.launches;
    counter_.flush(kernel);
  }
  template <class T>
  void set_to_zero(T* values, Index count) const {
    context_.fence();
    std::memset(values, 0, static_cast<std::size_t>(count) * sizeof(T));
  }

  Context context_;
  std::shared_ptr<TileCounts> counts_;
  mutable SectorCounter counter_;
};

}  // namespace sparse::poisson::detail
