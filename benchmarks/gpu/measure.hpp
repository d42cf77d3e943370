#pragma once
/// How the benchmarks of this folder measure: against a copy in the same memory.

#include <algorithm>
#include <chrono>
#include <string>

#include <benchmark/benchmark.h>

#include <sparse/base/buffer.hpp>

namespace measure {

using sparse::Index;

/// On a host the same work is smaller.
constexpr int edge = sparse::is_host_backend ? 128 : 512;

/// Seconds of one of `count` calls that are waited for together.
template <class Work>
double seconds_of(int count, Work const& work) {
  Kokkos::fence();
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) work();
  Kokkos::fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / count;
}

/// Bytes per second, read and written, of copies of an array that no cache holds. Measured once.
inline double copy_bandwidth() {
  static double const bandwidth = [] {
    sparse::Context const context;
    Index const count = Index{1} << (sparse::is_host_backend ? 25 : 28);
    sparse::Buffer<float> const from(context, count), to(context, count);
    auto const size = static_cast<std::size_t>(count);
    using View = Kokkos::View<float*, sparse::MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    View const source(from.data(), size), target(to.data(), size);
    Kokkos::deep_copy(context.execution(), source, 0.f);
    double best = 0;
    for (int i = 0; i < 5; ++i) {
      double const seconds = seconds_of(4, [&] { Kokkos::deep_copy(context.execution(), target, source); });
      best = std::max(best, 2 * sizeof(float) * static_cast<double>(count) / seconds);
    }
    return best;
  }();
  return bandwidth;
}

/// Measures `work`, `count` calls at a time after one to warm up. Counters: best_ms, the least time of a call;
/// counted_GB, what it has to move, counted from the sizes of values; of_copy, that over what a copy moves in this
/// time.
template <class Work>
double run(benchmark::State& state, double bytes, Work const& work, int count = 1) {
  double const bandwidth = copy_bandwidth();
  work();
  double best = 1e30;
  for (auto _ : state) {
    double const seconds = seconds_of(count, work);
    state.SetIterationTime(seconds * count);
    best = std::min(best, seconds);
  }
  state.counters["best_ms"] = 1e3 * best;
  state.counters["counted_GB"] = 1e-9 * bytes;
  state.counters["of_copy"] = bytes / best / bandwidth;
  return best;
}

template <class Body>
benchmark::internal::Benchmark* add(std::string const& name, Body const& body) {
  return benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMillisecond);
}

// ---- what is measured: each file adds its own

void add_sets();
void add_fields();
void add_euler();
void add_poisson();

}  // namespace measure
