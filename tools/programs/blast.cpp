// A point explosion: a strong shock that runs outwards, against the similarity solution.

#include <cmath>
#include <numbers>

#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>

#include <sparse/app/compressible/cube.hpp>
#include <sparse/app/compressible/explosion.hpp>
#include <sparse/app/compressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

constexpr double gamma_air = 1.4, pressure_before = 1e-5;

struct Options {
  sparse::app::RunOptions run;
  int dim = 2, n = 0;
  double energy = 1, source = 0.02;
  BoundaryKind sides = BoundaryKind::outflow;
};

/// Gas at rest of density 1, and pressure in a small ball around the middle of the unit box.
template <class Law>
struct Explosion {
  double source, pressure;
  KOKKOS_FUNCTION typename Law::State operator()(Vec<double, Law::dimension> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Law::dimension; ++axis) square += (x[axis] - 0.5) * (x[axis] - 0.5);
    typename Law::State w{};
    w[Law::density] = 1;
    w[Law::pressure_index] = square < source * source ? pressure : pressure_before;
    return w;
  }
};

/// Refines the cells that the source touches at the beginning, so that no level is too coarse to see it.
template <class Law>
amr::Criterion<Law> source(double radius, int up_to_level) {
  constexpr int Dim = Law::dimension;
  sparse::BallDistance<Dim> const ball{Vec<double, Dim>::filled(0.5), radius};
  return [near = amr::near_surface<Law>(ball, radius, up_to_level)](amr::LevelView<Law> const& view) {
    return view.time > 0 ? IntervalSet<Dim>() : near(view);
  };
}

template <int Dim>
void compute(Options const& o, sparse::app::RunFolder& folder) {
  using Law = compressible::Euler<double, Dim>;
  using Flow = amr::Simulation<compressible::AnyFlux<Law>>;
  double const pi = std::numbers::pi, r = o.source;
  double const volume = Dim == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
  Explosion<Law> const explosion{o.source, (gamma_air - 1) * o.energy / volume};
  auto options = sparse::app::simulation_options<Law>(o.run, Law::pressure_index);
  options.criteria.push_back(source<Law>(o.source, o.run.level_count - 1));
  auto flow = sparse::app::start<Flow>(folder, sparse::app::cube<Dim>(1, o.n, o.run.level_count, o.sides),
                                       {Law{gamma_air}, o.run.flux}, explosion, {}, options);
  auto const before = sparse::app::totals_at_start(folder, flow);
  double const energy = before[Law::energy] - pressure_before / (gamma_air - 1);
  if (!sparse::app::run(folder, flow, sparse::app::show_gas(flow, {{"density"}, {"pressure"}}))) return;

  double const expected = sparse::app::sedov_radius<Dim>(energy, flow.time());
  auto const radii = sparse::app::shock_radii(flow);
  if (expected < 0.5) {
    folder.report("radius of the shock", radii.mean, expected);
    folder.report("its range over the radius", radii.range / radii.mean, 0);
  }
  folder.report("asymmetry of density", sparse::app::explosion_asymmetry(flow), 0);
  auto const after = flow.totals();
  folder.report("relative change of mass", after[Law::density] / before[Law::density] - 1);
  folder.report("relative change of energy", after[Law::energy] / before[Law::energy] - 1);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "An explosion in the middle of a box with sides of 1, full of gas at rest of density 1 and hardly any pressure;\n"
      "its shock in the course of time, against Sedov's solution.");
  Options o;
  o.run.output_dir = "blast_output";
  o.run.flux = compressible::FluxKind::hll;  // HLLC has carbuncles where the shock runs along an axis
  o.run.refine_threshold = 0.1;
  app.add_option("--dim", o.dim, "2: cylindrical; 3: spherical")->check(CLI::IsMember({2, 3}))->capture_default_str();
  app.add_option("--n", o.n, "cells of the finest level along each side [2D: 512, 3D: 128]")
      ->check(CLI::Range(8, 1 << 16));
  app.add_option("--energy", o.energy, "of the explosion, in 2D per length")
      ->check(sparse::app::positive())
      ->capture_default_str();
  app.add_option("--source", o.source, "radius of the ball that has it at first [2D: 0.02, 3D: 0.04]")
      ->check(CLI::Range(1e-6, 0.49));
  sparse::app::add_choice<BoundaryKind>(
      app, "--sides", o.sides,
      {{"open", BoundaryKind::outflow}, {"wall", BoundaryKind::wall}, {"periodic", BoundaryKind::periodic}},
      "of the box");
  sparse::app::add_options(app, o.run);
  app.get_option("--refine-threshold")->description("relative change of pressure from cell to cell that is refined");
  app.get_option("--t-end")->default_str("")->description("time at which the run ends [2D: 0.16, 3D: 0.1]");
  sparse::app::parse(app, argc, argv, o.run, [&] {
    bool const is_plane = o.dim == 2;
    sparse::app::set_default(app.get_option("--n"), o.n, is_plane ? 512 : 128);
    sparse::app::set_default(app.get_option("--source"), o.source, is_plane ? 0.02 : 0.04);
    sparse::app::set_default(app.get_option("--t-end"), o.run.t_end, is_plane ? 0.16 : 0.1);
    if (o.run.level_count > 3 && !is_plane)
      sparse::app::set_default(app.get_option("--amr-levels"), o.run.level_count, 3);
    sparse::app::expect_cells(o.n, o.run.level_count, 4);
    if (o.source * o.n < 1)
      throw CLI::ValidationError("--source", "must be a cell of the finest level at least, so that it has some");
  });
  return sparse::app::run_program("blast", app, o.run, [&](sparse::app::RunFolder& folder) {
    o.dim == 2 ? compute<2>(o, folder) : compute<3>(o, folder);
  });
}
