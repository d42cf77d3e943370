#pragma once
/// The folder of a run: its files, and how it ended.

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <sparse/sets/interval_set.hpp>

#include <sparse/app/stop_signal.hpp>
#include <sparse/io/files/history.hpp>
#include <sparse/io/files/series.hpp>
#include <sparse/io/levels/cells.hpp>
#include <sparse/io/pictures/render.hpp>

#include <sparse/app/options.hpp>

namespace sparse::app {

/// A picture of one array, drawn at every output.
struct Picture {
  std::string array;
  sparse::io::RenderOptions options = {};  ///< "NAME, t = ..." is the title if there is none
};

/// A CSV file with the time in its first column.
struct TimeFile {
  sparse::io::History lines;
  std::optional<double> last_time;  ///< of the lines that a run has taken over from the one it goes on from
};

/// A picture of what lies between 0 and 1 but for rounding, whose colours are the same at all times.
inline Picture picture_of_part(std::string const& array) { return {array, {.range = std::array<double, 2>{0, 1}}}; }

/// One run's folder. Every file in it is whole at any time.
class RunFolder {
public:
  /// Makes the folder and writes run.json, so that a folder that cannot be written to is known before the run.
  /// @param app      of which run.json keeps the options, and checkpoints those that matter
  RunFolder(std::string name, CLI::App const& app, RunOptions const& options, sparse::app::StopSignal const& stop);

  RunOptions const& options() const { return options_; }
  /// What must agree between a checkpoint and the run that goes on from it.
  std::string const& fingerprint() const { return fingerprint_; }
  bool is_restart() const { return !options_.restart.empty(); }
  std::filesystem::path checkpoint_path() const { return path("checkpoint.h5"); }
  /// Where a file of a program's own goes.
  std::filesystem::path path(std::string const& file) const { return folder_ / file; }
  bool stop_requested() const { return stop_.requested(); }

  /// Notes a number that the run was for, and what it should be; printed at the end and kept in run.json.
  void report(std::string const& what, double value, std::optional<double> reference = {});

  /// What `now` was when this was first asked, also in runs from which this one goes on.
  double from_start(std::string const& name, double now) { return from_start_.try_emplace(name, now).first->second; }

  // ---- for `run`

  /// Starts a file with lines over time; a run that goes on keeps the lines up to `time` if they have the same columns.
  /// @param fixed  what the first columns behind the time hold in all lines; a file with something else is replaced
  TimeFile open_over_time(std::string const& file, std::vector<std::string> const& columns, double time,
                          std::vector<double> const& fixed = {}) const;

  /// Writes the fluid and the bodies, sets of level `level`, in few large cells.
  template <int Dim>
  void write_geometry(sparse::Grid<Dim> const& grid, sparse::IntervalSet<Dim> const& fluid,
                      sparse::IntervalSet<Dim> const& solid, int level);
  /// Writes the cells' values, and pictures of them.
  template <int Dim>
  void write_fields(sparse::Index step, double time, sparse::Grid<Dim> const& grid,
                    std::vector<sparse::io::LevelCells<Dim>> const& levels, std::vector<Picture> const& pictures);
  /// Only the values.
  template <int Dim>
  void write_cells(sparse::Index step, double time, sparse::Grid<Dim> const& grid,
                   std::vector<sparse::io::LevelCells<Dim>> const& levels);
  template <int Dim>
  sparse::io::Image draw(double time, sparse::Grid<Dim> const& grid,
                         std::vector<sparse::io::LevelCells<Dim>> const& levels, Picture const& picture) const;
  /// @param is_first  whether the picture is also that of the run, NAME.png
  void write_picture(sparse::Index step, std::string const& name, sparse::io::Image const& image, bool is_first);

  /// For checkpoints: the outputs so far, "output STEP" and its time, and what `from_start` was told.
  std::map<std::string, double> numbers() const;
  /// Takes over those of a run that this one goes on from; outputs as far as their files are here.
  void keep_numbers(std::map<std::string, double> const& numbers);

  /// Adds to run.json.
  void record(std::string const& name, nlohmann::ordered_json const& value) { run_[name] = value; }
  /// @param has_checkpoint  from which the run can go on
  void end_interrupted(bool has_checkpoint = true);
  void end_complete();
  /// Writes the reason into run.json if that is still possible.
  void end_failed(std::string const& reason) noexcept;
  /// What the program returns.
  int exit_status() const { return exit_status_; }

private:
  std::filesystem::path fields_path(sparse::Index step) const;
  void say_what_to_open() const;
  void write_record() const;

  std::string name_, fingerprint_;
  RunOptions options_;
  sparse::app::StopSignal const& stop_;
  std::filesystem::path folder_;
  nlohmann::ordered_json run_;
  std::optional<sparse::io::TimeSeries> series_;
  std::map<sparse::Index, double> outputs_;
  std::map<std::string, double> from_start_;
  std::string results_;
  bool has_geometry_ = false;
  int exit_status_ = 0;
};

/// Runs a program in its folder: starts Kokkos, notes signals, and makes any exception a message and exit code 1.
/// @return  what `main` returns: 0, or 128 + the number of the signal that ended the run
int run_program(std::string const& name, CLI::App const& app, RunOptions const& options,
                std::function<void(RunFolder&)> const& body);

}  // namespace sparse::app
