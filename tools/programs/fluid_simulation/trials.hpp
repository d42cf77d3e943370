#pragma once
/// The cavity, as often as it is to be timed.

#include <functional>
#include <variant>

#include <sparse/incompressible/method/collocated.hpp>

#include "options.hpp"

/// What all trials gave. Each computes the same.
struct Trials {
  std::vector<double> seconds;
  double pressure_seconds = 0;   ///< that all sweeps of all trials took
  double time_step = 0;          ///< that was taken
  sparse::Index step_count = 0;  ///< that are timed
  double t_end = 0;
  sparse::Index update_count = 0;  ///< nodes that sweeps changed in each trial
  sparse::IntervalSet<2> nodes;
  std::variant<std::vector<float>, std::vector<double>> u, v, p;  ///< at the end, x fastest

  double mean() const;
  double deviation() const;  ///< the sample's; 0 for a single trial
  double at(std::variant<std::vector<float>, std::vector<double>> const& field, int x, int y) const;
  int nx = 0;
};

/// Runs the trials.
/// @param must_stop  asked after each trial; the result then has fewer
/// @throws std::invalid_argument  for an unstable time step, with the limit
/// @throws std::runtime_error     if a value is no longer finite
Trials run_trials(Options const& o, std::function<bool()> const& must_stop);

/// Velocities on the centre lines: u along y at x = 1/2, v along x at y = 1/2.
struct CentreLines {
  std::vector<double> position, u, v;
};
CentreLines centre_lines(Trials const& trials);

/// The same flow at the same time by SMAC.
struct SmacRun {
  double seconds = 0;
  sparse::Index step_count = 0;
  CentreLines lines;  ///< at the given positions that are not on walls
};
SmacRun run_smac(Options const& o, double t_end, std::vector<double> const& positions);
