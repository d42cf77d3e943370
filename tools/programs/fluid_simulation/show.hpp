#pragma once
/// What a run leaves: values, pictures, centre lines, the times of its trials.

#include <optional>

#include <sparse/app/run/folder.hpp>

#include "trials.hpp"

/// Times of one variant, for histograms and history.csv.
struct Times {
  std::string name;
  std::vector<double> seconds;
};

/// Writes velocity and pressure at all nodes, and fluid_simulation.png: arrows of velocity over the pressure.
void write_flow(sparse::app::RunFolder& folder, Trials const& trials);
/// Writes centre_lines.csv and centre_lines.png, with those of SMAC if there are any.
void write_centre_lines(sparse::app::RunFolder& folder, CentreLines const& lines,
                        std::optional<CentreLines> const& smac);
/// Writes history.csv, a column of seconds per variant, and histogram.png.
void write_times(sparse::app::RunFolder& folder, std::vector<Times> const& times, std::string const& title);
