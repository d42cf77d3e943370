// The cavity of a teaching document: one scheme in serial, threaded, CUDA and tiled form, timed and compared with SMAC.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sparse/base/runtime.hpp>

#include <sparse/app/run/folder.hpp>

#include "compare.hpp"
#include "show.hpp"

using namespace sparse;

namespace {

double least(std::vector<double> const& values) { return *std::min_element(values.begin(), values.end()); }
double greatest(std::vector<double> const& values) { return *std::max_element(values.begin(), values.end()); }

/// Whether numbers are those of the document, for which a NumPy script gives references.
bool is_document(Options const& o, Trials const& trials) {
  incompressible::CollocatedOptions const document;
  return o.nx == 41 && trials.step_count == 1000 && trials.time_step == document.time_step &&
         o.flow.sweep_count == document.sweep_count && o.flow.viscosity == document.viscosity &&
         o.flow.density == document.density && o.warm_step_count == 0 && o.has_lid_pressure;
}

void report_smac(app::RunFolder& folder, CentreLines const& lines, SmacRun const& smac) {
  double difference = 0;
  for (std::size_t i = 0; i < smac.lines.position.size(); ++i)  // position 0 is a wall
    difference =
        std::max({difference, std::abs(smac.lines.u[i] - lines.u[i + 1]), std::abs(smac.lines.v[i] - lines.v[i + 1])});
  folder.report("time of SMAC [s]", smac.seconds);
  folder.report("steps of SMAC", static_cast<double>(smac.step_count));
  folder.report("least u by SMAC", least(smac.lines.u));
  folder.report("greatest difference to SMAC", difference);
}

void compute(Options const& o, app::RunFolder& folder) {
  auto const trials = run_trials(o, [&] { return folder.stop_requested(); });
  if (folder.stop_requested()) return folder.end_interrupted(false);
  fmt::print("{} x {} nodes, {} steps of {:.6g}, {} sweeps each, {}\n", o.nx, o.nx, trials.step_count, trials.time_step,
             o.flow.sweep_count, backend_name());

  folder.report("mean time [s]", trials.mean());
  folder.report("standard deviation [s]", trials.deviation());
  folder.report("node updates per second", static_cast<double>(trials.update_count) / trials.mean());
  folder.report("time per sweep [s]",
                trials.pressure_seconds / static_cast<double>(trials.step_count * o.flow.sweep_count * o.trial_count));
  auto const lines = centre_lines(trials);
  bool const is_known = is_document(o, trials);
  auto const known = [&](double value) { return is_known ? std::optional(value) : std::nullopt; };
  folder.report("least u on the centre line", least(lines.u), known(-0.158989));
  folder.report("least v on the centre line", least(lines.v), known(-0.156436));
  folder.report("greatest v on the centre line", greatest(lines.v), known(0.149679));
  std::optional<CentreLines> of_smac;
  if (o.smac_cells > 0) {
    auto const smac = run_smac(o, trials.t_end, lines.position);
    report_smac(folder, lines, smac);
    of_smac = smac.lines;
  }
  write_flow(folder, trials);
  write_centre_lines(folder, lines, of_smac);
  write_times(
      folder, {{name_of(variants(), o.variant), trials.seconds}},
      fmt::format("{} x {} nodes, mean {:.4g} s, deviation {:.2g} s", o.nx, o.nx, trials.mean(), trials.deviation()));
}

}  // namespace

int main(int argc, char** argv) {
  auto const command_line = app::command_line(
      "The flow in a square under a moving lid, by the scheme of a teaching document: velocity and pressure at the\n"
      "same nodes, Euler's method, a fixed number of Jacobi sweeps. Times it as often as is wanted, on one thread, on\n"
      "several, on a device or in tiles. history.csv and histogram.png have the times.");
  Options const o = parse_options(*command_line, argc, argv);
  app::RunOptions run = o.run;
  if (o.compares_all) run.threads = 1;  // of this process, which only waits
  return app::run_program("fluid_simulation", *command_line, run,
                          [&](app::RunFolder& folder) { o.compares_all ? compare(o, folder) : compute(o, folder); });
}
