#pragma once
/// What benchmarks share that print a table of their own.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sparse/base/context.hpp>

/// Seconds since some time.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Their options. Those of Google Benchmark, which `tools/bench` gives to all, are skipped.
struct TableOptions {
  int threads = 0, rounds;

  /// Ends the program if there is an option that it does not know.
  TableOptions(int argc, char** argv, int default_rounds) : rounds(default_rounds) {
    for (int i = 1; i < argc; ++i) {
      std::string const argument = argv[i], value = argument.substr(argument.find('=') + 1);
      if (argument.starts_with("--threads=")) {
        threads = std::atoi(value.c_str());
      } else if (argument.starts_with("--rounds=")) {
        rounds = std::atoi(value.c_str());
      } else if (!argument.starts_with("--benchmark_")) {
        std::fprintf(stderr, "%s: what is %s?\n", argv[0], argument.c_str());
        std::exit(2);
      }
    }
  }
};

/// The arena's memory that `make` takes and gives back with what it has made.
template <class Make>
double bytes_of(Make const& make) {
  auto const& arena = *sparse::Context().arena();
  auto const before = arena.bytes_in_use();
  [[maybe_unused]] auto const made = make();
  return static_cast<double>(arena.bytes_in_use() - before);
}
