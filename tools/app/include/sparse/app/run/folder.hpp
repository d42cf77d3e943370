#pragma once
/// The folder of a run: its files, and how it ended.

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <sparse/distributed/team.hpp>
#include <sparse/sets/interval_set.hpp>

#include <sparse/io/files/history.hpp>
#include <sparse/io/files/series.hpp>
#include <sparse/io/levels/cells.hpp>
#include <sparse/io/pictures/poly_data.hpp>
#include <sparse/io/pictures/render.hpp>

#include <sparse/app/options/options.hpp>
#include <sparse/app/run/stop_signal.hpp>

namespace sparse::app {

/// A picture of one array, drawn at every output.
struct Picture {
  std::string array;                       ///< or "level"
  sparse::io::RenderOptions options = {};  ///< "NAME, t = ..." is the title if there is none
  std::string name = {};                   ///< of its files; empty for that of the array
};

/// What run.json holds under a name.
using RunValue = std::variant<bool, Index, double, std::string, std::map<std::string, double>>;

/// A CSV file with the time in its first column.
struct TimeFile {
  /// The lines of history.csv.
  sparse::io::History lines;
  std::optional<double> last_time;  ///< of the lines that were kept from an earlier run, if any
};

/// A picture of values from 0 to 1. Its colours mean the same at all times.
inline Picture picture_of_part(std::string const& array) { return {array, {.range = std::array<double, 2>{0, 1}}}; }

/// The folder of one run. Its files are whole at any time: a killed run leaves none that is cut short.
class RunFolder {
public:
  /// Makes the folder and writes run.json. So a folder that cannot be written to is found before the run.
  /// @param app   its options go to run.json, and those that change results to checkpoints
  /// @param stop  must outlive the folder
  /// @param team  the ranks that share the run, if there are several; all but rank 0 leave the folder alone
  /// @throws std::runtime_error  if the folder cannot be made or written to, with the path and the reason. So do all
  ///                             members that write
  RunFolder(std::string name, CLI::App const& app, RunOptions const& options, sparse::app::StopSignal const& stop,
            distributed::Team* team = nullptr);
  ~RunFolder();

  /// The options of the run.
  RunOptions const& options() const { return options_; }
  /// What must agree between a checkpoint and the run that goes on from it.
  std::string const& fingerprint() const { return fingerprint_; }
  /// Whether the run goes on from a checkpoint, and where it writes one.
  bool is_restart() const { return !options_.restart.empty(); }
  std::filesystem::path checkpoint_path() const { return path("checkpoint.h5"); }
  /// The path of a file in the folder.
  std::filesystem::path path(std::string const& file) const { return folder_ / file; }
  /// Whether a signal has asked to stop.
  bool stop_requested() const { return stop_.requested(); }
  /// The ranks that share the run; nullptr if this process has it alone.
  distributed::Team* team() const { return team_; }
  /// Whether this rank writes into the folder: rank 0, or a process that is alone. The others call no member that
  /// writes, but `write_piece`.
  bool is_mine() const { return team_ == nullptr || team_->rank() == 0; }

  /// Notes a result and, if known, its reference. Both are printed at the end, and the result goes to run.json.
  void report(std::string const& what, double value, std::optional<double> reference = {});

  /// A number that checkpoints keep. It is `at_first` at the first call with this name.
  double& kept(std::string const& name, double at_first) { return kept_.try_emplace(name, at_first).first->second; }

  // ---- for the loop in time

  /// Starts a CSV file over time. A run that goes on keeps the lines up to `time` if they have the same columns.
  /// @param fixed  values of the columns after the time, the same in all lines; a file with others is replaced
  TimeFile open_over_time(std::string const& file, std::vector<std::string> const& columns, double time,
                          std::vector<double> const& fixed = {}) const;

  /// Writes the sets of the fluid and the bodies, in cells of level `level`, joined to few large ones.
  template <int Dim>
  void write_geometry(sparse::Grid<Dim> const& grid, sparse::IntervalSet<Dim> const& fluid,
                      sparse::IntervalSet<Dim> const& solid, int level);
  /// Writes a set of cells of level `level` to a .vtu file, joined to few large cells.
  template <int Dim>
  void write_set(std::string const& file, sparse::Grid<Dim> const& grid, sparse::IntervalSet<Dim> const& set,
                 int level) const;
  /// Writes the values of the cells and the pictures.
  template <int Dim>
  void write_fields(sparse::Index step, double time, sparse::Grid<Dim> const& grid,
                    std::vector<sparse::io::LevelCells<Dim>> const& levels, std::vector<Picture> const& pictures);
  /// Only the values.
  template <int Dim>
  void write_cells(sparse::Index step, double time, sparse::Grid<Dim> const& grid,
                   std::vector<sparse::io::LevelCells<Dim>> const& levels);
  /// Only the pictures.
  template <int Dim>
  void write_pictures(sparse::Index step, double time, sparse::Grid<Dim> const& grid,
                      std::vector<sparse::io::LevelCells<Dim>> const& levels, std::vector<Picture> const& pictures);
  /// Whether each rank writes the values of its cells: into a file of its own or, where levels go to one file, into
  /// its part of that.
  bool writes_pieces() const { return team_ != nullptr && options_.writes_fields; }
  /// Writes them, and on rank 0 the file that lists those of all ranks. Collective.
  /// @param levels  the cells of this rank; each rank has the same levels
  /// @param all     the cells of these levels, of all ranks
  /// @param box     the cells of level 0 of all ranks
  /// @throws std::runtime_error  with the path and the reason, on all ranks, if one of them cannot write
  template <int Dim>
  void write_piece(sparse::Index step, double time, sparse::Grid<Dim> const& grid,
                   std::vector<sparse::io::LevelCells<Dim>> const& levels,
                   std::vector<sparse::IntervalSet<Dim>> const& all, Box<Dim> const& box);
  /// The picture of one array, as it is drawn at an output.
  template <int Dim>
  sparse::io::Image draw(double time, sparse::Grid<Dim> const& grid,
                         std::vector<sparse::io::LevelCells<Dim>> const& levels, Picture const& picture) const;
  /// Also adds the picture to a film if the options ask for films.
  /// @param is_first  whether the picture is also that of the run, NAME.png
  void write_picture(sparse::Index step, std::string const& name, sparse::io::Image const& image, bool is_first);

  /// Writes lines and surfaces as NAME.vtp.
  void write_poly_data(std::string const& name, sparse::io::PolyData const& data);

  /// Ends the films and gives them their names. Without it they are deleted.
  void finish_films();

  /// Numbers for a checkpoint: outputs ("output STEP", its time), pictures ("picture STEP"), and those of `kept`.
  std::map<std::string, double> numbers() const;
  /// Takes over the numbers of a checkpoint. Outputs and frames count only if their files are here.
  void keep_numbers(std::map<std::string, double> const& numbers);

  /// Adds a value to run.json.
  void record(std::string const& name, RunValue const& value);
  void record_json(std::string const& name, nlohmann::ordered_json const& value);
  /// How the run ended, for run.json; also says what to open.
  /// @param has_checkpoint  whether the run can go on from one
  void end_interrupted(bool has_checkpoint = true);
  void end_complete();
  /// Writes the reason into run.json if that is still possible.
  void end_failed(std::string const& reason) noexcept;
  /// What the program returns.
  int exit_status() const { return exit_status_; }

private:
  struct Films;
  std::filesystem::path fields_path(sparse::Index step, std::string const& extension) const;
  void note_output(sparse::Index step, double time, std::filesystem::path const& path);
  std::filesystem::path picture_path(sparse::Index step, std::string const& name) const;
  void say_what_to_open() const;
  void write_record() const;

  std::string name_, fingerprint_;
  RunOptions options_;
  sparse::app::StopSignal const& stop_;
  distributed::Team* team_;
  std::filesystem::path folder_;
  std::unique_ptr<nlohmann::ordered_json> run_;
  std::unique_ptr<Films> films_;
  std::optional<sparse::io::TimeSeries> series_;
  std::map<sparse::Index, double> outputs_;
  std::set<sparse::Index> pictures_;  // steps of which there are pictures
  std::map<std::string, double> kept_;
  std::string results_;
  bool has_geometry_ = false;
  std::vector<std::string> poly_data_;  // paths of the files
  int exit_status_ = 0;
};

/// Runs a program in its folder. Starts Kokkos and notes signals. An exception of `body` becomes a message, the outcome
/// in run.json and exit code 1; nothing is thrown.
/// Where mpirun has started several ranks, and the build has `SPARSE_MPI`, they share the run, with a thread each
/// unless the options say more. Other builds, and programs whose options have not `can_share`, refuse them.
/// An exception on one ends all.
/// @return  what `main` returns: 0, 1, or 128 + the number of the signal that ended the run
int run_program(std::string const& name, CLI::App const& app, RunOptions const& options,
                std::function<void(RunFolder&)> const& body);

}  // namespace sparse::app
