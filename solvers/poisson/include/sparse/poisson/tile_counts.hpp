#pragma once
/// Counts of what the solver on tiles does.

#include <map>
#include <string>

#include <sparse/base/config.hpp>

namespace sparse::poisson {

/// What all launches of a kernel did.
struct KernelCounts {
  Index launches = 0;     ///< of kernels
  Index memory_sets = 0;  ///< of memory that is set to 0 without a kernel
  /// Loads and stores of values and tables, as often as threads ask for them. On the host only; without numbers that
  /// all threads share, and without a block's own memory.
  Index asked_bytes = 0;
  /// The same in sectors of 32 bytes that a launch reads or writes, each once per launch: what must move if caches keep
  /// all that a launch uses again.
  Index moved_bytes = 0;
  Index divisions = 0;  ///< by diagonals of rows; on the host only

  /// Adds what another kernel did.
  void operator+=(KernelCounts const& other) {
    launches += other.launches;
    memory_sets += other.memory_sets;
    asked_bytes += other.asked_bytes;
    moved_bytes += other.moved_bytes;
    divisions += other.divisions;
  }
};

/// What a solver on tiles did, by the label of the kernel. Solvers that are given the same object add to it.
///
/// Not counted: looking at the residual, and levels of connected parts of cells.
struct TileCounts {
  /// What memory moves at once [bytes].
  static constexpr Index sector_bytes = 32;
  /// By the label of the kernel.
  std::map<std::string, KernelCounts> kernels = {};

  /// The sum over all kernels.
  KernelCounts total() const {
    KernelCounts sum;
    for (auto const& [label, counts] : kernels) sum += counts;
    return sum;
  }
};

}  // namespace sparse::poisson
