// Poisson problems on the leaves of several levels, beside the uniform solver on about as many cells: in turns.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <sparse/base/runtime.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/composite_solver.hpp>
#include <sparse/poisson/solver.hpp>

#include "composite_case.hpp"
#include "table.hpp"

using namespace sparse;
using namespace composite_case;

namespace {

struct Row {
  Index cells = 0;
  int levels = 0, iterations = 0;
  double set_up = 1e300, solve = 1e300, bytes = 0;
  double change = 1e300, changed_part = 1;  // of the finest level; cells of levels that are made anew over all

  void add(double set_up_seconds, double solve_seconds) {
    set_up = std::min(set_up, set_up_seconds);
    solve = std::min(solve, solve_seconds);
  }
};

template <int Dim>
poisson::Problem<Dim> uniform_problem(Coord width) {
  poisson::Problem<Dim> problem;
  problem.grid.spacing = Vec<double, Dim>::filled(1.0 / width);
  problem.cells = box<Dim>(Vec<Coord, Dim>::filled(0), Vec<Coord, Dim>::filled(width));
  problem.dirichlet = sides_of(problem.cells, width);
  return problem;
}

/// The problem with the finest level elsewhere.
template <int Dim>
poisson::CompositeProblem<Dim> moved_problem(poisson::CompositeProblem<Dim> const& problem, Coord width) {
  auto moved = levels_problem<Dim>(width, static_cast<int>(problem.cells.size()) - 1, 2);
  for (std::size_t l = 0; l + 1 < moved.cells.size(); ++l)
    if (moved.cells[l] == problem.cells[l]) moved.cells[l] = problem.cells[l];
  return moved;
}

void print(char const* name, int dim, Row const& row, Row const& uniform, double tolerance) {
  auto const per_cell = [](Row const& r) { return r.solve / static_cast<double>(r.cells); };
  std::printf("| %d | %g | %s | %lld | %d | %d | %.2f |", dim, tolerance, name, static_cast<long long>(row.cells),
              row.levels, row.iterations, 1e3 * row.set_up);
  if (row.change < 1e300)
    std::printf(" %.2f | %.2f |", 1e3 * row.change, row.change / (row.changed_part * row.solve / row.iterations));
  else
    std::printf(" | |");
  std::printf(" %.2f | %.0f | %.2f | %.0f | %.2f |\n", 1e3 * row.solve, 1e9 * per_cell(row),
              per_cell(row) / per_cell(uniform), row.bytes / static_cast<double>(row.cells),
              row.bytes / static_cast<double>(row.cells) / (uniform.bytes / static_cast<double>(uniform.cells)));
  std::fflush(stdout);
}

template <int Dim>
void compare(Coord coarse_width, int finer, double tolerance, int rounds) {
  auto const problem = levels_problem<Dim>(coarse_width, finer), moved = moved_problem(problem, coarse_width);
  Row levels, uniform;
  levels.levels = static_cast<int>(problem.cells.size());
  Index all = 0, changed = 0;
  for (std::size_t l = 0; l < problem.cells.size(); ++l) {
    all += problem.cells[l].cell_count();
    if (l + 2 >= problem.cells.size()) changed += problem.cells[l].cell_count();
  }
  levels.changed_part = static_cast<double>(changed) / static_cast<double>(all);
  uniform.levels = 1;
  levels.bytes = bytes_of([&] { return poisson::CompositeSolver<double, Dim>(problem, {tolerance}); });
  Coord width = 0;
  for (int round = 0; round < rounds; ++round) {
    {
      double const start = now();
      poisson::CompositeSolver<double, Dim> solver(problem, {tolerance});
      double const made = now();
      auto b = solver.matrix().fields("b"), x = solver.matrix().fields("x");
      for (auto& field : b) set_source(field);
      double const begin = now();
      levels.iterations = solver.solve(b, x).iterations;
      levels.add(made - start, now() - begin);
      levels.cells = solver.matrix().leaf_count();
      double const before = now();
      solver.change(moved);
      levels.change = std::min(levels.change, now() - before);
      width = static_cast<Coord>(std::lround(std::pow(static_cast<double>(levels.cells), 1.0 / Dim)));
    }
    auto const same = uniform_problem<Dim>(width);
    if (round == 0) uniform.bytes = bytes_of([&] { return poisson::Solver<double, Dim>(same, {}, {tolerance}); });
    double const start = now();
    poisson::Solver<double, Dim> solver(same, {}, {tolerance});
    double const made = now();
    Field<double, Dim> b("b", same.cells), x("x", same.cells);
    set_source(b);
    fill(x, 0);
    double const begin = now();
    uniform.iterations = solver.solve(b, x).iterations;
    uniform.add(made - start, now() - begin);
    uniform.cells = same.cells.cell_count();
  }
  print("levels", Dim, levels, uniform, tolerance);
  print("uniform", Dim, uniform, uniform, tolerance);
}

}  // namespace

int main(int argc, char** argv) {
  TableOptions const options(argc, argv, 5);
  int const rounds = options.rounds;
  Runtime const runtime(options.threads);
  std::printf("Backend: %s; the shortest of %d rounds, in turns\n", backend_name().c_str(), rounds);
  std::printf("\n| dim | tolerance | solver | leaves | levels | iterations | set-up [ms] | change [ms] | in cycles | "
              "solve [ms] | per leaf [ns] | "
              "ratio | memory [bytes per leaf] | ratio |\n|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (double const tolerance : {1e-6, 1e-9}) {
    compare<2>(56, 2, tolerance, rounds);
    compare<2>(180, 2, tolerance, rounds);
    compare<2>(570, 2, tolerance, rounds);
    compare<2>(180, 6, tolerance, rounds);
    compare<3>(14, 2, tolerance, rounds);
    compare<3>(32, 2, tolerance, rounds);
    compare<3>(68, 2, tolerance, rounds);
  }
}
