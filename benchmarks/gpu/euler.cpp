// Steps of the Euler equations: the sweep over a box, and the flow at Mach 2 around a cylinder on four levels. The flow
// has all that belongs to its steps, and a regrid every four of the coarsest level. Counted bytes: each of a cell's
// four values read and written once. Columns: updates, cell updates per second; cells, leaves.

#include <cmath>

#include <sparse/sets/morphology.hpp>

#include "../cylinder_case.hpp"
#include "measure.hpp"

namespace {

using namespace sparse;
using namespace cylinder_case;

template <class T>
struct Smooth {
  FieldView<T> u;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    auto const c = p.coordinates();
    T const s = T(0.1) * std::sin(T(0.01) * T(c[0])) * std::cos(T(0.013) * T(c[1]));
    u.store(p.cell, compressible::Euler<T, 2>{}.conserved({T(1) + s, T(0.5) + s, 2 * s, T(1) - s}));
  }
};

template <class T, bool second_order>
void sweep_of_box(benchmark::State& state) {
  using Case = Cylinder<T, second_order>;
  using Flux = typename Case::Flux;
  Coord const width = is_host_backend ? 2048 : 8192, height = width / 2;
  amr::SweepSets<2> sets;
  sets.update = box<2>({0, 0}, {width, height});
  sets.storage = expand(sets.update, 2, Element::diamond);
  amr::SweepPlan<2> const plan(sets);
  Field<T, 2> in("in", sets.storage, 4), out("out", sets.storage, 4);
  for_each("sparse::benchmark::fill", Subset<2>(sets.storage, sets.storage), Smooth<T>{in.view()});
  amr::SweepValues<Flux, 2> values;
  values.flux = Case::flux;
  values.reconstruction = second_order ? amr::Reconstruction::hancock : amr::Reconstruction::constant;
  values.dt = T(0.01);
  values.inverse_spacing = {1, 1};
  values.in = in.view();
  values.out = out.view();
  auto const cells = static_cast<double>(sets.update.cell_count());
  double const best = measure::run(state, 8.0 * sizeof(T) * cells,
                                   [&] { benchmark::DoNotOptimize(amr::sweep<Flux, 2>(plan, values)); });
  state.counters["updates"] = cells / best;
}

template <class T, bool second_order>
void levels(benchmark::State& state) {
  using Case = Cylinder<T, second_order>;
  auto flow = Case::developed(static_cast<int>(state.range(0)), is_host_backend ? 0.5 : 0.05);
  double const bandwidth = measure::copy_bandwidth();
  double best = 1e30, updates = 0;
  for (auto _ : state) {
    while (flow.step_count() % 4 != 0) flow.advance();
    Index const before = flow.update_count();
    double const seconds = measure::seconds_of(1, [&] {
      for (int step = 0; step < 4; ++step) flow.advance();
    });
    state.SetIterationTime(seconds);
    if (seconds > best) continue;
    best = seconds;
    updates = static_cast<double>(flow.update_count() - before);
  }
  state.counters["best_ms"] = 1e3 * best;
  state.counters["counted_GB"] = 1e-9 * 8 * sizeof(T) * updates;
  state.counters["of_copy"] = 8 * sizeof(T) * updates / best / bandwidth;
  state.counters["updates"] = updates / best;
  state.counters["cells"] = static_cast<double>(flow.leaf_count());
}

template <class T, bool second_order>
void add_all() {
  std::string const kind =
      std::string(sizeof(T) == 4 ? "<float, " : "<double, ") + (second_order ? "muscl_hllc>" : "first_order>");
  measure::add("euler" + kind, sweep_of_box<T, second_order>);
  measure::add("euler_4_levels" + kind, levels<T, second_order>)
      ->ArgName("radius")
      ->Arg(is_host_backend ? 80 : 1280)
      ->Iterations(6);
}

}  // namespace

void measure::add_euler() {
  add_all<float, false>();
  add_all<double, false>();
  add_all<float, true>();
  add_all<double, true>();
}
