#include <sparse/app/incompressible/adaptive_run.hpp>
#include <sparse/app/incompressible/run.hpp>

#include "options.hpp"

using namespace sparse;
using namespace sparse::incompressible;

namespace {

template <int Dim>
amr::Domain<Dim> domain_of(Options const& o) {
  amr::DomainOptions<Dim> box;
  box.level_count = o.flow.run.level_count;
  box.cells = Vec<Coord, Dim>::filled(o.n >> (box.level_count - 1));
  box.grid.spacing = Vec<double, Dim>::filled(1.0 / box.cells[0]);
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
  return amr::Domain<Dim>(box);
}

}  // namespace

template <int Dim>
void compute_on_levels(Options const& o, app::RunFolder& folder) {
  AdaptiveOptions<Dim> options;
  options.viscosity = o.viscosity;
  options.criteria = {vorticity(o.flow.run.refine_threshold)};
  options.regrid_stride = o.flow.run.regrid_stride;
  options.safety = o.flow.safety;
  options.upstream = o.flow.upstream;
  options.stop.tolerance = o.flow.tolerance;
  app::share(options, folder);
  auto flow = app::start_on_levels(folder, domain_of<Dim>(o), options);

  double& first_energy = folder.kept("first energy", 0);
  app::AdaptiveShow show;
  show.pictures = {app::vorticity_picture(Dim, Dim == 2 ? 6 : 20), app::Picture{"level"}};
  show.pictures[1].options.range = {{0, o.flow.run.level_count - 1.0}};
  show.columns = columns;
  show.numbers = [&] { return std::vector<double>{flow.kinetic_energy() / first_energy, flow.enstrophy()}; };
  show.begin = [&] {
    flow.start([](Vec<double, Dim> const& at) {
      Vec<double, Dim> u;
      for (int axis = 0; axis < Dim; ++axis) u[axis] = velocity_at(at, axis);
      return u;
    });
    first_energy = flow.kinetic_energy();
  };
  if (!app::run(folder, flow, show)) return;

  folder.report("energy kept", flow.kinetic_energy() / first_energy);
  folder.report("enstrophy", flow.enstrophy());
  double const uniform = std::pow(o.n, Dim) * static_cast<double>(flow.step_count());
  folder.report("updates over those of the finest grid", static_cast<double>(flow.update_count()) / uniform);
  app::report_levels(folder, flow);
}

template void compute_on_levels<2>(Options const&, app::RunFolder&);
template void compute_on_levels<3>(Options const&, app::RunFolder&);
