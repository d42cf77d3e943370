// Mach-3 flow through a tunnel with a step: shocks that reflect between its walls.
//
// Source: Woodward and Colella (1984), J. Comput. Phys. 54, 115, section IVb; without their fix of the states around
// the corner, whose expansion leaves a thin layer of too much entropy on the step.

#include <cmath>
#include <limits>

#include <sparse/shapes/shapes.hpp>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>

#include <sparse/app/compressible/run.hpp>
#include <sparse/app/compressible/shock.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

using Law = compressible::Euler<double, 2>;
using Flow = amr::Simulation<compressible::AnyFlux<Law>>;

constexpr app::NormalShock shock{3, 1.4};  // in the inflow, where it is normal to it
constexpr double length = 3, height = 1, step_begin = 0.6, step_height = 0.2;

amr::Domain<2> tunnel(int ny, int level_count) {
  double const spacing = height / ny;
  amr::DomainOptions<2> domain;
  domain.cells = {3 * ny, ny};
  domain.level_count = level_count;
  domain.grid.spacing = {spacing, spacing};
  domain.sides = {Vec<BoundaryKind, 2>{BoundaryKind::inflow, BoundaryKind::outflow},
                  {BoundaryKind::wall, BoundaryKind::wall}};
  double const finest = spacing / (1 << (level_count - 1));
  auto const cells = [&](double x) { return static_cast<Coord>(std::lround(x / finest)); };
  domain.bodies = {body_from_cells<2>("step", box<2>({cells(step_begin), 0}, {cells(length), cells(step_height)}))};
  return amr::Domain<2>(domain);
}

/// The first place on a line along x, at height y, where the pressure passes half of its jump over a normal shock.
double shock_on_line(Flow& flow, double y, double x_end) {
  double const middle = 0.5 * (1 + shock.pressure_ratio());
  auto const points = amr::points_between<2>({0, y}, {x_end, y}, 2000);
  auto const states = amr::primitive_at(flow, points);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (states[i][Law::pressure_index] > middle) return points[i][0];
  return std::numeric_limits<double>::quiet_NaN();
}

void report_flow(app::RunFolder& folder, Flow& flow) {
  // The floor before the step is a streamline through a normal shock: Rayleigh's formula for Pitot tubes.
  double const stagnation = shock.stagnation_pressure_ratio();
  double const near = 0.5 * flow.domain().spacing(flow.domain().level_count() - 1)[0];
  auto const corner = amr::primitive_at(flow, {{step_begin - near, near}}, Interpolation::constant)[0];
  folder.report("pressure at the foot of the step", corner[Law::pressure_index], stagnation);
  folder.report("density at the foot of the step", corner[Law::density],
                1.4 * stagnation / (1 + 0.2 * shock.mach * shock.mach));
  folder.report("bow shock on the floor, x", shock_on_line(flow, near, step_begin));
  folder.report("Mach stem on the ceiling, x", shock_on_line(flow, height - near, length));
}

}  // namespace

int main(int argc, char** argv) {
  app::RunOptions o;
  o.t_end = 4;
  o.limiter = amr::Limiter::mc;
  o.refine_threshold = 0.02;
  o.output_stride = 100;
  o.output_dir = "forward_step_output";
  int ny = 40;
  CLI::App app("Mach-3 flow through a tunnel of 3 x 1 with a step of height 0.2 at x = 0.6.\n"
               "The speed of sound and the pressure of the inflow are 1, its density 1.4.");
  app.add_option("--ny", ny, "cells of level 0 across the tunnel, a multiple of 5")
      ->check(CLI::Range(5, 1 << 16))
      ->capture_default_str();
  app::add_options(app, o);
  app::parse(app, argc, argv, o, [&] {
    if (ny % 5 != 0) throw CLI::ValidationError("--ny", "must be a multiple of 5, so that the step is made of cells");
  });
  return app::run_program("forward_step", app, o, [&](app::RunFolder& folder) {
    Law const law{shock.gamma};
    Law::State const inflow = {1.4, shock.mach, 0, 1};
    auto flow = app::start<Flow>(folder, tunnel(ny, o.level_count), {law, o.flux}, app::Uniform<Law>{inflow},
                                 {inflow, {}}, app::simulation_options<Law>(o));
    if (app::run(folder, flow, app::show_gas(flow))) report_flow(folder, flow);
  });
}
