#include "output.hpp"

#include <system_error>

namespace io = sparse::io;

Output::Output(Options const& options) : folder_(options.output_dir), is_hdf_(options.format == "hdf") {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || !std::filesystem::is_directory(folder_))
    throw std::runtime_error(folder_.string() + ": cannot make this folder: " + error.message());
  run_ = {{"program", "mach2_cylinder"},       {"version", sparse::version},     {"revision", sparse::revision()},
          {"backend", sparse::backend_name()}, {"parameters", to_json(options)}, {"outcome", "running"}};
  io::write_json(folder_ / "run.json", run_);
  series_.emplace(folder_ / (is_hdf_ ? "mach2_cylinder.hdf.series" : "mach2_cylinder.pvd"));
  std::vector<std::string> columns{"time", "dt"};
  for (int l = 0; l < options.amr_levels; ++l) columns.push_back(fmt::format("cells_{}", l));
  for (char const* name : {"mass", "momentum_x", "momentum_y", "energy", "force_x", "force_y"}) columns.push_back(name);
  history_.emplace(folder_ / "history.csv", columns);
}

void Output::write_levels(sparse::Index step, double time, std::vector<io::LevelCells<2>> const& levels) {
  auto const name = folder_ / fmt::format("mach2_cylinder_{:06}.{}", step, is_hdf_ ? "hdf" : "vtu");
  if (is_hdf_)
    io::write_overlapping_amr(name, grid_, levels);
  else
    io::write_vtu(name, grid_, levels);
  series_->add(time, name);
  auto const picture = io::render(grid_, levels, "density", {.title = fmt::format("density, t = {:.2f}", time)});
  io::write_png(folder_ / fmt::format("density_{:06}.png", step), picture);
  io::write_png(folder_ / "mach2_cylinder.png", picture);
}

void Output::record_failure(std::string const& reason) noexcept {
  try {
    run_["outcome"] = "failed: " + reason;
    io::write_json(folder_ / "run.json", run_);
  } catch (std::exception const&) {
    // A full disk, say: the caller reports the first reason, which is the one that matters.
  }
}

void Output::say_what_to_open() const {
  io::write_json(folder_ / "run.json", run_);
  fmt::print("Open in ParaView:  {}\n                   {}, {}\nLook at:           {}\nNumbers over time: {}\n",
             series_->path().string(), (folder_ / "fluid.vtu").string(), (folder_ / "obstacle.vtu").string(),
             (folder_ / "mach2_cylinder.png").string(), (folder_ / "history.csv").string());
}
