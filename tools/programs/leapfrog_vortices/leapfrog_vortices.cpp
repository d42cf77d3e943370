// Two pairs of vortices that pass through each other, again and again.

#include <sparse/sparse.hpp>

#include "point_vortices.hpp"
#include <sparse/app/incompressible/run.hpp>
#include <sparse/app/incompressible/vortex_tracker.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

// The strip lies between walls without friction and repeats itself along x. The circulation of
// each vortex is 1.
constexpr Strip strip{2, 1.5};

struct Options {
  sparse::app::FlowOptions flow;
  int nx = 256;
  double distance = 0.225, width = 0.45, core = 0.03, viscosity = 0;
};

/// Those above the middle, which turn to the left, first; the pairs move to the right.
std::vector<Vortex> vortices_of(Options const& o) {
  std::vector<Vortex> vortices;
  for (double const side : {1.0, -1.0})
    for (double const x : {0.25 * strip.length + 0.5 * o.distance, 0.25 * strip.length - 0.5 * o.distance})
      vortices.push_back({{x, 0.5 * strip.height + 0.5 * side * o.width}, side});
  return vortices;
}

FlowDomain<2> domain_of(Options const& o, sparse::app::RunFolder const& folder) {
  FlowDomain<2> domain;
  domain.grid.spacing = Vec<double, 2>::filled(strip.length / o.nx);
  domain.fluid = box<2>({}, {o.nx, 3 * o.nx / 4});
  domain.period[0] = o.nx;
  domain.others = BoundaryKind::wall;
  sparse::app::share(domain, folder, o.flow);
  return domain;
}

void compute(Options const& o, sparse::app::RunFolder& folder) {
  StaggeredGrid<2> const grid(domain_of(o, folder));
  auto const vortices = vortices_of(o);
  State<double, 2> state(grid);
  set_velocity(grid, state, [&](Vec<double, 2> const& x) {
    Vec<double, 2> sum{};
    for (auto const& vortex : vortices) sum += velocity_of(strip, vortex, o.core, x);
    return sum;
  });

  double first_energy = 0;
  sparse::app::VortexTracker tracker(grid.spacing()[0], {vortices[0].at, vortices[1].at});
  sparse::app::FlowShow<2> show;
  show.pictures = {sparse::app::vorticity_picture(2, 1 / (std::acos(-1.0) * o.core * o.core))};
  show.columns = {"distance", "is_merged"};
  show.numbers = [&]() -> std::vector<double> {
    if (first_energy == 0) first_energy = kinetic_energy(grid, state.velocity);
    return {tracker.distance(), tracker.is_merged() ? 1.0 : 0.0};
  };
  show.after_step = [&] {
    auto curl = vorticity(grid, state.velocity);
    if (grid.is_shared()) curl = grid.gather(curl);
    if (folder.is_mine()) tracker.add(state.time, to_host(curl), o.nx);
  };
  show.keep = [&](sparse::app::Keeper& keeper) {
    keeper("first_energy", first_energy);
    tracker.keep(keeper);
  };
  if (folder.is_mine()) folder.write_geometry(grid.space(), grid.whole_fluid(), IntervalSet<2>(), 0);
  if (!sparse::app::run(folder, o.flow, grid, {.viscosity = o.viscosity}, state, show)) return;

  folder.report("greatest divergence", divergence_of(grid, state.velocity).greatest, 0);
  folder.report("energy kept", kinetic_energy(grid, state.velocity) / first_energy, 1);
  sparse::app::report_passes(folder, tracker, pass_times(strip, vortices, o.flow.run.t_end), "vortices");
}

Options parse_options(CLI::App& app, int argc, char** argv) {
  Options o;
  auto& run = o.flow.run;
  run.t_end = 1.8;
  run.history_stride = 5;
  run.output_dir = "leapfrog_vortices_output";
  o.flow.method = sparse::app::FlowMethod::leapfrog_flow_map;
  o.flow.cfl = 0.8;
  app.add_option("--nx", o.nx, "cells along the strip, a multiple of 4; three quarters of it across")
      ->check(CLI::Range(32, 1 << 13))
      ->capture_default_str();
  sparse::app::add_number(app, "--distance", o.distance, 0.01, 0.9, "between the pairs at the start");
  sparse::app::add_number(app, "--width", o.width, 0.01, 0.9, "of the pairs at the start");
  sparse::app::add_number(app, "--core", o.core, 1e-3, 0.5, "of a vortex: radius at which vorticity falls to 1 / e");
  sparse::app::add_number(app, "--viscosity", o.viscosity, 0.0, 1e9, "kinematic");
  sparse::app::add_flow_options(app, o.flow);
  sparse::app::add_ranks_option(app, o.flow.run);
  sparse::app::parse(app, argc, argv, o.flow, [&] {
    if (o.nx % 4 != 0) throw CLI::ValidationError("--nx", "must be a multiple of 4");
  });
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Two pairs of vortices that leapfrog: the one behind gets narrower and faster, and passes through the other.\n"
      "Counts the passes until vortices merge, and compares their times with those of vortices without cores.\n"
      "The strip is 2 long and 1.5 high, the circulation of a vortex is 1.");
  Options const o = parse_options(app, argc, argv);
  return sparse::app::run_program("leapfrog_vortices", app, o.flow.run,
                                  [&](sparse::app::RunFolder& folder) { compute(o, folder); });
}
