#pragma once
/// When Kokkos starts and stops, and which thread may use it.

#include <atomic>
#include <mutex>

#include <nanobind/nanobind.h>

namespace sparse::python {

namespace nb = nanobind;

/// Held by each call that may start a kernel. It starts Kokkos if nobody has, releases the GIL, and makes kernels of
/// other threads wait. A function that Python gave may use the module again within it, on the same thread.
///
/// Nothing of Python may be touched while it lives, except within `WithGil`.
class KernelScope {
public:
  /// @throws std::runtime_error  in a forked child of a process that had started Kokkos: kernels would never end there
  KernelScope();

private:
  nb::gil_scoped_release without_gil_;
  std::unique_lock<std::recursive_mutex> lock_;
};

/// `body()` within a `KernelScope`.
template <class Body>
auto with_kernels(Body const& body) {
  KernelScope const scope;
  return body();
}

/// Takes the GIL for a call of a user's function within a `KernelScope`.
using WithGil = nb::gil_scoped_acquire;

/// Counts what holds device memory: Kokkos stops at the end of the program only if there is nothing of this left.
class Alive {
public:
  Alive() { ++count_; }
  Alive(Alive const&) { ++count_; }
  Alive(Alive&&) noexcept { ++count_; }
  Alive& operator=(Alive const&) = default;
  Alive& operator=(Alive&&) noexcept = default;
  ~Alive() { --count_; }
  static long count() { return count_; }

private:
  static std::atomic<long> count_;
};

void bind_runtime(nb::module_& m);

}  // namespace sparse::python
