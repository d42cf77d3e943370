#pragma once
/// What profilers see of a piece of code: kernel labels and allocations, through the Kokkos Tools callbacks. What a
/// test prints with other numbers of threads.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

/// Watches everything that Kokkos does while it lives. One at a time.
class KokkosWatch {
public:
  KokkosWatch();
  ~KokkosWatch();
  KokkosWatch(KokkosWatch const&) = delete;
  KokkosWatch& operator=(KokkosWatch const&) = delete;

  /// Labels of the kernels launched so far, without those that Kokkos launches for its own purposes.
  std::set<std::string> kernel_labels() const;
  /// Number of Kokkos allocations so far, in whatever memory space, and the labels of them; without the scratch that
  /// the backend Threads makes for itself.
  int allocation_count() const;
  std::string allocation_labels() const;
  /// Copies between arrays so far, and the bytes of the largest: on a device these are what crosses the bus. A value
  /// that a reduction returns is not among them.
  int copy_count() const;
  std::uint64_t largest_copy() const;
};

/// Fails naming the labels that do not read `sparse::<topic>::<step>`.
testing::AssertionResult follow_the_label_rule(std::set<std::string> const& labels);

/// Runs tests of this program in another process.
/// @param filter  their names, as GoogleTest's filter
/// @return        the lines that they print and that begin with "bits "
std::vector<std::string> bits_on_threads(std::string const& filter, int thread_count);
