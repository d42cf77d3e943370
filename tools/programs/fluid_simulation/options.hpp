#pragma once
/// What the command line of fluid_simulation sets.

#include <string>
#include <utility>
#include <vector>

#include <sparse/base/config.hpp>
#include <sparse/incompressible/method/collocated.hpp>

#include <sparse/app/options/options.hpp>

/// Who computes: one host thread, several, a device; tiles: several sweeps in scratch memory, on whatever there is.
enum class Variant { serial, threads, cuda, tiled };
enum class Precision { single, with_double };

struct Options {
  sparse::app::RunOptions run;
  Variant variant = Variant::serial;
  sparse::incompressible::NodeLayout layout = sparse::incompressible::NodeLayout::arrays;
  Precision precision = Precision::with_double;
  bool compares_all = false, has_lid_pressure = true;
  int nx = 41, trial_count = 5, tile_sweeps = 8, smac_cells = 0;
  sparse::Index step_count = 1000, warm_step_count = 0;
  double t_end = 0;  ///< if more than 0, instead of `step_count`
  /// The document's, unless the command line has others; a time step of 0 stands for the longest stable one.
  sparse::incompressible::CollocatedOptions flow;
};

template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;
Names<Variant> const& variants();
Names<sparse::incompressible::NodeLayout> const& layouts();
template <class Value>
std::string const& name_of(Names<Value> const& names, Value value) {
  std::size_t i = 0;
  while (names[i].second != value) ++i;
  return names[i].first;
}
/// Why this build cannot run a variant; empty if it can.
std::string reason_against(Variant variant);

/// Adds all options to `app` and parses the command line; prints the message and exits where it is wrong.
Options parse_options(CLI::App& app, int argc, char** argv);
/// The command line of one variant with the same numbers, whose results go to a folder.
std::vector<std::string> command_line_of(Options const& o, Variant variant, sparse::incompressible::NodeLayout layout,
                                         std::filesystem::path const& folder);
