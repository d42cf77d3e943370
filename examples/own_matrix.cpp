// A matrix of your own: heat in a wind, by Jacobi's method from a functor of the matrix's rows.
#include <cmath>
#include <iostream>

#include <sparse/base/runtime.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/render.hpp>
#include <sparse/poisson/row_solver.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;

/// wind du/dx - laplacian(u), times the square of the cell width. u is given at both ends of x; nothing passes through
/// other faces without a neighbour. The wind makes the matrix unsymmetric.
struct WindRows {
  double wind;  // times the cell width, < 2
  Coord last;   // cell along x

  KOKKOS_FUNCTION double coupling(int arm) const { return arm == 0 ? 1 + wind / 2 : arm == 1 ? 1 - wind / 2 : 1; }
  KOKKOS_FUNCTION bool is_given(StencilPoint<2> const& p, int arm) const {
    return (arm == 0 && p.coordinates()[0] == 0) || (arm == 1 && p.coordinates()[0] == last);
  }
  KOKKOS_FUNCTION double diagonal(StencilPoint<2> const& p) const {
    double sum = 0;
    for (int arm = 0; arm < 4; ++arm)  // a value at a face is half as far away as that of a neighbour
      sum += p.has_neighbour(arm) ? coupling(arm) : is_given(p, arm) ? 2 * coupling(arm) : 0;
    return sum;
  }
  KOKKOS_FUNCTION double applied(StencilPoint<2> const& p, FieldView<double const> const& u) const {
    double sum = diagonal(p) * u(p.cell);
    for (int arm = 0; arm < 4; ++arm)
      if (p.has_neighbour(arm)) sum -= coupling(arm) * u(p.neighbour(arm));
    return sum;
  }
};

int main() {
  Runtime const runtime;
  Coord const n = 64;      // cells along x, which is 1 long
  double const wind = 10;  // over the diffusivity: the Peclet number
  auto const strip = box({0, 0}, {n, 16});
  WindRows const rows{wind / n, n - 1};

  // u is 0 where the wind comes from and 1 where it goes to.
  Field<double, 2> b("b", strip, 0.0), u("u", strip, 0.0);
  fill(view(b, box({n - 1, 0}, {n, 16})), 2 * rows.coupling(1));
  poisson::RowSolver<double, 2> solver(strip, rows, poisson::Jacobi{.factor = 0.95}, {1e-10, 100000});
  auto const report = solver.solve(b, u);

  double error = 0;
  auto const values = to_host(u);
  strip.to_host().for_each_cell([&](Vec<Coord, 2> const& cell, Index i) {
    double const exact = std::expm1(wind * (cell[0] + 0.5) / n) / std::expm1(wind);
    error = std::max(error, std::abs(values[static_cast<std::size_t>(i)] - exact));
  });
  std::cout << "solver: " << poisson::name_of(report.reason) << "\niterations: " << report.iterations
            << "\nerror: " << error << '\n';
  io::LevelCells<2> const level{0, strip.to_host(), {io::array_of(u)}};
  io::write_png("own_matrix.png", io::render<2>({{0, 0}, {1.0 / n, 1.0 / n}}, {level}, "u"));
}
