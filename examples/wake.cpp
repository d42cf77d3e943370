// Incompressible flow past a cylinder by the library alone: fluid is a set of cells, its boundary are sets of faces.
#include <cmath>
#include <iostream>

#include <sparse/base/runtime.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/render.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;
using namespace sparse::incompressible;

int main() {
  Runtime const runtime;
  // Lengths are in diameters of the cylinder, velocities in that of the inflow.
  FlowDomain<2> channel;
  channel.grid.spacing = {1. / 16, 1. / 16};
  auto const cylinder = ball<2>(channel.grid, {3, 2}, 0.5);
  channel.fluid = box({0, 0}, {192, 64}) - cylinder;
  channel.others = BoundaryKind::wall;  // without friction
  channel.parts = {{BoundaryKind::inflow, side_faces(channel.fluid, 0, FaceSide::lower), {1, 0}},
                   {BoundaryKind::outflow, side_faces(channel.fluid, 0, FaceSide::upper)},
                   {BoundaryKind::no_slip, faces_between(channel.fluid, cylinder)}};

  StaggeredGrid<2> const grid(channel);
  State<double, 2> state(grid);
  set_velocity(grid, state, [](Vec<double, 2> const& x) {  // a blow across behind the cylinder starts the swinging
    return Vec<double, 2>{1, 0.3 * std::exp(-(x[0] - 4.5) * (x[0] - 4.5) - (x[1] - 2) * (x[1] - 2))};
  });

  double const viscosity = 1. / 200;
  Smac<double, 2> method(grid, {.viscosity = viscosity});
  BodyForces<2> const forces(grid, cylinder);
  double last_lift = 0, last_turn = 0, period = 0;
  while (state.time < 40) {
    method.advance(state, method.longest_step(state, 0.5));
    double const lift = 2 * forces(state.velocity, state.pressure, viscosity).total()[1];
    if (last_lift < 0 && lift >= 0) {  // once per pair of vortices
      period = state.time - last_turn;
      last_turn = state.time;
    }
    last_lift = lift;
  }

  std::cout << "steps: " << state.step_count
            << "\nflow out: " << outward_flux(grid, state.velocity, BoundaryKind::outflow)
            << "\nperiod of the lift: " << period << '\n';
  io::LevelCells<2> const level{
      0, grid.fluid().to_host(), {io::array_of(vorticity(grid, state.velocity), "vorticity")}};
  io::RenderOptions const picture{.colours = io::ColourMap::coolwarm, .range = {{-4, 4}}, .length_unit = "diameters"};
  io::write_png("wake.png", io::render<2>(grid.space(), {level}, "vorticity", picture));
}
