#include "options.hpp"

#include <cmath>
#include <cstdlib>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sparse/version.hpp>

Options parse_options(int argc, char** argv) {
  Options o;
  CLI::App app(
      "Mach-2 flow around a cylinder: the Euler equations on levels that follow the shocks.\n"
      "Lengths are in cells of level 0, speeds in units of the sound speed of the inflow, and the density and\n"
      "the sound speed there are 1, so its pressure is 1 / gamma.");
  // CLI::PositiveNumber lets infinity pass, and numbers that are none.
  auto const number = [](bool positive) {
    return CLI::Validator(
        [positive](std::string& text) {
          char* end = nullptr;
          double const value = std::strtod(text.c_str(), &end);
          if (*end == '\0' && std::isfinite(value) && (!positive || value > 0)) return std::string();
          return text + " is not a " + (positive ? "positive " : "") + "finite number";
        },
        "");
  };
  auto const finite = number(false), positive = number(true);
  auto const at_least = [](double least) { return CLI::Range(least, 1e9); };
  app.add_option("--nx", o.nx, "cells of level 0 along x")->check(CLI::Range(8, 1 << 20))->capture_default_str();
  app.add_option("--ny", o.ny, "cells of level 0 along y")->check(CLI::Range(8, 1 << 20))->capture_default_str();
  app.add_option("--radius", o.radius, "radius of the cylinder")->check(positive)->capture_default_str();
  auto const* const cx = app.add_option("--cx", o.cx, "x of its centre [nx / 5]")->check(finite);
  auto const* const cy = app.add_option("--cy", o.cy, "y of its centre [ny / 2]")->check(finite);
  app.add_option("--mach-inlet", o.mach, "Mach number of the inflow")->check(positive)->capture_default_str();
  app.add_option("--gamma", o.gamma, "ratio of specific heats")->check(CLI::Range(1.01, 3.0))->capture_default_str();
  app.add_option("--cfl", o.cfl, "time step over the greatest stable one")
      ->check(CLI::Range(1e-3, 1.0))
      ->capture_default_str();
  app.add_option("--t-final", o.t_final, "time at which the run ends")->check(positive)->capture_default_str();
  app.add_option("--max-steps", o.max_steps, "steps after which the run ends")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--output-stride", o.output_stride, "steps between outputs of the fields")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--history-stride", o.history_stride, "steps between lines of history.csv")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--output-dir", o.output_dir, "folder of all results, made if it is not there")->capture_default_str();
  app.add_option("--amr-levels", o.amr_levels, "levels, level 0 included")
      ->check(CLI::Range(1, 10))
      ->capture_default_str();
  app.add_option("--regrid-stride", o.regrid_stride, "steps between changes of the levels")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--refine-threshold", o.refine_threshold,
                 "relative change of density from cell to cell that is refined")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--walls", o.walls, "top and bottom: open, or slip walls (which choke the default domain)")
      ->check(CLI::IsMember({"open", "slip"}))
      ->capture_default_str();
  app.add_option("--precision", o.precision, "of the computation")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  app.add_option("--format", o.format, "vtu: leaves of all levels in a .pvd series; hdf: true AMR levels (VTKHDF)")
      ->check(CLI::IsMember({"vtu", "hdf"}))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "host threads, 0: all")->check(CLI::Range(0, 4096))->capture_default_str();
  app.set_version_flag("--version", sparse::version);
  app.set_config("--config", "", "TOML file with the same options");
  app.allow_config_extras(CLI::config_extras_mode::error);

  try {
    app.parse(argc, argv);
    if (cx->count() == 0) o.cx = o.nx / 5.0;
    if (cy->count() == 0) o.cy = o.ny / 2.0;
    if (o.cx - o.radius < 1 || o.cx + o.radius > o.nx - 1 || o.cy - o.radius < 1 || o.cy + o.radius > o.ny - 1)
      throw CLI::ValidationError("--radius, --cx, --cy", "a cylinder of radius " + CLI::detail::to_string(o.radius) +
                                                             " at (" + CLI::detail::to_string(o.cx) + ", " +
                                                             CLI::detail::to_string(o.cy) + ") does not fit into " +
                                                             std::to_string(o.nx) + " x " + std::to_string(o.ny) +
                                                             " cells with one cell to spare on each side");
  } catch (CLI::ConfigError const& error) {
    std::cerr << "--config: unknown or malformed entry (" << error.what() << ")\n";
    std::exit(error.get_exit_code());
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
  return o;
}

nlohmann::ordered_json to_json(Options const& o) {
  return {{"nx", o.nx},
          {"ny", o.ny},
          {"radius", o.radius},
          {"cx", o.cx},
          {"cy", o.cy},
          {"mach-inlet", o.mach},
          {"gamma", o.gamma},
          {"cfl", o.cfl},
          {"t-final", o.t_final},
          {"max-steps", o.max_steps},
          {"output-stride", o.output_stride},
          {"history-stride", o.history_stride},
          {"output-dir", o.output_dir.string()},
          {"amr-levels", o.amr_levels},
          {"regrid-stride", o.regrid_stride},
          {"refine-threshold", o.refine_threshold},
          {"walls", o.walls},
          {"precision", o.precision},
          {"format", o.format},
          {"threads", o.threads}};
}
