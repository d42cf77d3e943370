// The work of beside_cpp.py in C++: reads a word from stdin, does this work once, prints the CPU seconds that it took.

#include <cmath>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>

#include <sparse/base/runtime.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

namespace {

using namespace sparse;

template <class Work>
double seconds_of(Work const& work) {
  std::clock_t const begin = std::clock();
  work();
  Kokkos::fence();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// -laplacian(x) = b on 1024^2 cells, x = 0 at the right side, by multigrid-CG to 1e-8.
struct Pressure {
  static constexpr int n = 1024;
  IntervalSet<2> cells = box<2>({}, {n, n});
  Field<double, 2> b = Field<double, 2>("b", cells);
  poisson::Solver<double, 2> solver = make();

  Pressure() {
    for (Index i = 0; i < cells.cell_count(); ++i) b.component(0)[i] = std::sin(static_cast<double>(i) / 100);
  }
  poisson::Solver<double, 2> make() const {
    poisson::Problem<2> problem;
    problem.cells = cells;
    problem.grid.spacing = Vec<double, 2>::filled(1. / n);
    problem.dirichlet[0] = box<2>({n, 0}, {n + 1, n});
    poisson::StopRule stop;
    stop.tolerance = 1e-8;
    stop.iteration_limit = 200;
    return poisson::Solver<double, 2>(problem, poisson::MultigridCg{}, stop);
  }
  double solve() {
    return seconds_of([&] {
      Field<double, 2> x("x", cells, 1, 0.0);
      solver.solve(b, x);
    });
  }
};

/// Steps of SMAC on 1024 x 128 cells with a ball and an ink.
struct Channel {
  static constexpr int steps = 10;
  incompressible::StaggeredGrid<2> grid = incompressible::StaggeredGrid<2>(domain());
  incompressible::Smac<double, 2> method = incompressible::Smac<double, 2>(grid, options());
  incompressible::State<double, 2> state = incompressible::State<double, 2>(grid, {"ink"});

  static incompressible::FlowDomain<2> domain() {
    incompressible::FlowDomain<2> domain;
    domain.fluid = box<2>({}, {1024, 128}) - ball<2>({128, 64}, 16);
    domain.grid.spacing = Vec<double, 2>::filled(1. / 128);
    domain.others = BoundaryKind::no_slip;
    domain.parts.push_back(
        {BoundaryKind::inflow, incompressible::side_faces(domain.fluid, 0, FaceSide::lower), {1, 0}});
    domain.parts.push_back({BoundaryKind::outflow, incompressible::side_faces(domain.fluid, 0, FaceSide::upper)});
    return domain;
  }
  static incompressible::SmacOptions<2> options() {
    incompressible::SmacOptions<2> options;
    options.viscosity = 1e-3;
    options.pressure.stop.tolerance = 1e-6;
    return options;
  }
  Channel() {
    fill(state.carried[0], 1.0);
    step();
    step();
  }
  double step() {
    return seconds_of([&] {
             for (int i = 0; i < steps; ++i) method.advance(state, method.longest_step(state, 0.5));
           }) /
           steps;
  }
};

double subtract(IntervalSet<2> const& a, IntervalSet<2> const& b) {
  constexpr int count = 2000;
  return seconds_of([&] {
           for (int i = 0; i < count; ++i) a - b;
         }) /
         count;
}

}  // namespace

int main() {
  Runtime const runtime;
  std::optional<Pressure> pressure;  // one work at a time, as in beside_cpp.py
  std::optional<Channel> channel;
  auto const a = box<2>({}, {400, 160}), b = ball<2>({80, 80}, 20);
  for (std::string word; std::cin >> word;) {
    if (word != "solve") pressure.reset();
    if (word != "step") channel.reset();
    if (word == "solve" && !pressure) pressure.emplace();
    if (word == "step" && !channel) channel.emplace();
    std::cout << (pressure ? pressure->solve() : channel ? channel->step() : subtract(a, b)) << std::endl;
  }
}
