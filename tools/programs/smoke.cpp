// Warm smoke rises round an obstacle in a box.

#include <cmath>
#include <limits>

#include <sparse/shapes/physical.hpp>
#include <sparse/sparse.hpp>

#include <sparse/app/incompressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

// In widths of the box.
constexpr double height = 2, source_height = 0.15, source_radius = 0.12, obstacle_height = 0.8;

struct Options {
  sparse::app::FlowOptions flow;
  int dim = 2, nx = 128;
  double aspect = 1, re = 2000, radius = 0.15, offset = 0.05, emission = std::numeric_limits<double>::infinity();
  bool is_closed = false;
};

template <int Dim>
Vec<double, Dim> on_axis(double above_ground, double offset = 0) {
  auto point = Vec<double, Dim>::filled(0.5);
  point[0] += offset;
  point[1] = above_ground;
  return point;
}

template <int Dim>
Grid<Dim> grid_of(Options const& o) {
  Grid<Dim> grid;
  grid.spacing = Vec<double, Dim>::filled(1.0 / o.nx);
  grid.spacing[1] *= o.aspect;
  return grid;
}

/// A box between walls without friction, open or closed at the top, and an obstacle that fluid sticks to.
template <int Dim>
FlowDomain<Dim> domain_of(Options const& o, IntervalSet<Dim> const& obstacle) {
  auto const grid = grid_of<Dim>(o);
  auto cells = Vec<Coord, Dim>::filled(o.nx);
  cells[1] = static_cast<Coord>(std::lround(height / grid.spacing[1]));
  auto const room = box<Dim>({}, cells);
  auto const solid = room & obstacle;
  FlowDomain<Dim> domain;
  domain.fluid = room - solid;
  domain.grid = grid;
  domain.others = BoundaryKind::wall;
  if (!o.is_closed) domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 1, FaceSide::upper)});
  if (!solid.is_empty()) domain.parts.push_back({BoundaryKind::no_slip, faces_between(domain.fluid, solid)});
  return domain;
}

/// values = 1 in the source, less towards its edge. (An edge that is made sharp again and again is more than corrected
/// advection can keep, and ink appears there.)
template <int Dim>
void emit_into(Subset<Dim> const& source, Grid<Dim> const& grid, Field<double, Dim>& values) {
  auto const view = values.view();
  auto const h = grid.spacing, middle = on_axis<Dim>(source_height);
  for_each(
      "sparse::smoke::emit", source, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        auto const cell = p.coordinates();
        double square = 0;
        for (int axis = 0; axis < Dim; ++axis) {
          double const x = (cell[axis] + 0.5) * h[axis] - middle[axis];
          square += x * x;
        }
        double const part = 2 - 2 * std::sqrt(square) / source_radius, value = part < 1 ? part : 1;
        if (value > view(p.cell)) view(p.cell) = value;
      });
}

template <int Dim>
void compute(Options const& o, sparse::app::RunFolder& folder) {
  auto const source_cells = ball<Dim>(grid_of<Dim>(o), on_axis<Dim>(source_height), source_radius);
  if (source_cells.is_empty()) throw std::runtime_error("--nx: so wide cells that the source has none");
  IntervalSet<Dim> obstacle;
  if (o.radius > 0) obstacle = ball<Dim>(grid_of<Dim>(o), on_axis<Dim>(obstacle_height, o.offset), o.radius);
  auto domain = domain_of(o, obstacle);
  sparse::app::share(domain, folder, o.flow);
  StaggeredGrid<Dim> const grid(domain);
  sparse::app::FlowPhysics<Dim> physics;
  physics.viscosity = 1 / o.re;
  physics.buoyancy.push_back({1, Vec<double, Dim>::along(1, 1)});
  State<double, Dim> state(grid, {"ink", "temperature"});

  Subset<Dim> const source(source_cells & grid.fluid(), grid.storage());
  double emitted = 0;
  sparse::app::FlowShow<Dim> show;
  show.pictures = {sparse::app::picture_of_part("ink"), sparse::app::vorticity_picture(Dim, 15)};
  show.pictures[0].options.colours = io::ColourMap::inferno;
  show.columns = {"emitted", "greatest_ink"};
  show.numbers = [&]() -> std::vector<double> { return {emitted, greatest_value(grid, state.carried[0])}; };
  show.emit = [&] {
    if (state.time > o.emission) return;
    emitted -= total(grid, state.carried[0]);
    for (auto& values : state.carried) emit_into(source, grid_of<Dim>(o), values);
    emitted += total(grid, state.carried[0]);
  };
  show.keep = [&](sparse::app::Keeper& keeper) { keeper("emitted", emitted); };
  if (folder.is_mine()) folder.write_geometry(grid.space(), grid.whole_fluid(), obstacle, 0);
  if (!sparse::app::run(folder, o.flow, grid, physics, state, show)) return;

  double const ink = total(grid, state.carried[0]);
  folder.report("greatest divergence", divergence_of(grid, state.velocity).greatest, 0);
  folder.report("ink", ink);
  folder.report("ink that was emitted", emitted);
  // What has left the box if it is open, and what the method does not keep if ink is traced.
  folder.report("relative change of ink", ink / emitted - 1, o.is_closed ? std::optional(0.0) : std::nullopt);
  folder.report("kinetic energy", kinetic_energy(grid, state.velocity));
}

Options parse_options(CLI::App& app, int argc, char** argv) {
  Options o;
  o.flow.run.t_end = 5;
  o.flow.run.output_dir = "smoke_output";
  app.add_option("--dim", o.dim, "2 or 3")->check(CLI::IsMember({2, 3}))->capture_default_str();
  app.add_option("--nx", o.nx, "cells across the box [128; 3D: 48]")->check(CLI::Range(8, 1 << 13));
  sparse::app::add_number(app, "--re", o.re, 0.1, 1e9,
                          "Reynolds number of the box's width and the velocity that smoke gets on it");
  sparse::app::add_number(app, "--aspect", o.aspect, 0.1, 10.0, "height of cells over their width");
  sparse::app::add_number(app, "--radius", o.radius, 0.0, 0.45, "of the obstacle, 0: none");
  sparse::app::add_number(app, "--offset", o.offset, -0.4, 0.4, "of the obstacle to the right, 0: symmetric");
  app.add_option("--emission", o.emission, "time at which the source ends [never]")->check(sparse::app::positive());
  app.add_flag("--closed", o.is_closed, "the box has a lid")->default_str("false");
  sparse::app::add_flow_options(app, o.flow);
  sparse::app::add_ink_option(app, o.flow);
  sparse::app::add_ranks_option(app, o.flow.run);
  sparse::app::parse(app, argc, argv, o.flow, [&] {
    sparse::app::set_default(app.get_option("--nx"), o.nx, o.dim == 3 ? 48 : 128);
    if (o.radius == 0) sparse::app::refuse_useless(app, {"--offset"}, "without an obstacle");
  });
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Warm smoke rises from a round source round an obstacle in a box that is twice as high as wide. Lengths\n"
      "are in widths of the box; smoke at rest that is as warm as the source is accelerated by 1.");
  Options const o = parse_options(app, argc, argv);
  return sparse::app::run_program("smoke", app, o.flow.run, [&](sparse::app::RunFolder& folder) {
    o.dim == 2 ? compute<2>(o, folder) : compute<3>(o, folder);
  });
}
