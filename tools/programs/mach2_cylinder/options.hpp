#pragma once
/// What the command line of mach2_cylinder sets.

#include <sparse/app/options/options.hpp>

/// Lengths are in cells of level 0, speeds in units of the sound speed of the inflow, whose density is 1.
struct Options {
  sparse::app::RunOptions run;
  int dim = 2;
  int nx = 96, ny = 128, nz = 0;              // nz: ny unless given
  double radius = 8, cx = 0, cy = 0, cz = 0;  // the centre: 0.3 nx, ny / 2 and nz / 2 unless given
  double mach = 2, gamma = 1.4;
  bool is_curved = true, sides_are_walls = false, is_double = true;
};

/// Adds all options to `app` and parses the command line; prints the message and exits where it is wrong.
Options parse_options(CLI::App& app, int argc, char** argv);
