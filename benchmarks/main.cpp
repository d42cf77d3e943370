#include <cstdlib>
#include <string_view>

#include <benchmark/benchmark.h>

#include <sparse/base/runtime.hpp>

/// Benchmarks that need data of their own are registered here, once Kokkos runs.
__attribute__((weak)) void register_benchmarks() {}

// Google Benchmark's options, and --threads=N before them: the host threads of everything that is measured.
int main(int argc, char** argv) {
  int threads = 0;
  constexpr std::string_view option = "--threads=";
  if (argc > 1 && std::string_view(argv[1]).starts_with(option)) {
    threads = std::atoi(argv[1] + option.size());
    argv[1] = argv[0];
    ++argv, --argc;
  }
  sparse::Runtime const runtime(threads);
  benchmark::AddCustomContext("backend", sparse::backend_name());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  register_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();  // and what they hold, before Kokkos ends
  return 0;
}
