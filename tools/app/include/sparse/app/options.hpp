#pragma once
/// What every example's command line has.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include <sparse/amr/options.hpp>
#include <sparse/compressible/fluxes/flux_kind.hpp>

namespace sparse::app {

/// A point of which a run writes the values over time.
struct Probe {
  std::string text;  ///< as it was given
  std::vector<double> at;
};

/// A line along which a run writes values.
struct Line {
  std::string text;
  std::vector<double> from, to;
  int count = 0;  ///< of points, both ends included; 0: one for each cell of the finest level
};

/// How to compute and what to write. A program changes defaults before it calls `add_options`.
struct RunOptions {
  // method
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
  int picture_size = 1600;
  std::string format = "vtu";
  std::filesystem::path output_dir, restart;
  int threads = 0;
  std::string setting = {};  ///< lines that say what no option does; a checkpoint is for these, too
};

/// Adds options for all of `o`; a program removes those that make no sense for it:
///
///     app.remove_option(app.get_option("--flux"));
///
/// Options of the group "Run" may change when a run goes on from a checkpoint; all others must be the same.
void add_options(CLI::App& app, RunOptions& o);
/// Those of them that any program has, also one without time steps: where results go, and how large.
void add_output_options(CLI::App& app, RunOptions& o);
void add_probe_option(CLI::App& app, RunOptions& o);

/// Numbers with commas between them; none if the text is something else or they are not finite.
std::vector<double> numbers_of(std::string const& text);

/// Checks that a number is finite, and positive.
CLI::Validator finite();
CLI::Validator positive();
/// Adds an option for a finite number within bounds.
CLI::Option* add_number(CLI::App& app, std::string const& option, double& value, double least, double most,
                        std::string const& description);
/// Checks that an integer is at least `least`.
CLI::Range at_least(double least);

/// Adds an option with one of several values, by name.
template <class Value>
CLI::Option* add_choice(CLI::App& app, std::string const& option, Value& value,
                        std::vector<std::pair<std::string, Value>> const& choices, std::string const& description) {
  std::vector<std::string> names;
  std::string current;
  for (auto const& [name, choice] : choices) {
    names.push_back(name);
    if (choice == value) current = name;
  }
  auto const choose = [&value, choices](std::string const& wanted) {
    for (auto const& [name, choice] : choices)
      if (name == wanted) value = choice;
  };
  return app.add_option_function<std::string>(option, choose, description)
      ->check(CLI::IsMember(names))
      ->default_str(current);
}

/// Adds an option that may be repeated.
/// @param value_of  of one of its texts; nothing if that is not of the form `form`
template <class Value>
void add_repeated(CLI::App& app, std::string const& option, std::vector<Value>& values,
                  std::optional<Value> (*value_of)(std::string const&), std::string const& form,
                  std::string const& description) {
  auto const set = [&values, value_of](std::vector<std::string> const& texts) {
    values.clear();
    for (auto const& text : texts) values.push_back(value_of(text).value());
  };
  auto const check = [value_of, form](std::string& text) {
    return value_of(text) ? std::string() : text + " is not " + form;
  };
  app.add_option_function<std::vector<std::string>>(option, set, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(form)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// Sets a value that was not given, so that it is also among those that were used.
template <class T>
void set_default(CLI::Option* option, T& value, T by_default) {
  if (option->count() > 0) return;
  value = by_default;
  option->default_str(fmt::format("{}", by_default));
}

/// Checks that `n` cells of the finest level along each side are whole cells of level 0, at least `least` of them.
/// @throws CLI::ValidationError  for --n
void expect_cells(int n, int level_count, int least);

/// Parses the command line and calls `check`, which may throw CLI::ValidationError; prints the message and exits where
/// something is wrong or help is asked for. Of an option that is given twice, the last counts, unless it is one that
/// may be repeated.
void parse(
    CLI::App& app, int argc, char** argv, std::function<void()> const& check = [] {});

/// The values of all options as they were used, by name; what has neither a value nor a default is left out.
nlohmann::ordered_json values_of(CLI::App const& app);
/// Those of them that a checkpoint is for, one per line.
std::string fingerprint_of(CLI::App const& app);

/// The options of a simulation; refines by the relative gradient of a component of the primitive variables.
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
