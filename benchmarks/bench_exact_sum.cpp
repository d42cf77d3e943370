// Exact sums, which do not depend on the order of their terms, beside plain ones that vectorise: both over the same
// array in turns. The terms are squares of numbers like residuals: of one size, or over ten orders of magnitude.
//
// Columns: terms, terms per second of the exact sum; vs_plain, its time over that of the plain one.

#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include <sparse/distributed/exact_sum.hpp>

using namespace sparse;

namespace {

template <class T>
std::vector<T> squares(Index count, double orders) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> value(-1, 1), order(-orders, 0);
  std::vector<T> terms(static_cast<std::size_t>(count));
  for (T& term : terms) {
    auto const residual = static_cast<T>(value(engine) * std::pow(10, order(engine)));
    term = residual * residual;
  }
  return terms;
}

template <class T>
double plain_sum(T const* terms, Index count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < count; ++i) sum += static_cast<double>(terms[i]);
  return sum;
}
template <class T>
double exact_sum(T const* terms, Index count) {
  distributed::ExactSum sum;
  sum.add(terms, count);
  return sum.value();
}

template <class T>
void sums(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  Index const count = state.range(0);
  auto const terms = squares<T>(count, static_cast<double>(state.range(1)));
  double plain = 1e30, exact = 1e30;  // [s] the least of all rounds
  for (auto _ : state) {
    auto const start = Clock::now();
    benchmark::DoNotOptimize(plain_sum(terms.data(), count));
    auto const middle = Clock::now();
    benchmark::DoNotOptimize(exact_sum(terms.data(), count));
    exact = std::fmin(exact, std::chrono::duration<double>(Clock::now() - middle).count());
    plain = std::fmin(plain, std::chrono::duration<double>(middle - start).count());
  }
  state.counters["terms"] = static_cast<double>(count) / exact;
  state.counters["vs_plain"] = exact / plain;
}
BENCHMARK(sums<double>)
    ->ArgNames({"terms", "orders"})
    ->Args({4096, 0})
    ->Args({4096, 10})
    ->Args({1 << 22, 0})
    ->Args({1 << 22, 10});
BENCHMARK(sums<float>)->ArgNames({"terms", "orders"})->Args({4096, 0})->Args({1 << 22, 0});

}  // namespace
