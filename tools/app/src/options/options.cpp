#include <sparse/app/options/options.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include <sparse/app/options/command_line.hpp>
#include <sparse/version.hpp>

namespace sparse::app {
namespace {

using sparse::amr::Limiter;
using sparse::amr::Scheme;
using sparse::compressible::FluxKind;

// CLI::PositiveNumber lets infinity pass, and numbers that are none.
CLI::Validator number(bool must_be_positive) {
  return CLI::Validator(
      [must_be_positive](std::string& text) {
        char* end = nullptr;
        double const value = std::strtod(text.c_str(), &end);
        if (*end == '\0' && std::isfinite(value) && (!must_be_positive || value > 0)) return std::string();
        return text + " is not a " + (must_be_positive ? "positive " : "") + "finite number";
      },
      "");
}

bool is_repeated(CLI::Option const& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

/// A text as what it says: a number, a truth value, or itself; so 0.80 is the same as 0.8.
nlohmann::ordered_json value_of(std::string const& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  double const value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return text;
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

bool is_point(std::vector<double> const& x) { return x.size() == 2 || x.size() == 3; }

/// "x,y[,z]"; nothing if it is something else.
std::optional<Probe> probe_of(std::string const& text) {
  Probe const probe{text, numbers_of(text)};
  return is_point(probe.at) ? std::optional(probe) : std::nullopt;
}

/// "x,y[,z]:x,y[,z][:count]"; nothing if it is something else.
std::optional<Line> line_of(std::string const& text) {
  auto const first = text.find(':'), second = text.find(':', std::min(first, text.size() - 1) + 1);
  if (first == std::string::npos) return {};
  Line line{text, numbers_of(text.substr(0, first)), numbers_of(text.substr(first + 1, second - first - 1))};
  if (!is_point(line.from) || line.to.size() != line.from.size()) return {};
  if (second == std::string::npos) return line;
  auto const count = numbers_of(text.substr(second + 1));
  if (count.size() != 1 || !(count[0] >= 2 && count[0] <= 1e7) || count[0] != std::floor(count[0])) return {};
  line.count = static_cast<int>(count[0]);
  return line;
}

void add_method(CLI::App& app, RunOptions& o) {
  app.option_defaults()->group("Method");
  add_choice<Scheme>(app, "--scheme", o.scheme,
                     {{"godunov", Scheme::godunov},
                      {"hancock", Scheme::hancock},
                      {"muscl-rk2", Scheme::muscl_rk2},
                      {"muscl-rk3", Scheme::muscl_rk3}},
                     "godunov: first order; hancock: second, one flux per face and step; muscl-rk: Runge-Kutta steps");
  add_choice<FluxKind>(app, "--flux", o.flux,
                       {{"rusanov", FluxKind::rusanov}, {"hll", FluxKind::hll}, {"hllc", FluxKind::hllc}},
                       "numerical flux");
  add_choice<Limiter>(app, "--limiter", o.limiter,
                      {{"minmod", Limiter::minmod}, {"van-leer", Limiter::van_leer}, {"mc", Limiter::mc}},
                      "of slopes, from smooth to sharp; beside bodies always minmod");
  app.add_option("--cfl", o.cfl, "time step over the greatest stable one")
      ->check(CLI::Range(1e-3, 1.0))
      ->capture_default_str();
  app.add_option("--amr-levels", o.level_count, "levels, level 0 included")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  app.add_flag("--subcycle,!--no-subcycle", o.subcycle, "finer levels take shorter steps; else all take the finest's")
      ->default_str(o.subcycle ? "true" : "false");
  app.add_option("--regrid-stride", o.regrid_stride, "steps of level 0 between changes of all levels")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--longest-stride", o.longest_stride,
                 "with --subcycle: finer levels change, too, after so many steps of a level, or less")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--refine-threshold", o.refine_threshold, "relative change from cell to cell that is refined")
      ->check(positive())
      ->capture_default_str();
}

/// Probes and lines.
void add_sample_options(CLI::App& app, RunOptions& o) {
  app.option_defaults()->group("Run");
  add_probe_option(app, o);
  app.add_option("--probe-interval", o.probe_interval, "time between their lines, 0: every step of level 0")
      ->check(CLI::Range(0.0, 1e300))
      ->capture_default_str();
  add_repeated<Line>(app, "--line", o.lines, line_of, "x0,y0[,z0]:x1,y1[,z1][:count]",
                     "line whose primitive variables go to line_0.csv, ... with each output; may be repeated");
  app.option_defaults()->group("Options");
}

/// Pictures and films.
void add_show_options(CLI::App& app, RunOptions& o) {
  app.option_defaults()->group("Run");
  app.add_flag("--fields,!--no-fields", o.writes_fields, "files for ParaView with each output; else pictures alone")
      ->default_str(o.writes_fields ? "true" : "false");
  app.add_flag("--video", o.writes_video, "each picture also as a film, NAME.webp, with one frame for each output")
      ->default_str("false");
  app.add_option("--video-fps", o.frame_rate, "frames per second of films")
      ->check(CLI::Range(1, 60))
      ->capture_default_str();
  app.option_defaults()->group("Options");
}

bool is_given(CLI::App& app, char const* name) {
  CLI::Option const* const option = app.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

}  // namespace

std::vector<double> numbers_of(std::string const& text) {
  std::vector<double> numbers;
  for (char const* at = text.c_str();;) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    if (end == at || !std::isfinite(numbers.back()) || (*end != ',' && *end != '\0')) return {};
    if (*end == '\0') return numbers;
    at = end + 1;
  }
}

std::shared_ptr<CLI::App> command_line(std::string description) {
  return std::make_shared<CLI::App>(std::move(description));
}

CLI::Validator finite() { return number(false); }
CLI::Validator positive() { return number(true); }
CLI::Option* add_number(CLI::App& app, std::string const& option, double& value, double least, double most,
                        std::string const& description) {
  return app.add_option(option, value, description)
      ->check(CLI::Range(least, most))
      ->check(finite())
      ->capture_default_str();
}

CLI::Range at_least(double least) { return CLI::Range(least, 1e9); }

void expect_cells(int n, int level_count, int least, std::string const& name) {
  int const block = 1 << (level_count - 1);
  if (n % block != 0 || n < least * block)
    throw CLI::ValidationError(
        name, fmt::format("must be a multiple of 2^(levels - 1) = {}, and {} times that at least", block, least));
}

void add_probe_option(CLI::App& app, RunOptions& o) {
  add_repeated<Probe>(app, "--probe", o.probes, probe_of, "x,y[,z]",
                      "point whose values go to probe_0.csv, probe_1.csv, ... over time; may be repeated");
}

void add_level_options(CLI::App& app, RunOptions& o) {
  app.add_option("--amr-levels", o.level_count, "levels, level 0 included")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  add_number(app, "--refine-threshold", o.refine_threshold, 1e-6, 1e6, "vorticity times cell width that is refined");
  app.add_option("--regrid-stride", o.regrid_stride, "steps between changes of the levels")
      ->check(at_least(1))
      ->capture_default_str();
}

void add_output_options(CLI::App& app, RunOptions& o) {
  app.option_defaults()->group("Run");
  app.add_option("--output-dir", o.output_dir, "folder of all results, made if it is not there")->capture_default_str();
  app.add_option("--format", o.format, "vtu: leaves of all levels in a .pvd series; hdf: true AMR levels (VTKHDF)")
      ->check(CLI::IsMember({"vtu", "hdf"}))
      ->capture_default_str();
  app.add_option("--picture-size", o.picture_size, "longer side of pictures [pixels]")
      ->check(CLI::Range(64, 16384))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "host threads, 0: all")->check(CLI::Range(0, 4096))->capture_default_str();
  app.option_defaults()->group("Options");
}

void add_run_options(CLI::App& app, RunOptions& o) {
  app.option_defaults()->group("Run");
  app.add_option("--t-end", o.t_end, "time at which the run ends")->check(positive())->capture_default_str();
  app.add_option("--max-steps", o.max_steps, "steps after which the run ends")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--output-stride", o.output_stride, "steps between outputs of fields and pictures")
      ->check(at_least(1))
      ->capture_default_str();
  add_number(app, "--output-interval", o.output_interval, 0.0, 1e9,
             "time between outputs, instead of steps; 0: steps [with --video as many as make a film]");
  app.add_option("--history-stride", o.history_stride, "steps between lines of history.csv")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--checkpoint-stride", o.checkpoint_stride,
                 "steps between checkpoints, 0: only when the run is interrupted (control-C, SIGTERM)")
      ->check(at_least(0))
      ->capture_default_str();
  app.add_option("--restart", o.restart, "checkpoint to go on from");
  add_show_options(app, o);
  add_output_options(app, o);
}

void add_options(CLI::App& app, RunOptions& o) {
  o.can_share = true;
  add_method(app, o);
  add_run_options(app, o);
  add_sample_options(app, o);
}

void add_ranks_option(CLI::App& app, RunOptions& o) {
  o.can_share = true;
  app.option_defaults()->group("Method");
  app.add_flag("--exact-sums", o.has_exact_sums,
               "the same bits for any number of ranks; the pressure takes half as long again")
      ->default_str("false");
  app.option_defaults()->group("Options");
}

void settle(CLI::App& app, RunOptions& o, std::set<std::string> const& of_file) {
  if (app.get_option_no_throw("--scheme") != nullptr && o.scheme == Scheme::godunov)
    refuse_useless(app, {"--limiter"}, "with --scheme godunov");
  if (app.get_option_no_throw("--amr-levels") != nullptr && o.level_count == 1)
    refuse_useless(app, {"--subcycle", "--regrid-stride", "--longest-stride", "--refine-threshold"}, "with one level");
  if (!o.subcycle) refuse_useless(app, {"--longest-stride"}, "without --subcycle");
  if (o.probes.empty()) refuse_useless(app, {"--probe-interval"}, "without --probe");
  if (!o.writes_video) refuse_useless(app, {"--video-fps"}, "without --video");
  if (!o.writes_fields) refuse_useless(app, {"--format"}, "without --fields");
  CLI::Option* const interval = app.get_option_no_throw("--output-interval");
  if (interval == nullptr) return;
  bool const has_stride =
      is_given(app, "--output-stride") || (of_file.contains("--video") && of_file.contains("--output-stride"));
  if (o.writes_video && !has_stride && !of_file.contains("--output-interval"))
    set_default(interval, o.output_interval, o.film_interval > 0 ? o.film_interval : o.t_end / 200);
}

void refuse_useless(CLI::App& app, std::initializer_list<char const*> names, std::string const& why) {
  for (char const* const name : names) {
    CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) continue;
    if (option->count() > 0) throw CLI::ValidationError(name, "is of no use " + why);
    option->default_str("");
  }
}

void parse(CLI::App& app, int argc, char** argv, std::function<void()> const& check) {
  for (CLI::Option* const option : app.get_options({}))
    if (!is_repeated(*option)) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_version_flag("--version", sparse::version);
  app.set_config("--config", "", "TOML file with the same options");
  app.allow_config_extras(CLI::config_extras_mode::error);
  for (char const* name : {"--help", "--version", "--config"}) app.get_option(name)->group("Other");
  try {
    app.parse(argc, argv);
    check();
  } catch (CLI::ConfigError const& error) {
    std::string const file = app.get_option("--config")->as<std::string>(), what = error.what(),
                      unknown = "INI was not able to parse ";
    std::cerr << "--config: " << file << ": "
              << (what.rfind(unknown, 0) == 0 ? "unknown key '" + what.substr(unknown.size()) + "'" : what) << "\n";
    std::exit(error.get_exit_code());
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
}

nlohmann::ordered_json values_of(CLI::App const& app) {
  nlohmann::ordered_json values;
  for (CLI::Option const* const option : app.get_options()) {
    if (option->get_group() == "Other") continue;
    if (is_repeated(*option)) {
      if (option->count() > 0) values[option->get_lnames().front()] = option->results();
      continue;
    }
    std::string const text = option->count() > 0 ? option->results().back() : option->get_default_str();
    if (!text.empty()) values[option->get_lnames().front()] = value_of(text);
  }
  return values;
}

std::string fingerprint_of(CLI::App const& app) {
  std::string lines;
  auto const values = values_of(app);  // a temporary would be gone within the loop
  for (auto const& [name, value] : values.items())
    if (app.get_option("--" + name)->get_group() != "Run") lines += name + " = " + value.dump() + "\n";
  return lines;
}

}  // namespace sparse::app
