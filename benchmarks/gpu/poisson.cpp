// Iterations of conjugate gradients with V(1,1) cycles: those on tiles, and the portable ones. Counted bytes: the
// least that any order of the passes must move, 43 per cell in float and 86 in double. Columns: iterations, those the
// solver took to 1e-5; the times are of 20 more. pcg_ladder: the solver on tiles with more and more of its
// optimisations, in double; what these launch and move is counted by `tools/run poisson --ladder`.

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include <sparse/poisson/solver.hpp>
#include <sparse/poisson/tile_ladder.hpp>

#include "measure.hpp"

namespace {

using namespace sparse;
using namespace sparse::poisson;

constexpr int timed_iterations = 20;

/// An outlet at the upper end of x; walls elsewhere.
Problem<3> channel(Vec<Coord, 3> const& size, double solid_radius) {
  Problem<3> problem;
  problem.cells = box<3>({0, 0, 0}, size);
  problem.dirichlet[0] = box<3>({size[0], 0, 0}, {size[0] + 1, size[1], size[2]});
  if (solid_radius > 0) problem.cells -= ball<3>({0.3 * size[0], 0.5 * size[1], 0.5 * size[2]}, solid_radius);
  return problem;
}

/// Values between -1 and 1 without a pattern.
template <class T>
struct Noise {
  FieldView<T> b;
  KOKKOS_FUNCTION void operator()(SubsetPoint<3> const& p) const {
    Vec<Coord, 3> const cell = p.coordinates();
    auto h = static_cast<std::uint32_t>(cell[0] + 1009 * cell[1] + 1000003 * cell[2]);
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    b(p.cell) = static_cast<T>(h >> 8) / T(1 << 23) - 1;
  }
};

template <class T>
void iterations(benchmark::State& state, Problem<3> const& problem, Method const& method) {
  Field<T, 3> b("b", problem.cells), x("x", problem.cells);
  for_each("sparse::benchmark::noise", Subset<3>(problem.cells, problem.cells), Noise<T>{b.view()});
  {
    fill(x, 0);
    Solver<T, 3> solver(problem, method, {1e-5});
    state.counters["iterations"] = solver.solve(b, x).iterations;
  }
  // Makes as many iterations as the limit says. What a solve does beside them is in both times.
  Solver<T, 3> few(problem, method, {1e-30, 1}), many(problem, method, {1e-30, 1 + timed_iterations});
  auto const solve = [&](Solver<T, 3>& solver) {
    fill(x, 0);
    solver.solve(b, x);
  };
  double const floor = (sizeof(T) == 4 ? 43.0 : 86.0) * static_cast<double>(problem.cells.cell_count());
  double const bandwidth = measure::copy_bandwidth();
  double best = 1e30;
  solve(few), solve(many);
  for (auto _ : state) {
    double const start = measure::seconds_of(1, [&] { solve(few); });
    double const all = measure::seconds_of(1, [&] { solve(many); });
    state.SetIterationTime(all);
    best = std::min(best, (all - start) / timed_iterations);
  }
  state.counters["best_ms"] = 1e3 * best;
  state.counters["counted_GB"] = 1e-9 * floor;
  state.counters["of_copy"] = floor / best / bandwidth;
}

template <class T>
void add_problem(std::string const& name, Vec<Coord, 3> const& size, double solid_radius) {
  std::string const type = sizeof(T) == 4 ? "<float>" : "<double>";
  measure::add("pcg_tiled" + type + "/" + name, [=](benchmark::State& state) {
    iterations<T>(state, channel(size, solid_radius),
                  TiledMultigridCg{.precision = Precision::same, .launches = {.check_interval = 4}});
  });
  measure::add("pcg_portable" + type + "/" + name, [=](benchmark::State& state) {
    iterations<T>(state, channel(size, solid_radius), MultigridCg{{.sweeps = 1, .precision = Precision::same}});
  });
}

/// With none of the optimisations of the solver on tiles, then with more and more of them.
void add_ladder() {
  Coord const n = measure::edge;
  for (auto const& rung : tile_ladder({.launches = {.check_interval = 4}})) {
    std::string name = "pcg_ladder<double>/+" + std::to_string(rung.number) + "_" + rung.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    measure::add(name, [=, method = rung.method](benchmark::State& state) {
      iterations<double>(state, channel({n, n / 2, n / 2}, 0), method);
    });
  }
}

template <class T>
void add_all() {
  Coord const n = measure::edge;
  add_problem<T>("256x128x128", {256, 128, 128}, 0);
  add_problem<T>(std::to_string(n) + "^3", {n, n, n}, 0);
  add_problem<T>(std::to_string(n) + "^3_minus_a_ball", {n, n, n}, 0.15 * n);
}

}  // namespace

void measure::add_poisson() {
  add_all<float>();
  add_all<double>();
  add_ladder();
}
