// Steps of the flow at Mach 2 around a cylinder on four levels, against the bare sweep over as many cells in one piece.
// The two run in turns, with 40, 64 and 80 finest cells per radius; the program mach2_cylinder has 64. Steps have
// everything they need: ghosts, curved walls, flux registers, averaging, time step, a regrid every four steps of the
// coarsest level.
//
// Columns: updates, leaf updates per second, all included; vs_sweep, these over the bare sweep's; regrid, part of the
// time that regrids take; memory, the most that was allocated over what the scheme's states and the old ones need. When
// the levels change there are old and new ones for a while.

#include <chrono>
#include <cmath>

#include <benchmark/benchmark.h>

#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>

#include "cylinder_case.hpp"

using namespace sparse;
using namespace cylinder_case;

namespace {

template <class T>
struct Fill {
  FieldView<T> u;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    Vec<T, 4> const wind = compressible::Euler<T, 2>{}.conserved({1, 2, 0, T(1 / 1.4)});
    u.store(p.cell, wind);
  }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T, bool second_order>
void flagship(benchmark::State& state) {
  using Case = Cylinder<T, second_order>;
  auto const arena = Context().arena();
  std::size_t const before = arena->bytes_in_use();
  auto flow = Case::developed(static_cast<int>(state.range(0)));
  double time = 0, regrid_time = 0, updates = 0, bare_time = 0, bare_updates = 0;

  // As many cells in one piece.
  std::size_t const of_flow = arena->bytes_in_use() - before;
  Coord const side = static_cast<Coord>(std::sqrt(static_cast<double>(flow.leaf_count())));
  auto const cells = box<2>({0, 0}, {side, side});
  amr::SweepSets<2> sets;
  sets.storage = expand(cells, 2, Element::diamond);
  sets.update = cells;
  amr::SweepPlan<2> const plan(sets);
  Field<T, 2> in("in", sets.storage, 4), out("out", sets.storage, 4);
  for_each("sparse::benchmark::fill", Subset<2>(sets.storage, sets.storage), Fill<T>{in.view()});
  amr::SweepValues<typename Case::Flux, 2> values;
  values.flux = Case::flux;
  values.reconstruction = second_order ? amr::Reconstruction::hancock : amr::Reconstruction::constant;
  values.dt = T(0.01);
  values.inverse_spacing = {1, 1};
  values.in = in.view();
  values.out = out.view();

  std::size_t const beside_flow = arena->bytes_in_use() - of_flow;
  arena->forget_peak();
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 8; ++i) benchmark::DoNotOptimize(amr::sweep<typename Case::Flux, 2>(plan, values));
    bare_time += seconds_since(start);
    bare_updates += 8 * static_cast<double>(cells.cell_count());
    double seconds[4];  // the first of four steps begins with a regrid
    while (flow.step_count() % 4 != 0) flow.advance();
    Index const count = flow.update_count();
    for (double& of_step : seconds) {
      start = std::chrono::steady_clock::now();
      flow.advance();
      of_step = seconds_since(start);
    }
    double const all = seconds[0] + seconds[1] + seconds[2] + seconds[3];
    state.SetIterationTime(all);
    time += all;
    regrid_time += seconds[0] - (seconds[1] + seconds[2] + seconds[3]) / 3;
    updates += static_cast<double>(flow.update_count() - count);
  }
  state.counters["updates"] = benchmark::Counter(updates / time);
  state.counters["vs_sweep"] = benchmark::Counter(updates / time / (bare_updates / bare_time));
  state.counters["regrid"] = benchmark::Counter(regrid_time / time);
  double const peak = static_cast<double>(arena->peak_bytes() - beside_flow);
  double live = 0;
  for (int l = 0; l < flow.level_count(); ++l)
    live += static_cast<double>(flow.sets(l).storage.cell_count()) * 4 * sizeof(T) * (l == 0 ? 2 : 3);
  state.counters["memory"] = benchmark::Counter(peak / live);
  state.counters["cells"] = benchmark::Counter(static_cast<double>(flow.leaf_count()));
}

/// Passes are short, because a machine seldom runs at one speed for long. Each call makes the flow before them anew.
void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("radius")->Unit(benchmark::kMillisecond)->UseManualTime();
  benchmark->Arg(40)->Arg(64)->Arg(80)->Iterations(60);
}

BENCHMARK(flagship<double, false>)->Apply(sizes);
BENCHMARK(flagship<float, false>)->Apply(sizes);
BENCHMARK(flagship<double, true>)->Apply(sizes);
BENCHMARK(flagship<float, true>)->Apply(sizes);

}  // namespace
