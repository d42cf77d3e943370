#pragma once
/// What the command line of karman sets, and what uniform grids and levels share.

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/incompressible/shedding.hpp>
#include <sparse/app/run/folder.hpp>

/// Length of the cylinder in 3D [diameters].
constexpr double depth = 4;
/// What is wrong with so few cells.
constexpr char const* cylinder_is_missing = "--nx: so wide cells that the cylinder has none";

/// Lengths are in diameters. The axis of the cylinder stands at the quarter of the length.
struct Options {
  sparse::app::FlowOptions flow;
  int dim = 2, nx = 256, ny = 64;
  double re = 1000, aspect = 1, length = 16, height = 4, perturbation = 0.1;

  /// So many finest cells in cells of level 0, and the width of one.
  int coarse(int cells) const { return cells >> (flow.run.level_count - 1); }
  double coarse_width() const { return length / coarse(nx); }
};

/// Reports the Strouhal number, drag and lift.
void report_shedding(sparse::app::RunFolder& folder, sparse::app::Shedding const& shedding, Options const& o);

/// Adds all options to the command line and parses it; prints the message and exits where it is wrong.
Options parse_options(CLI::App& line, int argc, char** argv);

/// The flow on levels that follow it.
template <int Dim>
void compute_on_levels(Options const& o, sparse::app::RunFolder& folder);
