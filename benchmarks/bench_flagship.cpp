// Steps of the flagship with everything they need (ghosts, interfaces, time step, regrids), against the bare update of
// as many cells on one level, in turns.
//
// Columns: updates, leaf updates per second; vs_update, these over the bare update's; cells, leaves at the end.

#include <chrono>

#include <benchmark/benchmark.h>

#include <sparse/shapes.hpp>

#include <sparse/amr/simulation.hpp>
#include <sparse/solvers/compressible/euler.hpp>
#include <sparse/solvers/compressible/rusanov.hpp>

using namespace sparse;

namespace {

template <class T>
struct Uniform {
  Vec<T, 4> state;
  KOKKOS_FUNCTION Vec<T, 4> operator()(Vec<double, 2> const&) const { return state; }
};

template <class T>
auto cylinder(int level_count, int nx, int ny, double radius) {
  using compressible::Euler;
  Euler<T, 2> const law{};
  auto const inflow = law.conserved(1, {2, 0}, T(1 / 1.4));
  amr::DomainOptions<2> domain{{nx, ny}, level_count};
  domain.sides = {Vec<amr::Side, 2>{amr::Side::inflow, amr::Side::open}, {amr::Side::open, amr::Side::open}};
  double const finest = 1 << (level_count - 1);
  if (radius > 0) domain.solid = ball<2>({finest * nx / 5, finest * ny / 2}, finest * radius);
  return amr::Simulation<compressible::Rusanov<Euler<T, 2>>>(amr::Domain<2>(domain), {law}, Uniform<T>{inflow}, inflow);
}

template <class T>
void flagship(benchmark::State& state) {
  auto flow = cylinder<T>(4, 400, 160, 20);
  while (flow.step_count() < 400) flow.advance();  // until there is a shock to follow
  auto const bare = cylinder<T>(1, 400, 320, 0);   // about as many cells
  Field<T, 2> next("next", bare.sets(0).storage, 4);
  Stencil<2> const stencil(bare.sets(0).leaves, bare.sets(0).storage);
  double time = 0, updates = 0, bare_time = 0, bare_updates = 0;
  auto const now = [] { return std::chrono::steady_clock::now(); };
  auto const seconds = [](auto a, auto b) { return std::chrono::duration<double>(b - a).count(); };
  for (auto _ : state) {
    auto const start = now();
    amr::godunov_update(bare.flux(), stencil, bare.state(0).view(), next.view(), Vec<T, 2>{T(0.1), T(0.1)});
    next.context().fence();
    auto const middle = now();
    flow.advance();
    next.context().fence();
    auto const end = now();
    state.SetIterationTime(seconds(middle, end));
    time += seconds(middle, end);
    updates += static_cast<double>(flow.leaf_count());
    bare_time += seconds(start, middle);
    bare_updates += static_cast<double>(bare.leaf_count());
  }
  state.counters["updates"] = benchmark::Counter(updates / time);
  state.counters["vs_update"] = benchmark::Counter(updates / time / (bare_updates / bare_time));
  state.counters["cells"] = benchmark::Counter(static_cast<double>(flow.leaf_count()));
}

}  // namespace

BENCHMARK(flagship<double>)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);
BENCHMARK(flagship<float>)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);
