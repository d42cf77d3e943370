// One step of the Euler equations on an interval set against the same scheme written by hand for a dense array, and
// against a copy of as many bytes, all three in turns. First order with Rusanov's flux, and MUSCL-Hancock with HLLC;
// both find the greatest wave speed of the new state, too.
//
// Columns: updates, cell updates per second; vs_dense, these over the dense array's; vs_copy, the time of the copy over
// that of the step (each of a cell's four values must be read and written once).

#include <chrono>
#include <cmath>

#include <benchmark/benchmark.h>

#include <sparse/sparse.hpp>

#include <sparse/amr/sweep/sweep.hpp>
#include <sparse/compressible/fluxes/hllc.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>
#include <sparse/compressible/laws/euler.hpp>

#include "dense_euler.hpp"

using namespace sparse;

namespace {

constexpr int nx = 2000, ny = 1000;
constexpr double dt_over_dx = 0.01;

/// A smooth state with some of everything.
template <class T>
KOKKOS_FUNCTION Vec<T, 4> state_at(int x, int y) {
  double const s = std::sin(0.01 * x) * std::cos(0.013 * y);
  return compressible::Euler<T, 2>{}.conserved({T(1 + 0.1 * s), T(0.5 + 0.1 * s), T(0.2 * s), T(1 - 0.1 * s)});
}

template <class T>
struct Fill {
  FieldView<T> u;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    auto const c = p.coordinates();
    u.store(p.cell, state_at<T>(c[0], c[1]));
  }
};

template <class Work>
double seconds_of(Work&& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T, bool second_order>
void euler_on(benchmark::State& state, IntervalSet<2> const& cells) {
  using Law = compressible::Euler<T, 2>;
  using Flux = std::conditional_t<second_order, compressible::Hllc<Law>, compressible::Rusanov<Law>>;
  auto const storage = expand(cells, 2, Element::diamond);
  Field<T, 2> old("old", storage, 4), next("next", storage, 4), copied("copied", storage, 4);
  for_each("sparse::benchmark::fill", Subset<2>(storage, storage), Fill<T>{old.view()});
  amr::SweepSets<2> sets;
  sets.storage = storage;
  sets.update = cells;
  amr::SweepPlan<2> const plan(sets);
  amr::SweepValues<Flux, 2> values;
  values.reconstruction = second_order ? amr::Reconstruction::hancock : amr::Reconstruction::constant;
  values.dt = T(dt_over_dx);
  values.inverse_spacing = {1, 1};
  values.in = old.view();
  values.out = next.view();
  dense::Steps<T, second_order> dense(nx, ny);
  for (int y = -2; y < ny + 2; ++y)
    for (int x = -2; x < nx + 2; ++x)
      for (int c = 0; c < 4; ++c) dense.at(c, x, y) = state_at<T>(x, y)[c];

  double time = 0, dense_time = 0, copy_time = 0;
  for (auto _ : state) {
    copy_time += seconds_of([&] {
      assign(copied, old);
      old.context().fence();
    });
    dense_time += seconds_of([&] { benchmark::DoNotOptimize(dense.step(T(dt_over_dx))); });
    double const step_time = seconds_of([&] { benchmark::DoNotOptimize(amr::sweep<Flux, 2>(plan, values)); });
    state.SetIterationTime(step_time);
    time += step_time;
  }
  double const cells_updated = static_cast<double>(cells.cell_count() * state.iterations());
  double const dense_cells = static_cast<double>(Index{nx} * ny * state.iterations());
  state.counters["updates"] = benchmark::Counter(cells_updated / time);
  state.counters["vs_dense"] = benchmark::Counter(cells_updated / time / (dense_cells / dense_time));
  state.counters["vs_copy"] = benchmark::Counter(copy_time / time);
}

template <class T, bool second_order>
void euler_box(benchmark::State& state) {
  euler_on<T, second_order>(state, box<2>({0, 0}, {nx, ny}));
}

/// The same with 200 balls cut out: rows of several intervals.
template <class T, bool second_order>
void euler_box_minus_balls(benchmark::State& state) {
  IntervalSet<2> cells = box<2>({0, 0}, {nx, ny});
  for (int i = 0; i < 200; ++i) cells -= ball<2>({50.0 + 100 * (i % 20), 50.0 + 100 * (i / 20)}, 20);
  euler_on<T, second_order>(state, cells);
}

}  // namespace

BENCHMARK(euler_box<double, false>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box<float, false>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box<double, true>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box<float, true>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box_minus_balls<double, false>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box_minus_balls<float, false>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box_minus_balls<double, true>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box_minus_balls<float, true>)->Unit(benchmark::kMillisecond)->UseManualTime();
