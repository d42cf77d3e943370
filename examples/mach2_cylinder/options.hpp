#pragma once
/// What the command line of mach2_cylinder sets.

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

struct Options {
  int nx = 400, ny = 160;
  double radius = 20, cx = 0, cy = 0;  // cells of level 0; the centre's defaults are nx / 5 and ny / 2
  double mach = 2, gamma = 1.4;
  double cfl = 0.8, t_final = 200;
  long max_steps = 1000000;
  long output_stride = 2000, history_stride = 10;
  int amr_levels = 4, regrid_stride = 8;
  double refine_threshold = 0.05;
  std::string walls = "open", precision = "double", format = "vtu";
  int threads = 0;
  std::filesystem::path output_dir = "mach2_cylinder_output";
};

/// Parses and checks the command line; prints the message and exits where it is wrong or asks for help.
Options parse_options(int argc, char** argv);

/// The options as they were used.
nlohmann::ordered_json to_json(Options const& options);
