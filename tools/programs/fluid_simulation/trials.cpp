#include "trials.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <sparse/incompressible/measure/profiles.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/shapes/shapes.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The square under a lid with velocity 1.
template <class T>
Collocated<T> cavity(Options const& o, CollocatedOptions const& options) {
  double const spacing = 1.0 / (o.nx - 1);
  Collocated<T> flow(box<2>({0, 0}, {o.nx, o.nx}), {spacing, spacing}, options);
  auto const lid = box<2>({0, o.nx - 1}, {o.nx, o.nx});
  flow.fix_u(lid, 1);
  if (o.has_lid_pressure) flow.fix_p(lid, 0);
  return flow;
}

/// The options of the flow, and the number of its steps.
template <class T>
std::pair<CollocatedOptions, Index> plan_of(Options const& o) {
  CollocatedOptions options = o.flow;
  options.layout = o.layout;
  options.sweeps_per_tile = o.variant == Variant::tiled ? o.tile_sweeps : 1;
  if (options.time_step == 0) {
    options.time_step = 1;
    options.time_step = cavity<T>(o, options).longest_step();
  }
  if (o.t_end == 0) return {options, o.step_count};
  auto const step_count = static_cast<Index>(std::ceil(o.t_end / options.time_step * (1 - 1e-12)));
  options.time_step = o.t_end / static_cast<double>(step_count);
  return {options, step_count};
}

template <class T>
Trials run_in(Options const& o, std::function<bool()> const& must_stop) {
  auto const [options, step_count] = plan_of<T>(o);
  Trials trials;
  trials.time_step = options.time_step;
  trials.step_count = step_count;
  trials.nx = o.nx;
  for (int trial = 0; trial < o.trial_count && !must_stop(); ++trial) {
    auto flow = cavity<T>(o, options);
    flow.nodes().context().fence();
    flow.advance(o.warm_step_count);
    double const pressure_before = flow.seconds().pressure;
    auto const start = Clock::now();
    flow.advance(step_count);
    flow.nodes().context().fence();
    trials.seconds.push_back(seconds_since(start));
    trials.pressure_seconds += flow.seconds().pressure - pressure_before;
    if (trial > 0) continue;
    trials.t_end = static_cast<double>(flow.step_count()) * options.time_step;
    trials.update_count = flow.inside().cell_count() * step_count * options.sweep_count;
    trials.nodes = flow.nodes();
    trials.u = to_host(flow.u());
    trials.v = to_host(flow.v());
    trials.p = to_host(flow.p());
  }
  return trials;
}

}  // namespace

double Trials::mean() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double Trials::deviation() const {
  if (seconds.size() < 2) return 0;
  double sum = 0;
  for (double const s : seconds) sum += (s - mean()) * (s - mean());
  return std::sqrt(sum / static_cast<double>(seconds.size() - 1));
}

double Trials::at(std::variant<std::vector<float>, std::vector<double>> const& field, int x, int y) const {
  auto const place = static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
  return std::visit([&](auto const& values) { return static_cast<double>(values[place]); }, field);
}

Trials run_trials(Options const& o, std::function<bool()> const& must_stop) {
  return o.precision == Precision::single ? run_in<float>(o, must_stop) : run_in<double>(o, must_stop);
}

CentreLines centre_lines(Trials const& trials) {
  int const n = trials.nx, before = (n - 1) / 2, behind = n / 2;  // the same node, or those beside the middle
  CentreLines lines;
  for (int i = 0; i < n; ++i) {
    lines.position.push_back(static_cast<double>(i) / (n - 1));
    lines.u.push_back(0.5 * (trials.at(trials.u, before, i) + trials.at(trials.u, behind, i)));
    lines.v.push_back(0.5 * (trials.at(trials.v, i, before) + trials.at(trials.v, i, behind)));
  }
  return lines;
}

SmacRun run_smac(Options const& o, double t_end, std::vector<double> const& positions) {
  FlowDomain<2> domain;
  domain.fluid = box<2>({0, 0}, {o.smac_cells, o.smac_cells});
  domain.grid.spacing = {1. / o.smac_cells, 1. / o.smac_cells};
  domain.parts = {{BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), {1, 0}}};
  StaggeredGrid<2> const grid(domain);
  State<double, 2> state(grid);
  Smac<double, 2> smac(grid, {.viscosity = o.flow.viscosity});
  SmacRun run;
  auto const start = Clock::now();
  while (state.time < t_end) {
    double const left = t_end - state.time, longest = smac.longest_step(state, 0.5);
    // Two equal steps at the end, and no sliver behind them.
    double const step = left > 2 * longest ? longest : left > longest ? 0.5 * left : left;
    auto const report = smac.advance(state, step);
    if (!report.has_converged()) throw std::runtime_error("SMAC: the pressure solver did not converge");
    if (left <= longest) break;
  }
  grid.context().fence();
  run.seconds = seconds_since(start);
  run.step_count = state.step_count;
  std::vector<Vec<double, 2>> across, along;
  for (double const x : positions) {
    if (!(x > 0 && x < 1)) continue;
    run.lines.position.push_back(x);
    across.push_back({0.5, x});
    along.push_back({x, 0.5});
  }
  for (auto const& velocity : velocity_along(grid, state.velocity, across).velocity) run.lines.u.push_back(velocity[0]);
  for (auto const& velocity : velocity_along(grid, state.velocity, along).velocity) run.lines.v.push_back(velocity[1]);
  return run;
}
