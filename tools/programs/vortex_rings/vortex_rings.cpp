// Two vortex rings, one behind the other or head on.

#include <sparse/sparse.hpp>

#include "rings.hpp"
#include <sparse/app/incompressible/run.hpp>
#include <sparse/app/incompressible/vortex_tracker.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

// A quarter of the rings is computed: the box, 2 long, reaches from the planes of symmetry y = 0 and z = 0 to 1. Its
// sides are walls without friction. The circulation of a ring is 1.
constexpr double length = 2;

struct Options {
  sparse::app::FlowOptions flow;
  int n = 48;
  bool is_head_on = false;
  double distance = 0.3, radius = 0.5, core = 0.052, viscosity = 0;
};

/// The one in front first.
std::vector<Ring> rings_of(Options const& o) {
  if (o.is_head_on)
    return {{0.5 * (length + o.distance), o.radius, -1, o.core}, {0.5 * (length - o.distance), o.radius, 1, o.core}};
  return {{0.5 + 0.5 * o.distance, o.radius, 1, o.core}, {0.5 - 0.5 * o.distance, o.radius, 1, o.core}};
}

void add_ring(StaggeredGrid<3> const& grid, Ring const& ring, Field<double, 3>& velocity) {
  auto const h = grid.spacing();
  for (int axis = 0; axis < 3; ++axis) {
    double* const u = velocity.component(axis);
    for_each(
        "sparse::vortex_rings::start", Subset<3>(grid.computed_faces(axis), grid.storage()),
        KOKKOS_LAMBDA(SubsetPoint<3> const& p) {
          auto const face = p.coordinates();
          Vec<double, 3> x;
          for (int b = 0; b < 3; ++b) x[b] = h[b] * (face[b] + (b == axis ? 0 : 0.5));
          u[p.cell] += velocity_of(ring, x)[axis];
        });
  }
}

void compute(Options const& o, sparse::app::RunFolder& folder) {
  FlowDomain<3> domain;
  domain.grid.spacing = Vec<double, 3>::filled(1.0 / o.n);
  domain.fluid = box<3>({}, {static_cast<Coord>(length) * o.n, o.n, o.n});
  domain.others = BoundaryKind::wall;
  sparse::app::share(domain, folder, o.flow);
  StaggeredGrid<3> const grid(domain);
  State<double, 3> state(grid);
  auto const rings = rings_of(o);
  for (auto const& ring : rings) add_ring(grid, ring, state.velocity);

  double first_energy = 0;
  sparse::app::VortexTracker tracker(
      grid.spacing()[0], {Vec<double, 2>{rings[0].x, rings[0].radius}, Vec<double, 2>{rings[1].x, rings[1].radius}});
  sparse::app::FlowShow<3> show;
  show.pictures = {{"vorticity", {.colours = io::ColourMap::inferno}}};
  show.pictures[0].options.slice = 0;
  double const peak = 1.5 * std::tgamma(4.0 / 3) / (std::acos(-1.0) * o.core * o.core);
  show.pictures[0].options.range = std::array<double, 2>{0, peak};
  show.columns = {"distance", "radius_0", "radius_1"};
  show.numbers = [&]() -> std::vector<double> {
    if (first_energy == 0) first_energy = kinetic_energy(grid, state.velocity);
    return {tracker.distance(), tracker.at(0)[1], tracker.at(1)[1]};
  };
  // Across the plane z = 0: the cells beside it, which come first.
  show.after_step = [&] {
    auto curl = vorticity(grid, state.velocity);
    if (grid.is_shared()) curl = grid.gather(curl);
    if (!folder.is_mine()) return;
    auto across = to_host(curl, 2);
    across.resize(static_cast<std::size_t>(length) * static_cast<std::size_t>(o.n) * static_cast<std::size_t>(o.n));
    tracker.add(state.time, across, static_cast<int>(length) * o.n);
  };
  show.keep = [&](sparse::app::Keeper& keeper) {
    keeper("first_energy", first_energy);
    tracker.keep(keeper);
  };
  if (folder.is_mine()) folder.write_geometry(grid.space(), grid.whole_fluid(), IntervalSet<3>(), 0);
  if (!sparse::app::run(folder, o.flow, grid, {.viscosity = o.viscosity}, state, show)) return;

  folder.report("greatest divergence", divergence_of(grid, state.velocity).greatest, 0);
  folder.report("energy kept", kinetic_energy(grid, state.velocity) / first_energy, 1);
  if (o.is_head_on) {
    folder.report("growth of radius", tracker.at(0)[1] / o.radius);
    return;
  }
  sparse::app::report_passes(folder, tracker, pass_times(rings, o.flow.run.t_end), "rings");
}

Options parse_options(CLI::App& app, int argc, char** argv) {
  Options o;
  auto& run = o.flow.run;
  run.t_end = 1.2;
  run.history_stride = 5;
  run.output_stride = 25;
  run.output_dir = "vortex_rings_output";
  o.flow.method = sparse::app::FlowMethod::leapfrog_flow_map;
  o.flow.cfl = 0.8;
  app.add_option("--n", o.n, "cells across the quarter of the rings, half of those along")
      ->check(CLI::Range(8, 1 << 11))
      ->capture_default_str();
  app.add_flag("--head-on", o.is_head_on, "the rings come from both sides")->default_str("false");
  sparse::app::add_number(app, "--distance", o.distance, 0.01, 0.9, "between the rings at the start");
  sparse::app::add_number(app, "--radius", o.radius, 0.05, 0.9, "of the rings at the start");
  sparse::app::add_number(app, "--core", o.core, 1e-3, 0.5, "of a ring at the start: radius of its blobs of vorticity");
  sparse::app::add_number(app, "--viscosity", o.viscosity, 0.0, 1e9, "kinematic");
  sparse::app::add_flow_options(app, o.flow);
  sparse::app::add_ranks_option(app, o.flow.run);
  sparse::app::parse(app, argc, argv, o.flow);
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Two vortex rings around one axis. The one behind gets narrower and faster, and slips through the one in front,\n"
      "which then is behind; counts how often, and compares the times with those of thin rings. Head on, rings get\n"
      "wider and wider. The box is 2 long, and a quarter of the rings 1 wide; the circulation of a ring is 1.");
  Options const o = parse_options(app, argc, argv);
  return sparse::app::run_program("vortex_rings", app, o.flow.run,
                                  [&](sparse::app::RunFolder& folder) { compute(o, folder); });
}
