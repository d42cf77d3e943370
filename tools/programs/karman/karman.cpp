// Incompressible flow past a cylinder, and the street of vortices that it leaves behind.

#include <cmath>

#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/shapes/physical.hpp>
#include <sparse/sparse.hpp>

#include <sparse/app/incompressible/adaptive_run.hpp>
#include <sparse/app/incompressible/run.hpp>

#include "options.hpp"

using namespace sparse;
using namespace sparse::incompressible;

namespace {

/// Where fluid and cylinder are.
template <int Dim>
struct Scene {
  IntervalSet<Dim> fluid, solid;
  Grid<Dim> grid;
  SignedDistance<Dim> distance;  // none if the cylinder is made of cells
};

/// @throws std::runtime_error  if the cylinder has no cell
template <int Dim>
Scene<Dim> scene_of(Options const& o) {
  Scene<Dim> scene;
  double const width = o.length / o.nx;
  scene.grid.spacing = Vec<double, Dim>::filled(width);
  scene.grid.spacing[1] = width * o.aspect;
  Vec<Coord, Dim> cells;
  cells[0] = o.nx;
  cells[1] = o.ny;
  Grid<2> const plane{{}, {scene.grid.spacing[0], scene.grid.spacing[1]}};
  double const x0 = 0.25 * o.length, y0 = 0.5 * cells[1] * scene.grid.spacing[1];
  auto const disk = ball<2>(plane, {x0, y0}, 0.5);
  if constexpr (Dim == 3) {
    cells[2] = static_cast<Coord>(std::lround(depth / width));
    scene.solid = extrude(disk, 0, cells[2]);
  } else {
    scene.solid = disk;
  }
  auto const all = box<Dim>({}, cells);
  scene.fluid = all - scene.solid;
  if (scene.solid.is_empty()) throw std::runtime_error(cylinder_is_missing);
  if (o.flow.has_curved_walls) {
    scene.distance = [=](Vec<double, Dim> const& x) { return std::hypot(x[0] - x0, x[1] - y0) - 0.5; };
    scene.fluid = open_cells(all, scene.grid, scene.distance);
  }
  return scene;
}

/// Uniform flow with friction at the cylinder alone.
template <int Dim>
FlowDomain<Dim> domain_of(Scene<Dim> const& scene) {
  FlowDomain<Dim> domain;
  domain.fluid = scene.fluid;
  domain.grid = scene.grid;
  domain.others = BoundaryKind::wall;
  domain.parts.push_back({BoundaryKind::inflow, side_faces(scene.fluid, 0, FaceSide::lower), {1}});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(scene.fluid, 0, FaceSide::upper)});
  if (scene.distance)
    domain.distance = scene.distance;
  else
    domain.parts.push_back({BoundaryKind::no_slip, faces_between(scene.fluid, scene.solid)});
  return domain;
}

/// The flow of far away, and across it a blow behind the cylinder, without which symmetry would last for long.
template <int Dim>
void set_start(StaggeredGrid<Dim> const& grid, Field<double, Dim>& velocity, Options const& o, double middle) {
  auto const u = velocity.view();
  auto const h = grid.spacing();
  double const x0 = 0.25 * o.length + 1.5, strength = o.perturbation;
  for_each(
      "sparse::karman::start_along", Subset<Dim>(grid.computed_faces(0), grid.storage()),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { u(0, p.cell) = 1; });
  for_each(
      "sparse::karman::start_across", Subset<Dim>(grid.computed_faces(1), grid.storage()),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        auto const face = p.coordinates();
        double const x = (face[0] + 0.5) * h[0] - x0, y = face[1] * h[1] - middle;
        u(1, p.cell) = strength * std::exp(-x * x - y * y);
      });
}

template <int Dim>
void put_ink(Subset<Dim> const& where, Field<double, Dim>& ink, double width, double middle) {
  auto const values = ink.view();
  for_each(
      "sparse::karman::put_ink", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        double const y = (p.coordinates()[1] + 0.5) * width - middle, size = y < 0 ? -y : y;
        values(p.cell) = size < 0.6 ? 1 : 0;
      });
}

template <int Dim>
void compute(Options const& o, sparse::app::RunFolder& folder) {
  auto const scene = scene_of<Dim>(o);
  auto domain = domain_of(scene);
  sparse::app::share(domain, folder, o.flow);
  StaggeredGrid<Dim> const grid(domain);
  auto const box_of_fluid = scene.fluid.bounds();
  double const viscosity = 1 / o.re, middle = 0.5 * box_of_fluid.end[1] * scene.grid.spacing[1];
  State<double, Dim> state(grid, {"ink"});
  set_start(grid, state.velocity, o, middle);

  // Ink comes from a strip at the inflow that is wider than what flows in before it gets ink again.
  auto strip = box_of_fluid;
  strip.end[0] = static_cast<Coord>(std::ceil(o.flow.longest_way())) + 1;
  Subset<Dim> const source(grid.fluid() & box<Dim>(strip.begin, strip.end), grid.storage());
  BodyForces<Dim> const forces(grid, scene.solid);
  double const span = Dim == 3 ? box_of_fluid.end[Dim - 1] * scene.grid.spacing[Dim - 1] : 1;
  auto const coefficients = [&] { return (2 / span) * forces(state.velocity, state.pressure, viscosity).total(); };

  sparse::app::Shedding shedding;
  sparse::app::FlowShow<Dim> show;
  show.pictures = {sparse::app::vorticity_picture(Dim, 4), sparse::app::picture_of_part("ink")};
  show.columns = {"drag", "lift"};
  show.numbers = [&]() -> std::vector<double> {
    auto const force = coefficients();
    return {force[0], force[1]};
  };
  show.emit = [&] { put_ink(source, state.carried[0], scene.grid.spacing[1], middle); };
  show.after_step = [&] {
    auto const force = coefficients();
    shedding.add(state.time, force[0], force[1]);
  };
  show.keep = [&](sparse::app::Keeper& keeper) { shedding.keep(keeper); };
  if (folder.is_mine()) folder.write_geometry(scene.grid, scene.fluid, scene.solid, 0);
  if (!sparse::app::run(folder, o.flow, grid, {.viscosity = viscosity}, state, show)) return;

  folder.report("greatest divergence", divergence_of(grid, state.velocity).greatest, 0);
  folder.report("flow out over flow in",
                outward_flux(grid, state.velocity, BoundaryKind::outflow) /
                    -outward_flux(grid, state.velocity, BoundaryKind::inflow),
                1);
  report_shedding(folder, shedding, o);
}

}  // namespace

int main(int argc, char** argv) {
  auto const app = sparse::app::command_line(
      "Incompressible flow past a cylinder in a channel without friction at its sides. Lengths are in diameters,\n"
      "velocities in that of the inflow; drag and lift are coefficients. Prints the Strouhal number.\n"
      "With --amr-levels, cells are fine beside the cylinder and where vortices are. --nx and --ny then count the\n"
      "finest cells, and there is no ink.");
  Options const o = parse_options(*app, argc, argv);
  return sparse::app::run_program("karman", *app, o.flow.run, [&](sparse::app::RunFolder& folder) {
    if (o.flow.run.level_count > 1)
      o.dim == 2 ? compute_on_levels<2>(o, folder) : compute_on_levels<3>(o, folder);
    else
      o.dim == 2 ? compute<2>(o, folder) : compute<3>(o, folder);
  });
}
