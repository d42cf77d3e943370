// Pressure around a disk in a channel: a Poisson problem on any set of cells, by conjugate gradients with multigrid.
#include <cmath>
#include <iostream>
#include <numbers>

#include <sparse/base/runtime.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/render.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;

int main() {
  Runtime const runtime;
  int const n = 256;  // cells across the channel, which is 1 wide and 2 long
  double const h = 1.0 / n, radius = 0.2;
  poisson::Problem<2> problem;
  problem.grid.spacing = {h, h};
  problem.cells = box({0, 0}, {2 * n, n}) - ball<2>(problem.grid, {1, 0.5}, radius);  // what is not there is a wall
  auto const inlet = box({0, 0}, {1, n}), outlet = box({2 * n, 0}, {2 * n + 1, n});   // faces normal to x
  problem.dirichlet[0] = inlet | outlet;

  poisson::Solver<double, 2> solver(problem, {}, {.tolerance = 1e-10});
  Field<double, 2> source("source", problem.cells, 0.0), pressure("pressure", problem.cells, 0.0);
  Field<double, 2> given("given", problem.dirichlet[0], 0.0);  // 1 at the inlet, 0 at the outlet
  fill(view(given, inlet), 1);
  solver.matrix().add_boundary_values(source, 0, given);
  auto const report = solver.solve(source, pressure);

  // A face lets through its height times the gradient; the middle of its cell is half a width away.
  auto const first_cells = box({0, 0}, {1, n}), last_cells = box({2 * n - 1, 0}, {2 * n, n});
  double const in = 2 * (n - sum(view(pressure, first_cells))), out = 2 * sum(view(pressure, last_cells));
  // A dipole and its images in the walls stand for the disk. It makes the channel longer, by this to fourth order.
  double const square = radius * radius, pi = std::numbers::pi;
  double const expected = 1 / (2 + 2 * pi * square / (1 - pi * pi * square / 3));
  std::cout << "solver: " << poisson::name_of(report.reason) << "\niterations: " << report.iterations
            << "\nflow in: " << in << "\nflow out: " << out << "\nflow of theory: " << expected << '\n';

  io::LevelCells<2> const level{0, problem.cells.to_host(), {io::array_of(pressure)}};
  io::write_png("pressure.png", io::render<2>(problem.grid, {level}, "pressure", {.length_unit = "widths"}));
}
