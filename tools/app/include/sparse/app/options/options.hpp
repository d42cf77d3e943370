#pragma once
/// Options that programs share: how to compute, and what to write.

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <sparse/amr/options.hpp>
#include <sparse/compressible/fluxes/flux_kind.hpp>

namespace CLI {
class App;
}

namespace sparse::app {

/// A point. The run writes the values there over time.
struct Probe {
  std::string text;  ///< as it was given
  /// Its coordinates.
  std::vector<double> at;
};

/// A line. The run writes values along it.
struct Line {
  /// As it was given, and its ends.
  std::string text;
  std::vector<double> from, to;
  int count = 0;  ///< of points, both ends included; 0: one for each cell of the finest level
};

/// How to compute and what to write. A program changes defaults before it calls `add_options`.
struct RunOptions {
  // method
  /// Defaults of all programs; `--help` says what each number does.
  sparse::amr::Scheme scheme = sparse::amr::Scheme::hancock;
  sparse::compressible::FluxKind flux = sparse::compressible::FluxKind::hllc;
  sparse::amr::Limiter limiter = sparse::amr::Limiter::minmod;
  double cfl = 0.8;
  int level_count = 4;
  bool subcycle = true;
  int regrid_stride = 1, longest_stride = 4;
  double refine_threshold = 0.05;
  // run
  double t_end = 1;
  sparse::Index max_steps = 1000000, output_stride = 100, history_stride = 10, checkpoint_stride = 0;
  std::vector<Probe> probes;
  double probe_interval = 0;
  std::vector<Line> lines;
  double output_interval = 0;  ///< time between outputs; 0: use `output_stride`
  double film_interval = 0;    ///< between the frames of films if nothing else is asked for; 0: a 200th of the run
  /// What is written, where, and with how many threads; `--help` says more.
  bool writes_fields = true, writes_video = false;
  int frame_rate = 25;
  int picture_size = 1600;
  std::string format = "vtu";
  std::filesystem::path output_dir, restart;
  int threads = 0;
  bool can_share = false;       ///< whether several ranks can share the run; `add_options` sets it
  bool has_exact_sums = false;  ///< incompressible flows: the same bits for any number of ranks, one included
  std::string setting = {};     ///< lines that say what no option does; a checkpoint is for these, too
};

/// A command line without options, for files that do not see CLI11, which takes seconds to compile.
/// @param description  what `--help` begins with
std::shared_ptr<CLI::App> command_line(std::string description);

/// Adds options for all members of `o`. A program removes those that make no sense for it:
///
///     app.remove_option(app.get_option("--flux"));
///
/// Options of the group "Run" may change when a run goes on from a checkpoint; all others must be the same. The header
/// command_line.hpp helps with a program's own options.
void add_options(CLI::App& app, RunOptions& o);
/// Adds those options that any flow has, with levels or without.
void add_run_options(CLI::App& app, RunOptions& o);
/// Adds those options that any program has, also one without time steps: where results go, and how large they are.
void add_output_options(CLI::App& app, RunOptions& o);
/// Adds `--probe`, which may be repeated.
void add_probe_option(CLI::App& app, RunOptions& o);
/// Adds what flows on levels that follow vortices have: how many, the vorticity that is refined, how often levels
/// change.
void add_level_options(CLI::App& app, RunOptions& o);
/// Lets several ranks share the run of an incompressible flow, and adds `--exact-sums`.
void add_ranks_option(CLI::App& app, RunOptions& o);
/// Refuses options that were given but have no effect with the others, and gives others the values that suit.
/// @param of_file  options such as "--t-end" whose values a case file gives: these stay, and are not refused
/// @throws CLI::ValidationError  naming the option
void settle(CLI::App& app, RunOptions& o, std::set<std::string> const& of_file = {});

/// The numbers of a text "1,2.5,3". None if the text has another form, or a number is not finite.
std::vector<double> numbers_of(std::string const& text);

/// The values of all options as they were used, by name. Options with neither a value nor a default are left out.
nlohmann::ordered_json values_of(CLI::App const& app);
/// The options that a checkpoint depends on, with their values, one per line.
std::string fingerprint_of(CLI::App const& app);

/// Options of a simulation that refines by the relative gradient of a component of the primitive variables.
template <class Law>
sparse::amr::SimulationOptions<Law> simulation_options(RunOptions const& o, int refined_component = 0) {
  sparse::amr::SimulationOptions<Law> options;
  options.scheme = o.scheme;
  options.limiter = o.limiter;
  options.cfl = o.cfl;
  options.subcycle = o.subcycle;
  options.regrid_stride = o.regrid_stride;
  options.longest_stride = o.longest_stride;
  options.criteria = {sparse::amr::relative_gradient<Law>(refined_component, o.refine_threshold)};
  return options;
}

}  // namespace sparse::app
