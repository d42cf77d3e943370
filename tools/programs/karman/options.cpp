#include "options.hpp"

#include <cmath>

#include <fmt/format.h>

#include <sparse/app/options/command_line.hpp>

namespace app = sparse::app;

namespace {

/// Refuses options that levels have no use for, and cells that are no multiples of those of level 0.
/// @throws CLI::ValidationError
void expect_levels(CLI::App& line, Options const& o) {
  app::expect_levels(line, o.flow);
  app::expect_cells(o.nx, o.flow.run.level_count, 4, "--nx");
  app::expect_cells(o.ny, o.flow.run.level_count, 4, "--ny");
  double const slices = depth / o.coarse_width();
  if (o.dim == 3 && std::abs(slices - std::round(slices)) > 1e-9)
    throw CLI::ValidationError(
        "--nx", fmt::format("the cylinder must be a whole number of cells of level 0 long, and is {:.6g}", slices));
}

}  // namespace

Options parse_options(CLI::App& line, int argc, char** argv) {
  Options o;
  o.flow.method = app::FlowMethod::smac;
  o.flow.run.t_end = 100;
  o.flow.run.history_stride = 1;
  o.flow.run.output_dir = "karman_output";
  line.add_option("--dim", o.dim, "2; 3: the cylinder is 4 long, between walls without friction")
      ->check(CLI::IsMember({2, 3}))
      ->capture_default_str();
  line.add_option("--nx", o.nx, "cells along the flow")->check(CLI::Range(16, 1 << 14))->capture_default_str();
  CLI::Option* const ny =
      line.add_option("--ny", o.ny,
                      "cells across; makes cells that are not square if --height is given, too [those that fit]")
          ->check(CLI::Range(2, 1 << 14));
  app::add_number(line, "--re", o.re, 0.1, 1e9, "Reynolds number of the diameter");
  CLI::Option* const aspect =
      app::add_number(line, "--aspect", o.aspect, 0.1, 10.0, "height of cells over their width");
  app::add_number(line, "--length", o.length, 4.0, 1000.0, "of the domain");
  CLI::Option* const height = app::add_number(line, "--height", o.height, 2.0, 1000.0, "of the domain");
  app::add_number(line, "--perturbation", o.perturbation, 0.0, 1.0, "velocity across at the start, 0: symmetric");
  o.flow.run.level_count = 1;
  o.flow.run.regrid_stride = 5;
  o.flow.run.refine_threshold = 0.25;
  app::add_level_options(line, o.flow.run);
  app::add_flow_options(line, o.flow);
  app::add_ink_option(line, o.flow);
  app::add_surface_option(line, o.flow);
  app::add_ranks_option(line, o.flow.run);
  app::parse(line, argc, argv, o.flow, [&] {
    double const width = o.length / o.nx;
    if (ny->count() == 0)
      app::set_default(ny, o.ny, static_cast<int>(std::lround(o.height / (width * o.aspect))));
    else if (height->count() == 0)
      app::set_default(height, o.height, o.ny * width * o.aspect);
    else
      app::set_default(aspect, o.aspect, o.height / (o.ny * width));
    if (std::abs(o.ny * width * o.aspect / o.height - 1) > 0.5 / o.ny)
      throw CLI::ValidationError("--aspect", "follows from --ny and --height");
    if (o.flow.run.level_count > 1) expect_levels(line, o);
  });
  return o;
}
