// A law of your own: shallow water. A dam breaks, and the bore runs along a channel and around a pillar.

#include <cmath>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>

#include <sparse/app/compressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

/// Conserved: height h and discharge h v. Primitive: h and v. Gravity is 1. Source: Toro (2001), Shock-Capturing
/// Methods for Free-Surface Shallow Flows.
struct ShallowWater : amr::LawDefaults<ShallowWater, double, 2, 3> {
  KOKKOS_FUNCTION State primitive(State const& u) const { return {u[0], u[1] / u[0], u[2] / u[0]}; }
  KOKKOS_FUNCTION State conserved(State const& w) const { return {w[0], w[0] * w[1], w[0] * w[2]}; }
  KOKKOS_FUNCTION State flux(State const& w, int axis) const {
    State f = w[1 + axis] * conserved(w);
    f[1 + axis] += 0.5 * w[0] * w[0];
    return f;
  }
  KOKKOS_FUNCTION double max_speed(State const& w, int axis) const { return std::abs(w[1 + axis]) + std::sqrt(w[0]); }
  KOKKOS_FUNCTION bool is_admissible(State const& w) const { return w[0] > 0 && std::isfinite(w[0] + w[1] + w[2]); }
  // Behind walls, straight and curved ones, water runs the other way.
  KOKKOS_FUNCTION State mirrored(State w, int axis, double factor) const {
    w[1 + axis] *= factor;
    return w;
  }
  KOKKOS_FUNCTION State reflected(State const& w, Vec<double, 2> const& normal) const {
    double const along = w[1] * normal[0] + w[2] * normal[1];
    return {w[0], w[1] - 2 * along * normal[0], w[2] - 2 * along * normal[1]};
  }
};
using Flow = amr::Simulation<compressible::Rusanov<ShallowWater>>;

constexpr double dam = 1, height_behind = 1, height_before = 0.25;

struct Dam {
  KOKKOS_FUNCTION Vec<double, 3> operator()(Vec<double, 2> const& x) const {
    return {x[0] < dam ? height_behind : height_before, 0, 0};
  }
};

/// What files and pictures show.
struct HeightAndSpeed {
  KOKKOS_FUNCTION Vec<float, 2> operator()(Vec<double, 3> const& u) const {
    return {static_cast<float>(u[0]), static_cast<float>(std::hypot(u[1], u[2]) / u[0])};
  }
};

/// The height between the wave that runs back and the bore: there the velocities behind both agree.
double height_between() {
  double low = height_before, high = height_behind;
  while (high - low > 1e-12) {
    double const h = 0.5 * (low + high), behind_wave = 2 * (std::sqrt(height_behind) - std::sqrt(h));
    double const behind_bore = (h - height_before) * std::sqrt(0.5 * (1 / h + 1 / height_before));
    (behind_bore < behind_wave ? low : high) = h;
  }
  return low;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A dam breaks in a channel of 2 x 1 with a pillar: the shallow-water equations with gravity 1.");
  app::RunOptions o;
  o.t_end = 0.8;
  o.refine_threshold = 0.01;
  o.output_dir = "own_law_output";
  int ny = 32;
  app.add_option("--ny", ny, "cells of level 0 across the channel")
      ->check(CLI::Range(4, 1 << 16))
      ->capture_default_str();
  app::add_options(app, o);
  app.remove_option(app.get_option("--flux"));  // the others need speeds of waves, or a gas
  app::parse(app, argc, argv, o);
  return app::run_program("own_law", app, o, [&](app::RunFolder& folder) {
    amr::DomainOptions<2> channel{{2 * ny, ny}, o.level_count, {{0, 0}, {1.0 / ny, 1.0 / ny}}};
    channel.bodies = {body_from_distance<2>("pillar", BallDistance<2>{{1.5, 0.5}, 0.12})};
    auto flow =
        app::start<Flow>(folder, amr::Domain<2>(channel), {}, Dam{}, {}, app::simulation_options<ShallowWater>(o));
    double const before = app::totals_at_start(folder, flow)[0];
    app::Show<Flow, HeightAndSpeed> const show{{}, {{"height", 0, 1}, {"speed", 1, 1}}, {{"height"}, {"speed"}}};
    if (!app::run(folder, flow, show)) return;
    folder.report("height where the dam was", amr::primitive_at(flow, {{dam, 0.5}})[0][0], height_between());
    folder.report("relative change of volume", flow.totals()[0] / before - 1, 0);
  });
}
