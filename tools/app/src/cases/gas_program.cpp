// The command line of a case with a gas.

#include <algorithm>

#include <sparse/compressible/laws/navier_stokes.hpp>

#include <sparse/app/cases/case_program.hpp>

#include "case_options.hpp"

namespace sparse::app {

template <class Law>
void run_gas(GasCase const& c, Law const& law, RunFolder& folder);

namespace {

void add_gas_options(CLI::App& app, GasCase& c) {
  add_cell_options(app, c);
  app.get_option("--nx")->description("cells of level 0 along x");
  add_number(app, "--gamma", c.gamma, 1.01, 3, "ratio of specific heats");
  if (c.mach) add_number(app, "--mach", *c.mach, 1e-6, 1e6, "Mach number of the inflow");
  if (c.viscosity) {
    add_number(app, "--viscosity", *c.viscosity, 1e-300, 1e300, "dynamic viscosity");
    add_number(app, "--prandtl", c.prandtl, 1e-6, 1e6, "Prandtl number");
  }
  add_options(app, c.run);
  bool const has_thresholds =
      std::any_of(c.refinements.begin(), c.refinements.end(), [](auto const& r) { return !r.shape; });
  if (has_thresholds) app.remove_option(app.get_option("--refine-threshold"));
  if (c.obstacles.empty()) return;
  app.option_defaults()->group("Method");
  add_choice<bool>(app, "--surfaces", c.has_curved_walls, {{"curved", true}, {"staircase", false}},
                   "of bodies: where they are, if that is known, or faces of cells");
  app.option_defaults()->group("Options");
}

void expect_options_of_file(CaseFile const& file, GasCase c) {
  CLI::App app;
  add_gas_options(app, c);
  expect_useful_options(app, file, [&] { settle(app, c.run); });
}

/// The case's probes and lines come before those of the command line.
void add_places(GasCase& c) {
  auto const text_of = [&](Triple const& x) { return fmt::format("{}", fmt::join(x.begin(), x.begin() + c.dim, ",")); };
  auto const numbers_of = [&](Triple const& x) { return std::vector<double>(x.begin(), x.begin() + c.dim); };
  std::vector<Probe> probes;
  for (Triple const& x : c.probes) probes.push_back({text_of(x), numbers_of(x)});
  c.run.probes.insert(c.run.probes.begin(), probes.begin(), probes.end());
  std::vector<Line> lines;
  for (auto const& [from, to, count] : c.profiles)
    lines.push_back({text_of(from) + ":" + text_of(to), numbers_of(from), numbers_of(to), count});
  c.run.lines.insert(c.run.lines.begin(), lines.begin(), lines.end());
}

template <int Dim>
void run_in(GasCase const& c, RunFolder& folder) {
  compressible::Euler<double, Dim> const ideal{c.gamma};
  if (c.viscosity)
    run_gas(c, compressible::NavierStokes<double, Dim>{ideal, *c.viscosity, c.prandtl}, folder);
  else
    run_gas(c, ideal, folder);
}

/// Reads the options of the file, then those of the command line.
void read_options(CLI::App& app, CaseFile const& file, GasCase& c, int argc, char** argv) {
  add_gas_options(app, c);
  auto const cells = c.cells;
  auto const kept = set_options(app, file);
  expect_options_of_file(file, c);
  parse_after_file(app, file, argc, argv, [&] {
    keep_shape_of_cells(app, c, cells, kept);
    c.set_speed();
    settle(app, c.run, kept);
    add_places(c);
  });
}

}  // namespace

GasCase case_with_options(CaseFile const& file, GasCase c) {
  CLI::App app;
  char name[] = "gas";
  char* arguments[] = {name, nullptr};
  read_options(app, file, c, 1, arguments);
  return c;
}

int run_gas_case(CaseFile const& file, GasCase c, std::string const& description, int argc, char** argv) {
  c.run.output_dir = c.name + "_output";
  c.run.setting = file.setting;
  CLI::App app(description);
  read_options(app, file, c, argc, argv);
  return run_program(c.name, app, c.run, [&](RunFolder& folder) { run_case(c, folder); });
}

void run_case(GasCase const& c, RunFolder& folder) {
  if (c.dim == 2)
    run_in<2>(c, folder);
  else
    run_in<3>(c, folder);
}

}  // namespace sparse::app
