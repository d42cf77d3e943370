// A weak shock in a tube runs over a round bubble of lighter or heavier gas, which a tracer marks.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <sparse/compressible/laws/with_tracer.hpp>

#include <sparse/app/compressible/run.hpp>
#include <sparse/app/compressible/shock.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

using Gas = compressible::Euler<double, 2>;
using Law = compressible::WithTracer<Gas>;
using Flow = amr::Simulation<compressible::AnyFlux<Law>>;

constexpr double gamma_air = 1.4;
// In diameters of the bubble, as in the experiment of Haas and Sturtevant (1987), J. Fluid Mech. 181, 41.
constexpr double length = 5, width = 1.78, center_x = 1.5, shock_x = 0.6;

struct Options {
  sparse::app::RunOptions run;
  double mach = 1.22, density = 0.138;
  int n = 256;
};

/// Gas at rest of density 1 and sound speed 1 with a bubble in it, and a shock that runs towards it.
struct Initial {
  double density;
  Law::State behind;

  KOKKOS_FUNCTION Law::State operator()(Vec<double, 2> const& position) const {
    double const x = position[0] - center_x, y = position[1] - 0.5 * width;
    if (position[0] < shock_x) return behind;
    bool const is_bubble = x * x + y * y < 0.25;
    return {is_bubble ? density : 1, 0, 0, 1 / gamma_air, is_bubble ? 1.0 : 0.0};
  }
};

Law::State state_behind(sparse::app::NormalShock const& shock) {
  return {shock.density_ratio(), shock.velocity(), 0, shock.pressure_ratio() / gamma_air, 0};
}

amr::Domain<2> tube(Options const& o) {
  amr::DomainOptions<2> domain;
  domain.level_count = o.run.level_count;
  int const across = o.n >> (o.run.level_count - 1);
  domain.grid.spacing = Vec<double, 2>::filled(width / across);
  domain.cells = {static_cast<Coord>(std::ceil(length / domain.grid.spacing[0])), across};
  domain.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  return amr::Domain<2>(domain);
}

/// Follows the shock until it meets the bubble.
class IncidentShock {
public:
  explicit IncidentShock(sparse::app::NormalShock const& expected) : expected_(expected) {}

  /// Where the shock is on the axis, or NaN once it has met the bubble.
  double find(Flow& flow) {
    double const spacing = flow.domain().spacing(flow.domain().level_count() - 1)[0], before = center_x - 0.5;
    int const count = 2 + static_cast<int>(before / spacing);
    double const step = before / (count - 1), y = 0.5 * width;
    auto const states = amr::primitive_at(flow, amr::points_between(Vec<double, 2>{0, y}, {before, y}, count));
    double const middle = 0.5 * (1 + expected_.pressure_ratio()) / gamma_air;
    auto const pressure = [&](int i) { return states[static_cast<std::size_t>(i)][Gas::pressure_index]; };
    for (int i = count - 1 - margin; i > margin; --i) {
      if (pressure(i) > middle || pressure(i - 1) <= middle) continue;
      double const x = step * (i - (middle - pressure(i)) / (pressure(i - 1) - pressure(i)));
      if (first_time_ < 0 && x > shock_x + margin * step) {
        first_time_ = flow.time();
        first_x_ = x;
      }
      last_time_ = flow.time();
      last_x_ = x;
      behind_ = states[static_cast<std::size_t>(i - margin)];
      return x;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  void report(sparse::app::RunFolder& folder) const {
    if (!(last_time_ > first_time_) || first_time_ < 0) return;  // the run is shorter, or went on after that
    folder.report("Mach number of the shock", (last_x_ - first_x_) / (last_time_ - first_time_), expected_.mach);
    folder.report("density behind it", behind_[Gas::density], expected_.density_ratio());
    folder.report("velocity behind it", behind_[Gas::velocity], expected_.velocity());
    folder.report("pressure behind it", behind_[Gas::pressure_index] * gamma_air, expected_.pressure_ratio());
  }

private:
  static constexpr int margin = 8;  // cells that the shock and its oscillations may take
  sparse::app::NormalShock expected_;
  double first_time_ = -1, first_x_ = 0, last_time_ = -1, last_x_ = 0;
  Vec<double, Law::component_count> behind_ = {};
};

/// The greatest difference of density or tracer between points and their mirror images in the axis.
double asymmetry(Flow& flow) {
  std::vector<Vec<double, 2>> points;
  for (int i = 0; i < 200; ++i)
    for (int j = 0; j < 35; ++j)
      for (double const side : {-0.5, 0.5})
        points.push_back({(i + 0.3) * length / 200, width * (0.5 + side * (j + 0.3) / 35)});
  auto const states = amr::primitive_at(flow, points);
  double greatest = 0;
  for (std::size_t i = 0; i < states.size(); i += 2)
    for (int const c : {Gas::density, Law::tracer})
      greatest = std::max(greatest, std::abs(states[i][c] - states[i + 1][c]));
  return greatest;
}

void compute(Options const& o, sparse::app::RunFolder& folder) {
  sparse::app::NormalShock const shock{o.mach, gamma_air};
  auto options = sparse::app::simulation_options<Law>(o.run, Gas::pressure_index);
  options.criteria.push_back(amr::relative_gradient<Law>(Gas::density, o.run.refine_threshold));
  auto flow = sparse::app::start<Flow>(folder, tube(o), {Law{{gamma_air}}, o.run.flux},
                                       Initial{o.density, state_behind(shock)}, {state_behind(shock), {}}, options);
  double const tracer_mass = sparse::app::totals_at_start(folder, flow)[Law::tracer];
  IncidentShock incident(shock);
  auto show = sparse::app::show_gas(flow, {{"density"}, sparse::app::picture_of_part("tracer"), {"pressure"}});
  show.columns = {"shock_x", "least_tracer", "greatest_tracer"};
  show.numbers = [&](Flow& now) -> std::vector<double> {
    auto const extrema = amr::extrema(now);
    return {incident.find(now), extrema.least[Law::tracer], extrema.greatest[Law::tracer]};
  };
  if (!sparse::app::run(folder, flow, show)) return;

  auto const extrema = amr::extrema(flow);
  incident.report(folder);
  folder.report("least tracer", extrema.least[Law::tracer], 0);
  folder.report("greatest tracer", extrema.greatest[Law::tracer], 1);
  folder.report("relative change of tracer mass", flow.totals()[Law::tracer] / tracer_mass - 1, 0);
  folder.report("asymmetry", asymmetry(flow), 0);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A shock of Mach 1.22 runs over a bubble of light gas (helium, say, but with the same ratio of specific heats "
      "as\n"
      "air) in a tube of 5 x 1.78. Lengths are in diameters of the bubble, and density and sound speed before the\n"
      "shock are 1.");
  Options o;
  o.run.t_end = 3;
  // At this step or less the sharpest limiter makes no extrema, so the tracer stays within 0 and 1, but for what is
  // interpolated and corrected between levels.
  o.run.scheme = amr::Scheme::muscl_rk2;
  o.run.limiter = amr::Limiter::mc;
  o.run.cfl = 0.5;
  o.run.history_stride = 1;
  o.run.output_dir = "shock_bubble_output";
  app.add_option("--mach", o.mach, "of the shock")->check(CLI::Range(1.01, 20.0))->capture_default_str();
  app.add_option("--density", o.density, "of the bubble: 0.138 helium, 3 refrigerant R22")
      ->check(CLI::Range(1e-3, 1e3))
      ->capture_default_str();
  app.add_option("--n", o.n, "cells of the finest level across the tube")
      ->check(CLI::Range(8, 1 << 16))
      ->capture_default_str();
  sparse::app::add_options(app, o.run);
  app.get_option("--refine-threshold")
      ->description("relative change of density or pressure from cell to cell that is refined");
  sparse::app::parse(app, argc, argv, o.run, [&] { sparse::app::expect_cells(o.n, o.run.level_count, 4); });
  return sparse::app::run_program("shock_bubble", app, o.run,
                                  [&](sparse::app::RunFolder& folder) { compute(o, folder); });
}
