// The command line of an incompressible case.

#include <cmath>

#include <sparse/app/cases/case_program.hpp>

#include "case_options.hpp"

namespace sparse::app {
namespace {

void add_case_options(CLI::App& app, FlowCase& c) {
  add_cell_options(app, c);
  if (!c.ra) add_number(app, "--re", c.re, 1e-6, 1e12, "Reynolds number");
  if (c.pr) {
    auto const set = [&c](double value) {
      c.ra = value;
      c.beta = 0;
      c.gravity = {};
      c.flow.run.film_interval = 1;
    };
    add_number(app, "--pr", *c.pr, 1e-6, 1e6, "Prandtl number");
    app.add_option_function<double>("--ra", set,
                                    "Rayleigh number, which says what --re, expansion and gravity say else")
        ->check(CLI::Range(1e-6, 1e15))
        ->check(finite())
        ->default_str(c.ra ? fmt::format("{}", *c.ra) : "");
  }
  add_level_options(app, c.flow.run);
  add_flow_options(app, c.flow);
  if (!c.obstacles.empty()) add_surface_option(app, c.flow);
  add_ranks_option(app, c.flow.run);
  if (!c.inks.empty()) {
    add_ink_option(app, c.flow);
    add_fine_ink_options(app, c.flow);
  }
  app.option_defaults()->group("Run");
  add_probe_option(app, c.flow.run);
  app.option_defaults()->group("Options");
}

/// Options of the file must have an effect together with its other options.
void expect_options_of_file(CaseFile const& file, FlowCase c) {
  CLI::App app;
  add_case_options(app, c);
  expect_useful_options(app, file, [&] { settle(app, c.flow); });
}

/// --ra determines --re. It also changes the unit of velocity, so that the tolerances of the file no longer fit. The
/// defaults are small enough for steady states; with looser ones, the solver's noise hides a steady state.
void complete_rayleigh(CLI::App& app, FlowCase& c, std::set<std::string> const& kept) {
  if (!c.ra) return;
  if (auto* const re = app.get_option_no_throw("--re"); re != nullptr) {
    double const follows = 1 / c.viscosity();
    if (re->count() > 0 && std::abs(c.re - follows) > 1e-9 * follows)
      throw CLI::ValidationError("--re", "follows from --ra and --pr");
    set_default(re, c.re, follows);
  }
  if (c.flow.method != FlowMethod::smac) return;
  bool const has_new_units = app.get_option("--ra")->count() > 0;
  auto const suit = [&](char const* name, double& value, double suitable) {
    if (has_new_units || !kept.contains(name)) set_default(app.get_option(name), value, suitable);
  };
  suit("--tolerance", c.flow.tolerance, 1e-8);
  if (c.flow.steady_tolerance > 0) suit("--steady-tolerance", c.flow.steady_tolerance, 1e-5);
}

/// Reads the options of the file, then those of the command line.
void read_options(CLI::App& app, CaseFile const& file, FlowCase& c, int argc, char** argv) {
  add_case_options(app, c);
  auto const cells = c.cells;
  auto const kept = set_options(app, file);
  expect_options_of_file(file, c);
  parse_after_file(app, file, argc, argv, [&] {
    complete_rayleigh(app, c, kept);
    keep_shape_of_cells(app, c, cells, kept);
    settle(app, c.flow, kept);
    if (c.flow.run.level_count > 1) expect_levels(app, c.flow, kept);
  });
}

}  // namespace

FlowCase case_with_options(CaseFile const& file, FlowCase c) {
  CLI::App app;
  char name[] = "flow";
  char* arguments[] = {name, nullptr};
  read_options(app, file, c, 1, arguments);
  return c;
}

int run_flow_case(CaseFile const& file, FlowCase c, std::string const& description, int argc, char** argv) {
  c.flow.run.output_dir = c.name + "_output";
  c.flow.run.setting = file.setting;
  CLI::App app(description);
  read_options(app, file, c, argc, argv);
  return run_program(c.name, app, c.flow.run, [&](RunFolder& folder) { run_case(c, folder); });
}

}  // namespace sparse::app
