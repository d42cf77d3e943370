// Incompressible flow past a cylinder on levels that follow its vortices.
#include <cmath>
#include <iostream>

#include <sparse/base/runtime.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/render.hpp>
#include <sparse/shapes/distances.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;
using namespace sparse::incompressible;

int main() {
  Runtime const runtime;
  // Lengths are in diameters of the cylinder, velocities in that of the inflow. The finest cells are 1/16 wide.
  amr::DomainOptions<2> box;
  box.cells = {20, 15};
  box.level_count = 5;
  box.grid = {{-5, -7.5}, {1, 1}};
  box.sides = {{{BoundaryKind::inflow, BoundaryKind::outflow}, {BoundaryKind::wall, BoundaryKind::wall}}};
  box.bodies = {body_from_distance<2>("cylinder", BallDistance<2>{{0, 0}, 0.5}, BoundaryKind::no_slip)};
  amr::Domain<2> const domain(box);

  AdaptiveOptions<2> options;
  options.viscosity = 1. / 100;
  options.inflow = {1, 0};
  options.criteria = {vorticity(0.05), near_surface(0.5)};
  AdaptiveFlow<double, 2> flow(domain, options);
  flow.start([](Vec<double, 2> const& x) {  // a blow across behind the cylinder starts the swinging
    return Vec<double, 2>{1, std::exp(-(x[0] - 1.5) * (x[0] - 1.5) - x[1] * x[1])};
  });

  double last_lift = 0, first_turn = 0, last_turn = 0, drag = 0, divergence = 0;
  int turns = 0;
  while (flow.time() < 40) {
    double const before = flow.time();
    flow.advance();
    auto const force = 2.0 * flow.force().total();
    if (flow.time() < 20) continue;
    if (last_lift < 0 && force[1] >= 0) {  // once per pair of vortices
      if (turns++ == 0) first_turn = flow.time();
      last_turn = flow.time();
    }
    last_lift = force[1];
    drag += force[0] * (flow.time() - before) / 20;
    divergence = std::max(divergence, flow.greatest_divergence());
  }

  Index uniform = 1;
  for (int axis = 0; axis < 2; ++axis) uniform *= domain.box(box.level_count - 1).end[axis];
  std::cout << "steps: " << flow.step_count() << "\nleaves: " << flow.leaf_count() << " of " << uniform
            << "\nperiod of the lift: " << (last_turn - first_turn) / (turns - 1) << "\nmean drag: " << drag
            << "\ngreatest divergence: " << divergence << '\n';

  std::vector<io::LevelCells<2>> levels;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const values = remap(vorticity(flow.grid(l), flow.state(l).velocity), flow.leaves(l));
    levels.push_back({l, flow.leaves(l).to_host(), {io::array_of(values, "vorticity")}});
  }
  io::RenderOptions const picture{.colours = io::ColourMap::coolwarm, .range = {{-2, 2}}, .length_unit = "diameters"};
  io::write_png("adaptive_wake.png", io::render<2>(box.grid, levels, "vorticity", picture));
}
