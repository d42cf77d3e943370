#include <cmath>
#include <stdexcept>

#include <sparse/app/incompressible/adaptive_run.hpp>
#include <sparse/app/incompressible/run.hpp>

#include "options.hpp"

using namespace sparse;
using namespace sparse::incompressible;

namespace {

/// From the axis of a cylinder along z, or to the middle of a disk.
struct CylinderDistance {
  static constexpr bool is_exact = true;
  double x, y;
  template <int Dim>
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& at) const {
    double const dx = at[0] - x, dy = at[1] - y;
    return std::sqrt(dx * dx + dy * dy) - 0.5;
  }
};

/// Of the domain, across the flow.
double middle(Options const& o) { return 0.5 * o.ny * o.aspect * o.length / o.nx; }

template <int Dim>
amr::Domain<Dim> domain_of(Options const& o) {
  amr::DomainOptions<Dim> box;
  box.level_count = o.flow.run.level_count;
  box.cells[0] = o.coarse(o.nx);
  box.cells[1] = o.coarse(o.ny);
  if constexpr (Dim == 3) box.cells[2] = static_cast<Coord>(std::lround(depth / o.coarse_width()));
  box.grid.spacing = Vec<double, Dim>::filled(o.coarse_width());
  box.grid.spacing[1] *= o.aspect;
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
  box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  double const middle = 0.5 * box.cells[1] * box.grid.spacing[1];
  box.bodies = {body_from_distance<Dim>("cylinder", CylinderDistance{0.25 * o.length, middle}, BoundaryKind::no_slip)};
  return amr::Domain<Dim>(box);
}

}  // namespace

template <int Dim>
void compute_on_levels(Options const& o, app::RunFolder& folder) {
  AdaptiveOptions<Dim> options;
  options.viscosity = 1 / o.re;
  options.inflow[0] = 1;
  options.criteria = {vorticity(o.flow.run.refine_threshold), near_surface(0.2)};
  options.regrid_stride = o.flow.run.regrid_stride;
  options.spare_cells =
      Dim == 2 ? 1 : 0;  // a fifth less time in 2D: the street moves, and changes cost as much as steps
  options.safety = o.flow.safety;
  options.curved_walls = o.flow.has_curved_walls;
  options.upstream = o.flow.upstream;
  options.stop.tolerance = o.flow.tolerance;
  app::share(options, folder);

  app::Shedding shedding;
  auto const keep = [&](app::Keeper& keeper) { shedding.keep(keeper); };
  auto const domain = domain_of<Dim>(o);
  if (domain.solid(o.flow.run.level_count - 1).is_empty()) throw std::runtime_error(cylinder_is_missing);
  auto flow = app::start_on_levels(folder, domain, options, keep);
  double const span = Dim == 3 ? depth : 1;
  auto const coefficients = [&] { return (2 / span) * flow.force().total(); };
  Vec<double, Dim> last{};  // after the last step
  if (folder.is_restart()) last = coefficients();
  double const x0 = 0.25 * o.length + 1.5, y0 = middle(o);

  app::AdaptiveShow show;
  show.pictures = {app::vorticity_picture(Dim, 4)};
  show.pictures[0].options.length_unit = "diameters";
  show.columns = {"drag", "lift"};
  show.numbers = [&] { return std::vector<double>{last[0], last[1]}; };
  show.begin = [&] {
    flow.start([&](Vec<double, Dim> const& at) {
      double const x = at[0] - x0, y = at[1] - y0;
      Vec<double, Dim> u{};
      u[0] = 1;
      u[1] = o.perturbation * std::exp(-x * x - y * y);
      return u;
    });
  };
  show.after_step = [&](double) {
    last = coefficients();
    shedding.add(flow.time(), last[0], last[1]);
  };
  show.keep = keep;
  show.steady_tolerance = o.flow.steady_tolerance;
  if (!app::run(folder, flow, show)) return;

  app::report_levels(folder, flow);
  report_shedding(folder, shedding, o);
}

template void compute_on_levels<2>(Options const&, app::RunFolder&);
template void compute_on_levels<3>(Options const&, app::RunFolder&);
