// A shock tube with any two gases at rest or not, against the exact solution.

#include <array>
#include <optional>

#include <fmt/format.h>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <sparse/compressible/riemann/riemann.hpp>
#include <sparse/io/pictures/plot.hpp>

#include <sparse/app/compressible/errors.hpp>
#include <sparse/app/compressible/run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;

namespace {

using Law = compressible::Euler<double, 2>;
using Flow = amr::Simulation<compressible::AnyFlux<Law>>;
using Solution = compressible::RiemannSolution<double>;

constexpr double vacuum = 1e-8;  // density of what stands for vacuum over that of the gas

struct Options {
  sparse::app::RunOptions run;
  std::string left = "1,0,1", right = "0.125,0,0.1";
  double x0 = 0.5, gamma = 1.4;
  int n = 400;
};

/// Density, velocity and pressure of "rho,u,p"; nothing if the text is something else or cannot be.
std::optional<Solution::State> state_of(std::string const& text) {
  auto const numbers = sparse::app::numbers_of(text);
  if (numbers.size() != 3) return {};
  Solution::State const state = {numbers[0], numbers[1], numbers[2]};
  bool const is_gas = state[0] > 0 && state[2] > 0, is_vacuum = state[0] == 0 && state[2] == 0;
  return is_gas || is_vacuum ? std::optional(state) : std::nullopt;
}

CLI::Validator is_state() {
  auto const check = [](std::string& text) {
    return state_of(text) ? std::string() : text + " is not rho,u,p with rho > 0 and p > 0, or both 0 for vacuum";
  };
  return CLI::Validator(check, "");
}

/// What the flow starts from, and its exact solution at any time.
struct Tube {
  Solution::State left, right;
  double x0, gamma, time = 0;

  KOKKOS_FUNCTION Solution::State along(double x) const {
    if (time > 0) return Solution(left, right, gamma)((x - x0) / time);
    return x < x0 ? left : right;
  }
  KOKKOS_FUNCTION Law::State operator()(Vec<double, 2> const& x) const {
    auto const w = along(x[0]);
    return {w[0], w[1], 0, w[2]};
  }
};

/// Vacuum filled with a very thin gas as hot as the other one.
Tube with_gas_everywhere(Tube tube) {
  auto const fill = [](Solution::State& empty, Solution::State const& other) {
    if (empty[0] == 0) empty = {vacuum * other[0], other[1], vacuum * other[2]};
  };
  fill(tube.left, tube.right);
  fill(tube.right, tube.left);
  return tube;
}

/// A strip of unit length, so wide that waves along it decide the time step.
amr::Domain<2> strip(Options const& o) {
  amr::DomainOptions<2> domain;
  domain.level_count = o.run.level_count;
  domain.cells = {o.n >> (o.run.level_count - 1), 1};
  domain.grid.spacing = {1.0 / domain.cells[0], 1};
  domain.sides[0] = {BoundaryKind::outflow, BoundaryKind::outflow};
  return amr::Domain<2>(domain);
}

/// Writes profile.csv and the picture: the flow at the centres of the finest cells, and the exact solution.
void write_profile(sparse::app::RunFolder& folder, Flow& flow, Options const& o, Tube const& exact) {
  auto const spacing = flow.domain().spacing(o.run.level_count - 1);
  std::vector<Vec<double, 2>> points;
  for (int i = 0; i < o.n; ++i) points.push_back({(i + 0.5) * spacing[0], 0.5 * spacing[1]});
  auto const states = amr::primitive_at(flow, points);
  if (!folder.is_mine()) return;

  io::History file(folder.path("profile.csv"), {"x", "rho", "u", "p", "exact_rho", "exact_u", "exact_p"});
  io::Colour const red = {200, 30, 30}, black = {0, 0, 0};
  std::vector<io::Plot> plots;
  for (char const* name : {"density", "velocity", "pressure"})
    plots.push_back(
        {.title = name, .curves = {{"exact", black, {}, {}}, {"computed", red, {}, {}, true}}, .x_label = "x"});
  plots.front().title += fmt::format(", t = {:.4g}", flow.time());
  for (std::size_t i = 0; i < points.size(); ++i) {
    double const x = points[i][0];
    Vec<double, 3> const is = {states[i][0], states[i][1], states[i][3]}, should_be = exact.along(x);
    file.add({x, is[0], is[1], is[2], should_be[0], should_be[1], should_be[2]});
    for (int c = 0; c < 3; ++c)
      for (io::Curve& curve : plots[static_cast<std::size_t>(c)].curves) {
        curve.x.push_back(x);
        curve.y.push_back(curve.is_dotted ? is[c] : should_be[c]);
      }
  }
  io::write_png(folder.path("shock_tube.png"), io::draw(plots, o.run.picture_size));
}

void compute(Options const& o, sparse::app::RunFolder& folder) {
  Tube exact{*state_of(o.left), *state_of(o.right), o.x0, o.gamma};
  auto flow = sparse::app::start<Flow>(folder, strip(o), {Law{o.gamma}, o.run.flux}, with_gas_everywhere(exact), {},
                                       sparse::app::simulation_options<Law>(o.run));
  if (!sparse::app::run(folder, flow, sparse::app::show_gas(flow, {}))) return;
  exact.time = flow.time();
  write_profile(folder, flow, o, exact);
  auto const errors = sparse::app::errors_of(flow, exact);
  folder.report("L1 error of density", errors.mean[0]);
  folder.report("L1 error of velocity", errors.mean[1]);
  folder.report("L1 error of pressure", errors.mean[3]);
  Solution const solution(exact.left, exact.right, o.gamma);
  if (solution.has_vacuum()) return;
  double const contact = o.x0 + solution.star_velocity() * flow.time();
  if (!(contact > 0 && contact < 1)) return;  // it has left the tube
  auto const middle = amr::primitive_at(flow, {{contact, 0.0}}).front();
  folder.report("pressure at the contact", middle[3], solution.star_pressure());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A shock tube of unit length: two gases that meet at --x0, and the exact solution of that Riemann problem.\n"
      "profile.csv has both at the end; the defaults are Sod's.");
  Options o;
  o.run.t_end = 0.25;
  o.run.subcycle = false;  // waves into vacuum become much faster within a step of level 0
  o.run.limiter = amr::Limiter::van_leer;
  o.run.level_count = 3;
  o.run.refine_threshold = 0.003;
  o.run.output_dir = "shock_tube_output";
  app.add_option("--left", o.left, "rho,u,p left of x0; 0,0,0 is vacuum")->check(is_state())->capture_default_str();
  app.add_option("--right", o.right, "and right of it")->check(is_state())->capture_default_str();
  app.add_option("--x0", o.x0, "where they meet, in (0, 1)")->check(CLI::Range(0.001, 0.999))->capture_default_str();
  app.add_option("--gamma", o.gamma, "ratio of specific heats")->check(CLI::Range(1.01, 3.0))->capture_default_str();
  app.add_option("--n", o.n, "cells of the finest level along the tube")
      ->check(CLI::Range(8, 1 << 24))
      ->capture_default_str();
  sparse::app::add_options(app, o.run);
  sparse::app::parse(app, argc, argv, o.run, [&] {
    sparse::app::expect_cells(o.n, o.run.level_count, 4);
    if (state_of(o.left).value()[0] == 0 && state_of(o.right).value()[0] == 0)
      throw CLI::ValidationError("--left, --right", "both are vacuum");
  });
  return sparse::app::run_program("shock_tube", app, o.run,
                                  [&](sparse::app::RunFolder& folder) { compute(o, folder); });
}
