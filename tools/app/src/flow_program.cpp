#include <sparse/app/flow_program.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <sparse/app/options/command_line.hpp>
#include <sparse/app/shape_distance.hpp>

namespace sparse::app {
namespace {

/// @param is_of_file  whether the user can give obstacles another shape
void add_case_options(CLI::App& app, FlowCase& c, bool is_of_file) {
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(c.dim); ++axis)
    app.add_option(fmt::format("--n{}", "xyz"[axis]), c.cells[axis],
                   axis == 0 ? "cells along x"
                             : fmt::format("cells along {} [as many as keep cells in shape]", "xyz"[axis]))
        ->check(CLI::Range(2, 1 << 20))
        ->default_str(axis == 0 ? fmt::format("{}", c.cells[0]) : "");
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
  add_flow_options(app, c.flow);
  auto const has_distance = [](CaseObstacle const& obstacle) { return knows_distance(obstacle.shape); };
  if (!c.obstacles.empty() && (is_of_file || std::all_of(c.obstacles.begin(), c.obstacles.end(), has_distance)))
    add_surface_option(app, c.flow);
  app.option_defaults()->group("Run");
  add_probe_option(app, c.flow.run);
  app.option_defaults()->group("Options");
}

/// Sets the options of a case file, one by one, so that errors have lines.
void set_options(CLI::App& app, CaseFile const& file, std::string const& file_name,
                 std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < file.options.size(); ++i) {
    auto const& [key, value] = file.options[i];
    auto const fail_here = [&](std::string const& reason) {
      fmt::print(stderr, "{}:{}: [run]: {}\n", file_name, file.option_lines[i], reason);
      std::exit(1);
    };
    CLI::Option const* const option = app.get_option_no_throw("--" + key);
    if (option == nullptr || key == "help") fail_here("unknown key '" + key + "'; --help lists the options");
    try {
      app.parse(std::vector<std::string>{fmt::format("--{}={}", key, value)});
    } catch (CLI::ParseError const& error) {
      fail_here(error.what());
    }
    arguments.push_back(fmt::format("--{}={}", key, value));
  }
}

}  // namespace

int run_flow_program(std::string const& name, std::string const& description, int argc, char** argv, FlowCase flow_case,
                     CaseFile const& file, std::string const& file_name) {
  FlowCase& c = flow_case;
  if (c.flow.run.output_dir.empty()) c.flow.run.output_dir = name + "_output";
  CLI::App app(description);
  add_case_options(app, c, !file_name.empty());
  auto const cells = c.cells;
  std::vector<std::string> arguments = {argv[0]};
  set_options(app, file, file_name, arguments);
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  parse(app, static_cast<int>(pointers.size()), pointers.data(), c.flow, [&] {
    if (auto* const re = app.get_option_no_throw("--re"); c.ra && re != nullptr) {
      double const follows = 1 / c.viscosity();
      if (re->count() > 0 && std::abs(c.re - follows) > 1e-9 * follows)
        throw CLI::ValidationError("--re", "follows from --ra and --pr");
      set_default(re, c.re, follows);
    }
    if (c.ra && c.flow.method == FlowMethod::smac) {  // whose steady states the noise of a looser tolerance hides
      set_default(app.get_option("--tolerance"), c.flow.tolerance, 1e-8);
      if (c.flow.steady_tolerance > 0) set_default(app.get_option("--steady-tolerance"), c.flow.steady_tolerance, 1e-5);
    }
    double const ratio = static_cast<double>(c.cells[0]) / cells[0];
    for (std::size_t axis = 1; axis < static_cast<std::size_t>(c.dim); ++axis)
      set_default(app.get_option(fmt::format("--n{}", "xyz"[axis])), c.cells[axis],
                  std::max(2, static_cast<int>(std::lround(ratio * cells[axis]))));
  });
  return run_program(name, app, c.flow.run, [&](RunFolder& folder) { run_case(c, folder); });
}

}  // namespace sparse::app
