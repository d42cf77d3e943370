#pragma once
/// What tests of the solver on tiles share.

#include <sparse/sets/algebra.hpp>
#include <support/poisson.hpp>

namespace reference {

using namespace sparse::poisson;

template <int Dim>
Problem<Dim> periodic_box(Coord width) {
  Problem<Dim> problem;
  problem.period = Cell<Dim>::filled(width);
  problem.cells = sparse::box<Dim>({}, problem.period);
  return problem;
}

/// A box whose sides cut tiles, with p = 0 on one of them.
template <int Dim>
Problem<Dim> walled_box() {
  Cell<Dim> size = Cell<Dim>::filled(Dim == 2 ? 53 : 18);
  size[0] = Dim == 2 ? 77 : 21;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, size);
  size[0] = 1;
  problem.dirichlet[0] = sparse::box<Dim>({}, size);
  return problem;
}

template <class T>
struct Solved {
  Report report;
  Values x;
};
template <class T, int Dim>
Solved<T> solve(Problem<Dim> const& problem, TiledMultigridCg const& method, StopRule const& stop) {
  auto x = uniform_field<T>(problem.cells, 2);
  auto const report = Solver<T, Dim>(problem, method, stop).solve(uniform_field<T>(problem.cells, 1), x);
  return {report, values_of(x)};
}

inline TiledMultigridCg with_tiles(int sweeps = 1) { return {.sweeps = sweeps, .launches = {.one_launch_cells = 64}}; }

}  // namespace reference
