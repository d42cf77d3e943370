#pragma once
/// What the command line of karman sets, and what uniform grids and levels share.

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/incompressible/shedding.hpp>
#include <sparse/app/options/command_line.hpp>
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
};

/// Reports the Strouhal number, drag and lift.
void report_shedding(sparse::app::RunFolder& folder, sparse::app::Shedding const& shedding, Options const& o);

/// Refuses options that levels have no use for, and cells that are no multiples of those of level 0.
/// @throws CLI::ValidationError
void expect_levels(CLI::App& app, Options const& o);

/// The flow on levels that follow it.
template <int Dim>
void compute_on_levels(Options const& o, sparse::app::RunFolder& folder);
