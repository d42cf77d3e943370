// A vortex that a uniform stream carries through a periodic box: smooth, with an exact solution at any time.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>

#include <sparse/app/compressible/cube.hpp>
#include <sparse/app/compressible/errors.hpp>
#include <sparse/app/compressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

using Law = compressible::Euler<double, 2>;
using Flow = amr::Simulation<compressible::AnyFlux<Law>>;

constexpr double side = 10, gamma_air = 1.4;

struct Options {
  sparse::app::RunOptions run;
  int n = 128, order_count = 0;
};

/// The vortex of Yee, Sandham and Djomehri (1999), J. Comput. Phys. 150, 199, with strength 5 in a stream (1, 1).
struct Vortex {
  double time = 0;

  /// The distance to the nearest image of the centre along one axis.
  KOKKOS_FUNCTION double from_center(double x) const {
    double const apart = x - 0.5 * side - time;
    return apart - side * std::floor(apart / side + 0.5);
  }
  KOKKOS_FUNCTION Law::State operator()(Vec<double, 2> const& position) const {
    constexpr double strength = 5, pi = std::numbers::pi;
    double const x = from_center(position[0]), y = from_center(position[1]), square = x * x + y * y;
    double const swirl = strength / (2 * pi) * std::exp(0.5 * (1 - square));
    double const temperature = 1 - (gamma_air - 1) / (2 * gamma_air) * swirl * swirl;
    double const density = std::pow(temperature, 1 / (gamma_air - 1));
    return {density, 1 - swirl * y, 1 + swirl * x, density * temperature};
  }
};

/// Refines where density changes by more than `threshold` of itself per unit of length, the same region for any n.
amr::Criterion<Law> steep(double threshold) {
  return [threshold](amr::LevelView<Law> const& view) {
    return amr::relative_gradient<Law>(Law::density, threshold * view.spacing[0])(view);
  };
}

amr::Domain<2> periodic_box(int n, int level_count) {
  return sparse::app::cube<2>(side, n, level_count, BoundaryKind::periodic);
}

Flow::Options simulation_options(Options const& o) {
  auto options = sparse::app::simulation_options<Law>(o.run);
  options.criteria = {steep(o.run.refine_threshold)};
  return options;
}

using Errors = sparse::app::Errors<Law::component_count>;

/// The errors on n cells per side, without any files.
Errors errors_on(Options const& o, int n) {
  Flow flow(periodic_box(n, o.run.level_count), {Law{gamma_air}, o.run.flux}, Vortex{}, {}, simulation_options(o));
  while (!sparse::app::is_at_end(flow.time(), o.run.t_end)) flow.advance(o.run.t_end - flow.time());
  return sparse::app::errors_of(flow, Vortex{flow.time()});
}

/// Prints errors and orders of density for n / 2^(count - 1), ..., n / 2 and n cells.
void report_orders(sparse::app::RunFolder& folder, Options const& o, Errors const& finest) {
  fmt::print("{:>8} {:>12} {:>8} {:>12} {:>8}\n", "cells", "L1", "order", "Linf", "order");
  Errors before;
  for (int i = o.order_count; i >= 0; --i) {
    int const n = o.n >> i;
    Errors const now = i > 0 ? errors_on(o, n) : finest;
    double const order = std::log2(before.mean[0] / now.mean[0]);
    double const order_greatest = std::log2(before.greatest[0] / now.greatest[0]);
    if (i == o.order_count) {
      fmt::print("{:>8} {:>12.4e} {:>8} {:>12.4e}\n", n, now.mean[0], "", now.greatest[0]);
    } else {
      fmt::print("{:>8} {:>12.4e} {:>8.2f} {:>12.4e} {:>8.2f}\n", n, now.mean[0], order, now.greatest[0],
                 order_greatest);
      folder.report(fmt::format("order of L1 to {}", n), order, o.run.scheme == amr::Scheme::godunov ? 1 : 2);
      folder.report(fmt::format("order of Linf to {}", n), order_greatest);
    }
    before = now;
  }
}

void compute(Options const& o, sparse::app::RunFolder& folder) {
  auto flow = sparse::app::start<Flow>(folder, periodic_box(o.n, o.run.level_count), {Law{gamma_air}, o.run.flux},
                                       Vortex{}, {}, simulation_options(o));
  auto const show = sparse::app::show_gas(flow, {{"density"}, {"mach"}});
  double const mass = sparse::app::totals_at_start(folder, flow)[Law::density];
  if (!sparse::app::run(folder, flow, show)) return;
  auto const errors = sparse::app::errors_of(flow, Vortex{flow.time()});
  char const* const names[] = {"density", "velocity x", "velocity y", "pressure"};
  for (int c = 0; c < Law::component_count; ++c) {
    folder.report(fmt::format("L1 error of {}", names[c]), errors.mean[c]);
    folder.report(fmt::format("Linf error of {}", names[c]), errors.greatest[c]);
  }
  folder.report("relative change of mass", flow.totals()[Law::density] / mass - 1, 0);
  if (o.order_count > 0 && folder.is_mine()) report_orders(folder, o, errors);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("An isentropic vortex in a periodic box of 10 x 10, in a stream of velocity (1, 1): after a time of 10 "
               "the flow is\n"
               "what it was at first, and what is not is error.");
  Options o;
  o.run.t_end = 10;
  o.run.level_count = 2;
  o.run.limiter = amr::Limiter::van_leer;
  o.run.output_dir = "isentropic_vortex_output";
  app.add_option("--n", o.n, "cells of the finest level along each side")
      ->check(CLI::Range(8, 1 << 16))
      ->capture_default_str();
  app.add_option("--orders", o.order_count, "how often the run is repeated with half as many cells, for orders")
      ->check(CLI::Range(0, 8))
      ->capture_default_str();
  sparse::app::add_options(app, o.run);
  app.get_option("--refine-threshold")->description("relative change of density per unit of length that is refined");
  sparse::app::parse(app, argc, argv, o.run,
                     [&] { sparse::app::expect_cells(o.n, o.run.level_count + o.order_count, 8); });
  return sparse::app::run_program("isentropic_vortex", app, o.run, [&](sparse::app::RunFolder& f) { compute(o, f); });
}
