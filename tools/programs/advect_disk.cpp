// A disk, or a ball, that moves through a periodic box unchanged: transport on levels that follow an edge.

#include <cmath>

#include <sparse/compressible/fluxes/rusanov.hpp>
#include <sparse/compressible/laws/advection.hpp>

#include <sparse/app/compressible/cube.hpp>
#include <sparse/app/compressible/errors.hpp>
#include <sparse/app/compressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

struct Options {
  sparse::app::RunOptions run;
  int dim = 2, n = 0;
  double radius = 0.2;
};

/// 1 in the disk, 0 outside; the box has sides of 1.
template <int Dim>
struct Disk {
  double radius;
  Vec<double, Dim> velocity;
  double time = 0;

  KOKKOS_FUNCTION Vec<double, 1> operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      double const apart = x[axis] - 0.5 - velocity[axis] * time;
      double const to_nearest_image = apart - std::floor(apart + 0.5);
      square += to_nearest_image * to_nearest_image;
    }
    return {square < radius * radius ? 1.0 : 0.0};
  }
};

/// The greatest difference between a cell and its neighbours. (A relative one would have nothing to relate to where the
/// value is 0.)
template <class Law>
struct Step {
  KOKKOS_FUNCTION double operator()(amr::IndicatorPoint<Law> const& p) const {
    double greatest = 0;
    for (int arm = 0; arm < 2 * Law::dimension; ++arm) {
      double const difference = std::abs(p.primitive(arm)[0] - p.primitive()[0]);
      greatest = difference > greatest ? difference : greatest;
    }
    return greatest;
  }
};

struct Value {
  template <class State>
  KOKKOS_FUNCTION Vec<float, 1> operator()(State const& u) const {
    return {static_cast<float>(u[0])};
  }
};

template <int Dim>
void compute(Options const& o, sparse::app::RunFolder& folder) {
  using Law = scalar::Advection<double, Dim>;
  using Flow = amr::Simulation<compressible::Rusanov<Law>>;
  Law law;
  for (int axis = 0; axis < Dim; ++axis) law.velocity[axis] = axis == 0 ? 2 : 1;
  auto options = sparse::app::simulation_options<Law>(o.run);
  options.criteria = {amr::indicator<Law>(Step<Law>{}, o.run.refine_threshold, 0.5 * o.run.refine_threshold)};
  Disk<Dim> disk{o.radius, law.velocity};
  auto const box = sparse::app::cube<Dim>(1, o.n, o.run.level_count, BoundaryKind::periodic);
  auto flow = sparse::app::start<Flow>(folder, box, {law}, disk, {}, options);
  sparse::app::Show<Flow, Value> const show{{}, {{"value", 0, 1}}, {sparse::app::picture_of_part("value")}};
  double const before = sparse::app::totals_at_start(folder, flow)[0];
  if (!sparse::app::run(folder, flow, show)) return;

  disk.time = flow.time();
  auto const extrema = amr::extrema(flow);
  folder.report("L1 error", sparse::app::errors_of(flow, disk).mean[0]);
  folder.report("least value", extrema.least[0], 0);
  folder.report("greatest value", extrema.greatest[0], 1);
  folder.report("relative change of the total", flow.totals()[0] / before - 1, 0);
  double const all = std::pow(o.n, Dim);
  folder.report("leaves over cells without levels", static_cast<double>(flow.leaf_count()) / all);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A disk (in 3D a ball) of value 1 in a periodic box with sides of 1, carried by a velocity of (2, 1) or "
               "(2, 1, 1):\n"
               "at time 1 it is where it was at first.");
  Options o;
  o.run.output_dir = "advect_disk_output";
  // At this step or less the sharpest limiter makes no extrema, so values stay within 0 and 1, but for what is
  // interpolated and corrected between levels.
  o.run.scheme = amr::Scheme::muscl_rk2;
  o.run.limiter = amr::Limiter::mc;
  o.run.cfl = 0.5;
  o.run.refine_threshold = 0.02;
  app.add_option("--dim", o.dim, "2: a disk; 3: a ball")->check(CLI::IsMember({2, 3}))->capture_default_str();
  app.add_option("--n", o.n, "cells of the finest level along each side [2D: 256, 3D: 96]")
      ->check(CLI::Range(8, 1 << 16));
  app.add_option("--radius", o.radius, "of the disk")->check(CLI::Range(0.01, 0.49))->capture_default_str();
  sparse::app::add_options(app, o.run);
  app.remove_option(app.get_option("--flux"));  // for one wave, all are the same
  app.get_option("--refine-threshold")->description("difference from cell to cell that is refined");
  sparse::app::parse(app, argc, argv, o.run, [&] {
    sparse::app::set_default(app.get_option("--n"), o.n, o.dim == 2 ? 256 : 96);
    sparse::app::expect_cells(o.n, o.run.level_count, 4);
  });
  return sparse::app::run_program("advect_disk", app, o.run, [&](sparse::app::RunFolder& folder) {
    o.dim == 2 ? compute<2>(o, folder) : compute<3>(o, folder);
  });
}
