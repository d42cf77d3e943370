#include <sparse/app/run/folder.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <future>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/amr/measure/overlapping_amr.hpp>
#include <sparse/base/runtime.hpp>
#include <sparse/version.hpp>

#include <sparse/io/files/file.hpp>
#include <sparse/io/levels/merged_cells.hpp>
#include <sparse/io/levels/overlapping_amr.hpp>
#include <sparse/io/pictures/video.hpp>
#include <sparse/io/vtk/vtp.hpp>
#include <sparse/io/vtk/vtu.hpp>

namespace io = sparse::io;
using sparse::Index;

namespace sparse::app {
namespace {

/// The rows of a history with these columns up to `time`; none if there is no such file.
std::vector<std::vector<double>> rows_until(double time, std::filesystem::path const& path, std::string const& header) {
  std::vector<std::vector<double>> rows;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != header) return rows;
  while (std::getline(file, line)) {
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::strtod(cell.c_str(), nullptr));
    if (!row.empty() && row.front() <= time) rows.push_back(row);
  }
  return rows;
}

}  // namespace

/// Films of pictures, one for each name, made when the first frame comes.
struct RunFolder::Films {
  std::map<std::string, io::VideoWriter> by_name;
};

RunFolder::RunFolder(std::string name, CLI::App const& app, RunOptions const& options, app::StopSignal const& stop,
                     distributed::Team* team)
    : name_(std::move(name)), fingerprint_("program = " + name_ + "\n" + fingerprint_of(app) + options.setting),
      options_(options), stop_(stop), team_(team), folder_(options.output_dir),
      run_(std::make_unique<nlohmann::ordered_json>()), films_(std::make_unique<Films>()) {
  if (!is_mine()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || !std::filesystem::is_directory(folder_))
    throw std::runtime_error(folder_.string() + ": cannot make this folder: " + error.message());
  *run_ = {{"program", name_},
           {"version", sparse::version},
           {"revision", sparse::revision()},
           {"backend", sparse::backend_name()},
           {"parameters", values_of(app)},
           {"outcome", "running"}};
  write_record();
  series_.emplace(folder_ / (name_ + (options.format == "hdf" ? ".hdf.series" : ".pvd")));
}

RunFolder::~RunFolder() = default;

void RunFolder::write_record() const { io::write_json(folder_ / "run.json", *run_); }

void RunFolder::record(std::string const& name, RunValue const& value) {
  std::visit([&](auto const& alternative) { (*run_)[name] = alternative; }, value);
}

void RunFolder::record_json(std::string const& name, nlohmann::ordered_json const& value) { (*run_)[name] = value; }

void RunFolder::report(std::string const& what, double value, std::optional<double> reference) {
  (*run_)["results"][what] = value;
  results_ += fmt::format("  {:<32} {:>12.6g}", what, value);
  if (reference) results_ += fmt::format("   reference {:.6g}", *reference);
  results_ += "\n";
}

TimeFile RunFolder::open_over_time(std::string const& file, std::vector<std::string> const& columns, double time,
                                   std::vector<double> const& fixed) const {
  auto rows = is_restart() ? rows_until(time, path(file), fmt::format("{}", fmt::join(columns, ",")))
                           : std::vector<std::vector<double>>();
  for (auto const& row : rows)
    if (row.size() != columns.size() || !std::equal(fixed.begin(), fixed.end(), row.begin() + 1)) {
      rows.clear();
      break;
    }
  TimeFile result{io::History(path(file), columns), {}};
  for (auto const& row : rows) {
    result.lines.add(row);
    result.last_time = row.front();
  }
  return result;
}

template <int Dim>
void RunFolder::write_geometry(sparse::Grid<Dim> const& grid, sparse::IntervalSet<Dim> const& fluid,
                               sparse::IntervalSet<Dim> const& solid, int level) {
  write_set("fluid.vtu", grid, fluid, level);
  write_set("body.vtu", grid, solid, level);
  has_geometry_ = true;
}

template <int Dim>
void RunFolder::write_set(std::string const& file, sparse::Grid<Dim> const& grid, sparse::IntervalSet<Dim> const& set,
                          int level) const {
  io::write_vtu(path(file), grid, io::merged_cells(set, level));
}

std::filesystem::path RunFolder::fields_path(Index step, std::string const& extension) const {
  return folder_ / fmt::format("{}_{:06}{}", name_, step, extension);
}

void RunFolder::note_output(Index step, double time, std::filesystem::path const& path) {
  std::error_code ignored;  // of an earlier run, as one process or as ranks
  for (auto const* const kind : {".vtu", ".pvtu"})
    if (path.extension() != kind && options_.format == "vtu") std::filesystem::remove(fields_path(step, kind), ignored);
  series_->add(time, path);
  outputs_[step] = time;
}

template <int Dim>
void RunFolder::write_cells(Index step, double time, sparse::Grid<Dim> const& grid,
                            std::vector<io::LevelCells<Dim>> const& levels) {
  auto const path = fields_path(step, "." + options_.format);
  if (options_.format == "hdf")
    io::write_overlapping_amr(path, grid, levels);
  else
    io::write_vtu(path, grid, levels);
  note_output(step, time, path);
}

template <int Dim>
void RunFolder::write_piece(Index step, double time, sparse::Grid<Dim> const& grid,
                            std::vector<io::LevelCells<Dim>> const& levels,
                            std::vector<sparse::IntervalSet<Dim>> const& all, Box<Dim> const& box) {
  if (options_.format == "hdf") {
    auto const path = fields_path(step, ".hdf");
    sparse::amr::write_overlapping_amr(path, grid, all, levels, *team_);
    return distributed::together(team_, [&] {
      if (is_mine()) note_output(step, time, path);
    });
  }
  auto const folder = fields_path(step, "");
  std::vector<std::filesystem::path> pieces;
  for (int rank = 0; rank < team_->size(); ++rank) pieces.push_back(folder / fmt::format("{}.vtu", rank));
  distributed::together(team_, [&] {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
      throw std::runtime_error(fmt::format("{}: cannot make this folder: {}", folder.string(), error.message()));
    io::write_vtu(pieces[static_cast<std::size_t>(team_->rank())], grid, levels, {box});
  });
  distributed::together(team_, [&] {
    if (!is_mine()) return;
    auto const path = fields_path(step, ".pvtu");
    io::write_pvtu(path, grid, levels, box, pieces);
    note_output(step, time, path);
  });
}

template <int Dim>
io::Image RunFolder::draw(double time, sparse::Grid<Dim> const& grid, std::vector<io::LevelCells<Dim>> const& levels,
                          Picture const& picture) const {
  io::RenderOptions options = picture.options;
  options.size = options_.picture_size;
  if (options.label.empty()) options.label = picture.array == "mach" ? "Mach number" : picture.array;
  if (options.title.empty())
    options.title = fmt::format("{}, t = {:.4g}", picture.name.empty() ? options.label : picture.name, time);
  return io::render(grid, levels, picture.array, options);
}

std::filesystem::path RunFolder::picture_path(Index step, std::string const& name) const {
  return folder_ / fmt::format("{}_{:06}.png", name, step);
}

void RunFolder::write_picture(Index step, std::string const& name, io::Image const& image, bool is_first) {
  auto const path = picture_path(step, name);
  io::write_png(path, image);
  if (is_first)
    io::write_atomically(folder_ / (name_ + ".png"), [&](auto const& copy) { std::filesystem::copy_file(path, copy); });
  if (options_.writes_video) {
    auto found = films_->by_name.find(name);
    if (found == films_->by_name.end()) {
      found = films_->by_name.emplace(name, io::VideoWriter(folder_ / (name + ".webp"), options_.frame_rate)).first;
      for (Index const before : pictures_) {
        if (before >= step || !std::filesystem::exists(picture_path(before, name))) continue;
        auto const frame = io::read_png(picture_path(before, name));
        if (frame.width == image.width && frame.height == image.height) found->second.add(frame);
      }
    }
    found->second.add(image);
  }
  pictures_.insert(step);
}

void RunFolder::finish_films() {
  for (auto& [name, film] : films_->by_name) film.finish();
  films_->by_name.clear();
}

template <int Dim>
void RunFolder::write_fields(Index step, double time, sparse::Grid<Dim> const& grid,
                             std::vector<io::LevelCells<Dim>> const& levels, std::vector<Picture> const& pictures) {
  // Both take about as long on one thread each: cells are compressed while pictures are drawn.
  std::future<void> cells;
  if (options_.writes_fields)
    cells = std::async(options_.threads == 1 ? std::launch::deferred : std::launch::async,
                       [&] { write_cells(step, time, grid, levels); });
  write_pictures(step, time, grid, levels, pictures);
  if (cells.valid()) cells.get();
}

template <int Dim>
void RunFolder::write_pictures(Index step, double time, sparse::Grid<Dim> const& grid,
                               std::vector<io::LevelCells<Dim>> const& levels, std::vector<Picture> const& pictures) {
  for (Picture const& picture : pictures)
    write_picture(step, picture.name.empty() ? picture.array : picture.name, draw(time, grid, levels, picture),
                  &picture == &pictures.front());
}

void RunFolder::write_poly_data(std::string const& name, io::PolyData const& data) {
  io::write_vtp(path(name + ".vtp"), data);
  poly_data_.push_back(path(name + ".vtp").string());
}

std::map<std::string, double> RunFolder::numbers() const {
  std::map<std::string, double> numbers = kept_;
  for (auto const& [step, time] : outputs_) numbers[fmt::format("output {:012}", step)] = time;
  for (Index const step : pictures_) numbers[fmt::format("picture {:012}", step)] = static_cast<double>(step);
  return numbers;
}

void RunFolder::keep_numbers(std::map<std::string, double> const& numbers) {
  std::string const prefix = "output ", of_picture = "picture ";
  for (auto const& [name, number] : numbers) {
    if (name.starts_with(of_picture)) {
      pictures_.insert(static_cast<Index>(number));
      continue;
    }
    if (!name.starts_with(prefix)) {
      kept_[name] = number;
      continue;
    }
    Index const step = std::strtoll(name.c_str() + prefix.size(), nullptr, 10);
    for (std::string const kind : {".", ".p"})  // of one process, or of several ranks
      if (auto const path = fields_path(step, kind + options_.format); series_ && std::filesystem::exists(path)) {
        note_output(step, number, path);
        break;
      }
  }
}

void RunFolder::end_interrupted(bool has_checkpoint) {
  exit_status_ = stop_.exit_status();
  if (exit_status_ == 0) exit_status_ = 128 + SIGTERM;  // the signal came to another rank
  if (!is_mine()) return;
  (*run_)["outcome"] = "interrupted";
  write_record();
  fmt::print("Interrupted.{}\n",
             has_checkpoint ? " To go on, repeat the command with --restart " + checkpoint_path().string() : "");
}

void RunFolder::end_complete() {
  (*run_)["outcome"] = "complete";
  write_record();
  if (!results_.empty()) fmt::print("Results:\n{}", results_);
  say_what_to_open();
}

void RunFolder::end_failed(std::string const& reason) noexcept {
  try {
    (*run_)["outcome"] = "failed: " + reason;
    write_record();
  } catch (std::exception const&) {
    // A full disk, say: the caller reports the first reason, which is the one that matters.
  }
}

void RunFolder::say_what_to_open() const {
  std::vector<std::string> lines;
  if (!outputs_.empty()) lines.push_back(series_->path().string());
  if (has_geometry_) lines.push_back(fmt::format("{}, {}", path("fluid.vtu").string(), path("body.vtu").string()));
  if (!poly_data_.empty()) lines.push_back(fmt::format("{}", fmt::join(poly_data_, ", ")));
  for (std::string const& line : lines) fmt::print("{:<18} {}\n", &line == &lines[0] ? "Open in ParaView:" : "", line);
  fmt::print("Look at:           {}\nNumbers:           {}\n", (folder_ / (name_ + ".png")).string(),
             (folder_ / "history.csv").string());
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template void RunFolder::write_geometry(sparse::Grid<Dim> const&, sparse::IntervalSet<Dim> const&,                   \
                                          sparse::IntervalSet<Dim> const&, int);                                       \
  template void RunFolder::write_set(std::string const&, sparse::Grid<Dim> const&, sparse::IntervalSet<Dim> const&,    \
                                     int) const;                                                                       \
  template void RunFolder::write_fields(Index, double, sparse::Grid<Dim> const&,                                       \
                                        std::vector<io::LevelCells<Dim>> const&, std::vector<Picture> const&);         \
  template void RunFolder::write_cells(Index, double, sparse::Grid<Dim> const&,                                        \
                                       std::vector<io::LevelCells<Dim>> const&);                                       \
  template void RunFolder::write_pictures(Index, double, sparse::Grid<Dim> const&,                                     \
                                          std::vector<io::LevelCells<Dim>> const&, std::vector<Picture> const&);       \
  template void RunFolder::write_piece(Index, double, sparse::Grid<Dim> const&,                                        \
                                       std::vector<io::LevelCells<Dim>> const&,                                        \
                                       std::vector<sparse::IntervalSet<Dim>> const&, Box<Dim> const&);                 \
  template io::Image RunFolder::draw(double, sparse::Grid<Dim> const&, std::vector<io::LevelCells<Dim>> const&,        \
                                     Picture const&) const;
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::app
