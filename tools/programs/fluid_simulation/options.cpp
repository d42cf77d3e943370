#include "options.hpp"

#include <sparse/app/options/command_line.hpp>

using sparse::incompressible::NodeLayout;

namespace {

constexpr bool has_device = !sparse::is_host_backend;

Names<Precision> const& precisions() {
  static Names<Precision> const names = {{"float", Precision::single}, {"double", Precision::with_double}};
  return names;
}

void add_options(CLI::App& app, Options& o) {
  using sparse::app::at_least;
  using sparse::app::positive;
  sparse::app::add_choice<Variant>(app, "--variant", o.variant, variants(),
                                   "serial, threads, cuda: one source on one thread, on several, on a device; tiled: "
                                   "several sweeps per tile in scratch memory");
  app.add_flag("--compare", o.compares_all, "all variants and layouts that there are, one after the other")
      ->default_str("false");
  sparse::app::add_choice<NodeLayout>(app, "--layout", o.layout, layouts(),
                                      "of values in memory; cells: a record of 23 values per node");
  sparse::app::add_choice<Precision>(app, "--precision", o.precision, precisions(), "of all values");
  app.add_option("--nx", o.nx, "nodes along each side")->check(CLI::Range(3, 1 << 14))->capture_default_str();
  app.add_option("--trials", o.trial_count, "runs that are timed")->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_option("--steps", o.step_count, "time steps")->check(at_least(1))->capture_default_str();
  app.add_option("--warm-steps", o.warm_step_count,
                 "steps before these that are not timed; values of the first ones are subnormal on fine grids")
      ->check(at_least(0))
      ->capture_default_str();
  app.add_option("--t-end", o.t_end, "time at which a run ends, instead of a number of steps")->check(positive());
  sparse::app::add_number(app, "--dt", o.flow.time_step, 0, 1e9, "time step; 0: the longest stable one");
  app.add_option("--sweeps", o.flow.sweep_count, "sweeps of Jacobi's method for the pressure in each step")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--viscosity", o.flow.viscosity, "kinematic; the lid has the velocity 1 and the length 1")
      ->check(positive())
      ->capture_default_str();
  app.add_option("--density", o.flow.density, "of the fluid")->check(positive())->capture_default_str();
  app.add_option("--stability-factor", o.flow.stability_factor,
                 "part of h^2 / (2 viscosity) that a step may be; diffusion is stable up to 0.5")
      ->check(positive())
      ->capture_default_str();
  app.add_flag("--allow-unstable", o.flow.allow_unstable, "takes longer steps all the same")->default_str("false");
  app.add_flag("--lid-pressure,!--no-lid-pressure", o.has_lid_pressure,
               "whether the pressure at the lid is 0, as in the document, or its derivative is")
      ->default_str("true");
  app.add_option("--tile-sweeps", o.tile_sweeps, "sweeps per visit of a tile")
      ->check(CLI::Range(2, 16))
      ->capture_default_str();
  app.add_option("--smac", o.smac_cells,
                 "cells along each side on which SMAC with multigrid computes the same flow to the same time; 0: none")
      ->check(CLI::Range(0, 1 << 13))
      ->capture_default_str();
  sparse::app::add_output_options(app, o.run);
}

/// @throws CLI::ValidationError  for what does not make sense
void check(CLI::App& app, Options& o) {
  if (o.t_end > 0) sparse::app::refuse_useless(app, {"--steps", "--warm-steps"}, "with --t-end");
  if (o.compares_all) {
    sparse::app::refuse_useless(app, {"--variant", "--layout", "--smac", "--format"}, "with --compare");
    return;
  }
  std::string const reason = reason_against(o.variant);
  if (!reason.empty()) throw CLI::ValidationError("--variant " + name_of(variants(), o.variant), reason);
  if (o.variant != Variant::tiled) sparse::app::refuse_useless(app, {"--tile-sweeps"}, "without --variant tiled");
  if (o.variant == Variant::serial) {
    sparse::app::refuse_useless(app, {"--threads"}, "with --variant serial");
    o.run.threads = 1;
  }
  if (o.variant == Variant::cuda) sparse::app::refuse_useless(app, {"--threads"}, "with --variant cuda");
}

}  // namespace

Names<Variant> const& variants() {
  static Names<Variant> const names = {
      {"serial", Variant::serial}, {"threads", Variant::threads}, {"cuda", Variant::cuda}, {"tiled", Variant::tiled}};
  return names;
}

Names<NodeLayout> const& layouts() {
  static Names<NodeLayout> const names = {{"arrays", NodeLayout::arrays}, {"cells", NodeLayout::cells}};
  return names;
}

std::string reason_against(Variant variant) {
  if (variant == Variant::cuda && !has_device)
    return fmt::format("this build has no CUDA, its kernels run on {}; it takes a Kokkos for CUDA (preset cuda)",
                       sparse::ExecutionSpace::name());
  if ((variant == Variant::serial || variant == Variant::threads) && has_device)
    return fmt::format("in this build all kernels run on {}; it takes a Kokkos without a device",
                       sparse::ExecutionSpace::name());
  return {};
}

Options parse_options(CLI::App& app, int argc, char** argv) {
  Options o;
  if (has_device) o.variant = Variant::cuda;
  o.run.output_dir = "fluid_simulation_output";
  o.run.picture_size = 800;
  add_options(app, o);
  sparse::app::parse(app, argc, argv, [&] { check(app, o); });
  return o;
}

std::vector<std::string> command_line_of(Options const& o, Variant variant, NodeLayout layout,
                                         std::filesystem::path const& folder) {
  std::vector<std::string> line = {"--variant", name_of(variants(), variant), "--layout", name_of(layouts(), layout)};
  auto const add = [&](std::string const& option, auto const& value) {
    line.push_back(option);
    line.push_back(fmt::format("{}", value));
  };
  add("--precision", name_of(precisions(), o.precision));
  add("--nx", o.nx);
  add("--trials", o.trial_count);
  if (o.t_end > 0)
    add("--t-end", o.t_end);
  else
    add("--steps", o.step_count);
  if (o.warm_step_count > 0) add("--warm-steps", o.warm_step_count);
  add("--dt", o.flow.time_step);
  add("--sweeps", o.flow.sweep_count);
  add("--viscosity", o.flow.viscosity);
  add("--density", o.flow.density);
  add("--stability-factor", o.flow.stability_factor);
  if (o.flow.allow_unstable) line.push_back("--allow-unstable");
  if (!o.has_lid_pressure) line.push_back("--no-lid-pressure");
  if (variant == Variant::tiled) add("--tile-sweeps", o.tile_sweeps);
  if (variant == Variant::threads || (variant == Variant::tiled && !has_device)) add("--threads", o.run.threads);
  add("--picture-size", o.run.picture_size);
  add("--output-dir", folder.string());
  return line;
}
