// A flow of a user's own. The library gives it a command line, files, a line of progress, and restarts.

#include <sparse/app/incompressible/run.hpp>
#include <sparse/app/options/command_line.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;
using namespace sparse::incompressible;

int main(int argc, char** argv) {
  app::FlowOptions o;
  o.run.t_end = 0.1;
  o.run.output_dir = "lid_output";
  CLI::App command_line("The flow in a square under a lid that moves.");
  app::add_flow_options(command_line, o);
  app::parse(command_line, argc, argv, o);
  return app::run_program("lid", command_line, o.run, [&](app::RunFolder& folder) {
    FlowDomain<2> domain;
    domain.fluid = box<2>({0, 0}, {16, 16});
    domain.grid.spacing = {1. / 16, 1. / 16};
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), {1, 0}});
    StaggeredGrid<2> const grid(domain);
    State<double, 2> state(grid);
    app::FlowShow<2> show;
    show.pictures = {app::vorticity_picture(2, 10)};
    if (app::run(folder, o, grid, {.viscosity = 0.01}, state, show))
      folder.report("kinetic energy", kinetic_energy(grid, state.velocity));
  });
}
