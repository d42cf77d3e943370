// Steps of the flow at Mach 2 around a cylinder on four levels with everything they need (ghosts, curved walls, flux
// registers, averaging, time step, a regrid every four steps of the coarsest level), against the bare sweep over as
// many cells in one piece, in turns.
//
// Columns: updates, leaf updates per second, all included; vs_sweep, these over the bare sweep's; regrid, part of the
// time that regrids take; memory, the most that was allocated over what the scheme's states and the old ones need.

#include <chrono>

#include <benchmark/benchmark.h>

#include <sparse/morphology.hpp>
#include <sparse/shapes.hpp>

#include <sparse/amr/simulation.hpp>
#include <sparse/solvers/compressible/euler.hpp>
#include <sparse/solvers/compressible/hllc.hpp>
#include <sparse/solvers/compressible/rusanov.hpp>

using namespace sparse;

namespace {

template <class T>
struct Uniform {
  Vec<T, 4> state;
  KOKKOS_FUNCTION Vec<T, 4> operator()(Vec<double, 2> const&) const { return state; }
};

template <class T>
struct Fill {
  FieldView<T> u;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    Vec<T, 4> const wind = compressible::Euler<T, 2>{}.conserved({1, 2, 0, T(1 / 1.4)});
    u.store(p.cell, wind);
  }
};

template <class T, bool second_order>
struct Cylinder {
  using Law = compressible::Euler<T, 2>;
  using Flux = std::conditional_t<second_order, compressible::Hllc<Law>, compressible::Rusanov<Law>>;
  using Flow = amr::Simulation<Flux>;

  /// In radii the box is 12 x 16, and the finest cells are 1/40.
  static Flow make() {
    constexpr int level_count = 4;
    amr::DomainOptions<2> domain{{60, 80}, level_count};
    domain.spacing = {0.2, 0.2};
    domain.origin = {-4, -8};
    domain.sides = {Vec<amr::Side, 2>{amr::Side::inflow, amr::Side::open}, {amr::Side::open, amr::Side::open}};
    domain.bodies = {amr::body_from_distance<2>("cylinder", amr::BallDistance<2>{{0, 0}, 1})};
    Vec<T, 4> const inflow{1, 2, 0, T(1 / 1.4)};
    amr::SimulationOptions<Law> options;
    options.scheme = second_order ? amr::Scheme::hancock : amr::Scheme::godunov;
    options.regrid_stride = 4;
    return Flow(amr::Domain<2>(domain), {}, Uniform<T>{inflow}, {inflow, {}}, options);
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
  auto flow = Case::make();
  while (flow.time() < 12) flow.advance();  // until the bow shock is there
  double time = 0, regrid_time = 0, updates = 0, bare_time = 0, bare_updates = 0;

  arena->forget_peak();
  for (int step = 0; step < 8; ++step) flow.advance();
  double const peak = static_cast<double>(arena->peak_bytes() - before);

  // As many cells in one piece.
  Coord const side = static_cast<Coord>(std::sqrt(static_cast<double>(flow.leaf_count())));
  auto const cells = box<2>({0, 0}, {side, side});
  amr::SweepSets<2> sets;
  sets.storage = expand(cells, 2, Element::diamond);
  sets.update = cells;
  amr::SweepPlan<2> const plan(sets);
  Field<T, 2> in("in", sets.storage, 4), out("out", sets.storage, 4);
  for_each("sparse::benchmark::fill", Subset<2>(sets.storage, sets.storage), Fill<T>{in.view()});
  amr::SweepValues<typename Case::Flux, 2> values;
  values.reconstruction = second_order ? amr::Reconstruction::hancock : amr::Reconstruction::constant;
  values.dt = T(0.01);
  values.inverse_spacing = {1, 1};
  values.in = in.view();
  values.out = out.view();

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
  double live = 0;
  for (int l = 0; l < flow.level_count(); ++l)
    live += static_cast<double>(flow.sets(l).storage.cell_count()) * 4 * sizeof(T) * (l == 0 ? 2 : 3);
  state.counters["memory"] = benchmark::Counter(peak / live);
  state.counters["cells"] = benchmark::Counter(static_cast<double>(flow.leaf_count()));
}

BENCHMARK(flagship<double, false>)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);
BENCHMARK(flagship<float, false>)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);
BENCHMARK(flagship<double, true>)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);
BENCHMARK(flagship<float, true>)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2);

}  // namespace
