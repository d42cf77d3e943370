// Heat spreading around a ball: sets, fields, stencils and back to sets, in twenty lines.
#include <iostream>

#include <sparse/base/runtime.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;

int main() {
  Runtime const runtime;
  auto const obstacle = ball({20, 12}, 6);
  auto const fluid = box({0, 0}, {64, 24}) - obstacle;  // geometry is algebra
  auto const skin = expand(obstacle, 2) & fluid;        // the two layers of cells around the ball

  Field<double, 2> heat("heat", fluid, 0.0), next("heat", fluid);  // a value per cell of the set, nothing elsewhere
  auto const start = heat.view();
  for_each(
      "sparse::first_steps::ignite", Subset<2>(skin, fluid),
      KOKKOS_LAMBDA(SubsetPoint<2> const& p) { start(p.cell) = 1; });

  Stencil<2> const cells(fluid, fluid);  // where there is no neighbour, the cell itself stands in: no heat leaves
  for (int step = 0; step < 100; ++step) {
    auto const old = heat.view(), spread = next.view();
    for_each(
        "sparse::first_steps::diffuse", cells, KOKKOS_LAMBDA(StencilPoint<2> const& p) {
          double sum = 0;
          for (int arm = 0; arm < p.arm_count; ++arm) sum += old(p.neighbour(arm)) - old(p.cell);
          spread(p.cell) = old(p.cell) + 0.2 * sum;
        });
    std::swap(heat, next);
  }
  std::cout << "total heat " << sum(heat) << "; warmer than 0.1: " << threshold(heat, 0.1);  // a field becomes geometry
}
