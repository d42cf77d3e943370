// Steps of the flow at Mach 2 around a cylinder on four levels with everything they need (ghosts, curved walls, flux
// registers, averaging, time step, a regrid every four steps of the coarsest level), against the bare sweep over as
// many cells in one piece, in turns; with 40 and with 80 finest cells per radius.
//
// Columns: updates, leaf updates per second, all included; vs_sweep, these over the bare sweep's; regrid, part of the
// time that regrids take; memory, the most that was allocated over what the scheme's states and the old ones need; when
// the levels change there are old and new ones for a while.

#include <chrono>
#include <cmath>

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

constexpr int level_count = 4;

/// The state of another flow, where it has one.
template <class T>
struct Sampled {
  Vec<T, 4> inflow;
  Vec<SetView, level_count> cells;
  Vec<FieldView<T const>, level_count> states;
  Vec<Grid<2>, level_count> grids;

  template <class Flow>
  explicit Sampled(Flow const& flow, Vec<T, 4> const& elsewhere) : inflow(elsewhere) {
    for (int l = 0; l < level_count; ++l) {
      cells[l] = flow.sets(l).storage.view();
      states[l] = flow.state(l).view();
      grids[l] = flow.domain().grid(l);
    }
  }
  KOKKOS_FUNCTION Vec<T, 4> operator()(Vec<double, 2> const& x) const {
    for (int l = level_count - 1; l >= 0; --l) {
      Vec<Coord, 2> cell;
      for (int axis = 0; axis < 2; ++axis)
        cell[axis] = static_cast<Coord>(std::floor((x[axis] - grids[l].origin[axis]) / grids[l].spacing[axis]));
      Index const found = cells[l].find(cell);
      if (found >= 0) return compressible::Euler<T, 2>{}.primitive(states[l].template load<4>(found));
    }
    return inflow;
  }
};

template <class T, bool second_order>
struct Cylinder {
  using Law = compressible::Euler<T, 2>;
  using Flux = std::conditional_t<second_order, compressible::Hllc<Law>, compressible::Rusanov<Law>>;
  using Flow = amr::Simulation<Flux>;
  static constexpr Vec<T, 4> inflow{1, 2, 0, T(1 / 1.4)};

  /// In radii the box is 12 x 16. @param radius  in the finest cells
  template <class Initial>
  static Flow make(int radius, Initial const& initial) {
    amr::DomainOptions<2> domain{{12 * radius / 8, 16 * radius / 8}, level_count};
    domain.spacing = Vec<double, 2>::filled(8.0 / radius);
    domain.origin = {-4, -8};
    domain.sides = {Vec<amr::Side, 2>{amr::Side::inflow, amr::Side::open}, {amr::Side::open, amr::Side::open}};
    domain.bodies = {amr::body_from_distance<2>("cylinder", amr::BallDistance<2>{{0, 0}, 1})};
    amr::SimulationOptions<Law> options;
    options.scheme = second_order ? amr::Scheme::hancock : amr::Scheme::godunov;
    options.regrid_stride = 4;
    return Flow(amr::Domain<2>(domain), {}, initial, {inflow, {}}, options);
  }
  /// When the bow shock is there. The finer flow begins with the coarser one and has some time to become sharp.
  static Flow developed(int radius) {
    Flow flow = make(40, Uniform<T>{inflow});
    while (flow.time() < 12) flow.advance();
    if (radius == 40) return flow;
    flow.synchronise();
    Flow finer = make(radius, Sampled<T>(flow, inflow));
    while (finer.time() < 2) finer.advance();
    return finer;
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

/// Few passes: most of the time goes into the flow before them, which each call makes anew.
void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("radius")->Unit(benchmark::kMillisecond)->UseManualTime();
  benchmark->Arg(40)->Arg(80)->Iterations(12);
}

BENCHMARK(flagship<double, false>)->Apply(sizes);
BENCHMARK(flagship<float, false>)->Apply(sizes);
BENCHMARK(flagship<double, true>)->Apply(sizes);
BENCHMARK(flagship<float, true>)->Apply(sizes);

}  // namespace
