// A Mach-10 shock meets a wall at 60 degrees and is reflected twice; the sides follow the shock.
//
// Source: Woodward and Colella (1984), J. Comput. Phys. 54, 115, section IVc.

#include <cmath>
#include <numbers>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>

#include <sparse/app/compressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

using Law = compressible::Euler<double, 2>;
using Flow = amr::Simulation<compressible::AnyFlux<Law>>;

constexpr double wall_begin = 1.0 / 6, mach = 10;

/// The shock as if there were no wall: it moves to the right, normal to itself, at speed 10.
struct IncidentShock {
  KOKKOS_FUNCTION static double position(double y, double time) {
    return wall_begin + (y + 2 * mach * time) / std::numbers::sqrt3;
  }
  KOKKOS_FUNCTION Law::State operator()(Vec<double, 2> const& x, double time) const {
    // Speed behind the shock: 8.25, downwards by 30 degrees.
    return x[0] < position(x[1], time) ? Law::State{8, 8.25 * 0.5 * std::numbers::sqrt3, -8.25 * 0.5, 116.5}
                                       : Law::State{1.4, 0, 0, 1};
  }
  KOKKOS_FUNCTION Law::State operator()(Vec<double, 2> const& x) const { return (*this)(x, 0); }
};

/// The shock at the top, and at the bottom before the wall begins.
struct FloorAndTop {
  KOKKOS_FUNCTION Law::State operator()(amr::BoundaryPoint<Law> const& p) const {
    bool const is_wall = p.side == FaceSide::lower && p.x[0] >= wall_begin;
    return is_wall ? p.slip() : IncidentShock()(p.x, p.side == FaceSide::lower ? 0 : p.time);
  }
};

amr::Domain<2> channel(int ny, int level_count) {
  amr::DomainOptions<2> domain{{4 * ny, ny}, level_count, {{0, 0}, {1.0 / ny, 1.0 / ny}}};
  domain.sides = {Vec<BoundaryKind, 2>{BoundaryKind::inflow, BoundaryKind::outflow},
                  {BoundaryKind::given, BoundaryKind::given}};
  return amr::Domain<2>(domain);
}

/// The greatest x at a height where the gas is no longer at rest.
double front_at(Flow& flow, double y, double spacing) {
  auto const points = amr::points_between<2>({0, y}, {4, y}, 2 + static_cast<int>(8 / spacing));
  auto const states = amr::primitive_at(flow, points);
  for (std::size_t i = points.size(); i-- > 0;)
    if (states[i][Law::pressure_index] > 5) return points[i][0];
  return 0;
}

/// Reports where the front leaves the incident shock, the triple point, and where its foot is. The flow is self-similar
/// around the beginning of the wall, so both lie on straight lines through it.
void report_flow(app::RunFolder& folder, Flow& flow) {
  double const finest = flow.domain().spacing(flow.domain().level_count() - 1)[0], time = flow.time();
  double const foot = front_at(flow, 0.5 * finest, finest);
  double y = 1;
  while (y > 0 && front_at(flow, y, finest) < IncidentShock::position(y, time) + 3 * finest) y -= finest;
  auto const extrema = amr::extrema(flow);
  folder.report("triple point, x", IncidentShock::position(y, time));
  folder.report("triple point, y", y);
  folder.report("triple point's path, degrees",
                std::atan2(y, IncidentShock::position(y, time) - wall_begin) * 180 / std::numbers::pi);
  folder.report("Mach stem's foot, x", foot);
  folder.report("Mach stem's speed", (foot - wall_begin) / time);
  folder.report("greatest density", extrema.greatest[Law::density]);
}

}  // namespace

int main(int argc, char** argv) {
  app::RunOptions o;
  o.t_end = 0.2;
  o.output_stride = 100;
  o.limiter = amr::Limiter::mc;
  o.output_dir = "double_mach_reflection_output";
  int ny = 60;
  CLI::App app("A Mach-10 shock is reflected by a wall, in a box of 4 x 1.\n"
               "The speed of sound and the pressure before it are 1, the density 1.4.");
  app.add_option("--ny", ny, "cells of level 0 across the box")->check(CLI::Range(8, 1 << 16))->capture_default_str();
  app::add_options(app, o);
  app::parse(app, argc, argv, o);
  return app::run_program("double_mach_reflection", app, o, [&](app::RunFolder& folder) {
    Law const law{1.4};
    auto const inflow = IncidentShock()({0, 0}, 1);
    auto flow = app::start<Flow>(folder, channel(ny, o.level_count), {law, o.flux}, IncidentShock(),
                                 {inflow, amr::boundary<Law>(FloorAndTop())}, app::simulation_options<Law>(o));
    if (app::run(folder, flow, app::show_gas(flow))) report_flow(folder, flow);
  });
}
