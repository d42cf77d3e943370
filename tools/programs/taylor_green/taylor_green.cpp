// Vortices that fill a box between walls without friction: in 2D they never change; in 3D they tear each other apart.

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include <sparse/app/incompressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

#include "options.hpp"

using namespace sparse;
using namespace sparse::incompressible;

namespace {

template <int Dim>
void set_vortices(StaggeredGrid<Dim> const& grid, double size, Field<double, Dim>& velocity) {
  auto const h = grid.spacing();
  for (int axis = 0; axis < 2; ++axis) {
    double* const u = velocity.component(axis);
    for_each(
        "sparse::taylor_green::start", Subset<Dim>(grid.computed_faces(axis), grid.storage()),
        KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
          auto const face = p.coordinates();
          Vec<double, Dim> x;
          for (int b = 0; b < Dim; ++b) x[b] = h[b] * (face[b] + (b == axis ? 0 : 0.5));
          u[p.cell] = size * velocity_at(x, axis);
        });
  }
}

/// The integral of the square of vorticity over 2 [length^Dim / time^2]. Over ranks, rank 0 has it.
template <int Dim>
double enstrophy(StaggeredGrid<Dim> const& grid, Field<double, Dim> const& velocity) {
  auto const curl = grid.gather(vorticity(grid, velocity));
  return 0.5 * grid.cell_volume() * dot(curl, curl);
}

template <int Dim>
void compute(Options const& o, app::RunFolder& folder) {
  FlowDomain<Dim> domain{.fluid = box<Dim>({}, Vec<Coord, Dim>::filled(o.n)),
                         .grid = {{}, Vec<double, Dim>::filled(1.0 / o.n)},
                         .others = BoundaryKind::wall};
  app::share(domain, folder, o.flow);
  StaggeredGrid<Dim> const grid(domain);
  State<double, Dim> state(grid);
  set_vortices(grid, 1, state.velocity);
  double first_energy = kinetic_energy(grid, state.velocity);
  double const pi = std::numbers::pi, viscosity = o.viscosity;
  auto const size_now = [&] { return std::exp(-2 * pi * pi * viscosity * state.time); };

  app::FlowShow<Dim> show;
  show.pictures = {app::vorticity_picture(Dim, Dim == 2 ? 2 * pi : 20)};
  show.columns = columns;
  show.numbers = [&]() -> std::vector<double> {
    return {kinetic_energy(grid, state.velocity) / first_energy, enstrophy(grid, state.velocity)};
  };
  show.keep = [&](app::Keeper& keeper) { keeper("first_energy", first_energy); };
  if (folder.is_mine()) folder.write_geometry(grid.space(), grid.whole_fluid(), IntervalSet<Dim>(), 0);
  if (!app::run(folder, o.flow, grid, {.viscosity = o.viscosity}, state, show)) return;

  folder.report("greatest divergence", divergence_of(grid, state.velocity).greatest, 0);
  double const kept = kinetic_energy(grid, state.velocity) / first_energy;
  if constexpr (Dim == 2) {
    folder.report("energy kept", kept, size_now() * size_now());
    auto of_rank = clone(state.velocity);
    set_vortices(grid, size_now(), of_rank);
    add(of_rank, -1, state.velocity);
    auto const error = grid.gather(of_rank);
    folder.report("greatest error of velocity", norm_max(error), 0);
    double const faces = 2.0 * o.n * (o.n - 1);
    folder.report("mean error of velocity", norm(error) / std::sqrt(faces), 0);
  } else {
    // Without viscosity energy stays until the smallest eddies are too small for the grid.
    folder.report("energy kept", kept, viscosity == 0 ? std::optional(1.0) : std::nullopt);
    folder.report("enstrophy", enstrophy(grid, state.velocity));
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Taylor and Green's vortices in the unit box between walls without friction, with velocities up to 1. In 2D\n"
      "they do not change but by viscosity: what else is lost, is lost to the method. In 3D they break up.");
  Options o;
  o.flow.run.t_end = 2;
  o.flow.run.history_stride = 5;
  o.flow.run.output_dir = "taylor_green_output";
  o.flow.method = app::FlowMethod::leapfrog_flow_map;
  o.flow.cfl = 0.8;
  app.add_option("--dim", o.dim, "2 or 3")->check(CLI::IsMember({2, 3}))->capture_default_str();
  app.add_option("--n", o.n, "cells along each side [64; 3D: 32]")->check(CLI::Range(4, 1 << 13));
  app::add_number(app, "--viscosity", o.viscosity, 0.0, 1e9, "kinematic");
  o.flow.run.level_count = 1;
  o.flow.run.regrid_stride = 5;
  o.flow.run.refine_threshold = 0.2;
  app::add_level_options(app, o.flow.run);
  app::add_flow_options(app, o.flow);
  app::add_ranks_option(app, o.flow.run);
  app::parse(app, argc, argv, o.flow, [&] {
    app::set_default(app.get_option("--n"), o.n, o.dim == 3 ? 32 : 64);
    if (o.flow.run.level_count == 1) return;
    if (o.flow.method != app::FlowMethod::smac) throw CLI::ValidationError("--amr-levels", "needs --method smac");
    app::expect_levels(app, o.flow);
    app::expect_cells(o.n, o.flow.run.level_count, 8);
  });
  return app::run_program("taylor_green", app, o.flow.run, [&](app::RunFolder& folder) {
    bool const has_levels = o.flow.run.level_count > 1;
    if (o.dim == 2)
      has_levels ? compute_on_levels<2>(o, folder) : compute<2>(o, folder);
    else
      has_levels ? compute_on_levels<3>(o, folder) : compute<3>(o, folder);
  });
}
