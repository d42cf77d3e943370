#pragma once
/// The files that mach2_cylinder writes.

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/runtime.hpp>
#include <sparse/version.hpp>

#include <sparse/io/file.hpp>
#include <sparse/io/geometry.hpp>
#include <sparse/io/history.hpp>
#include <sparse/io/overlapping_amr.hpp>
#include <sparse/io/progress.hpp>
#include <sparse/io/render.hpp>
#include <sparse/io/series.hpp>
#include <sparse/io/vtu.hpp>

#include <sparse/amr/snapshot.hpp>

#include "options.hpp"

template <class Flow>
std::vector<sparse::Index> leaves_per_level(Flow const& flow) {
  std::vector<sparse::Index> counts(static_cast<std::size_t>(flow.domain().level_count()));
  for (int l = 0; l < flow.level_count(); ++l) counts[static_cast<std::size_t>(l)] = flow.sets(l).leaves.cell_count();
  return counts;
}

/// Density, pressure, velocity (2) and Mach number of a state.
template <class Law>
struct FlowValues {
  Law law;
  KOKKOS_FUNCTION sparse::Vec<float, 5> operator()(typename Law::State const& u) const {
    auto const rho = u[Law::density], vx = u[Law::momentum] / rho, vy = u[Law::momentum + 1] / rho;
    auto const mach = std::sqrt(vx * vx + vy * vy) / law.sound_speed(u);
    return {static_cast<float>(rho), static_cast<float>(law.pressure(u)), static_cast<float>(vx),
            static_cast<float>(vy), static_cast<float>(mach)};
  }
};

/// One run's folder. Every file in it is whole at any time.
class Output {
public:
  /// Makes the folder and writes run.json, so that a folder that cannot be written to is known before the run.
  explicit Output(Options const& options);

  /// Writes the fluid and the obstacle at the finest level, in few large cells.
  template <class Flow>
  void write_geometry(Flow const& flow) const {
    int const finest = flow.domain().level_count() - 1;
    sparse::io::write_vtu(folder_ / "fluid.vtu", grid_, sparse::io::merged_cells(flow.domain().fluid(finest), finest));
    sparse::io::write_vtu(folder_ / "obstacle.vtu", grid_,
                          sparse::io::merged_cells(flow.domain().solid(finest), finest));
  }

  /// Writes the state of now, and a picture of its density.
  template <class Flow>
  void write_fields(Flow& flow) {
    if (last_fields_ == flow.step_count()) return;
    last_fields_ = flow.step_count();
    using Law = typename Flow::Law;
    write_levels(flow.step_count(), flow.time(),
                 sparse::amr::snapshot<5>(flow, FlowValues<Law>{flow.flux().law},
                                          {{"density", 0, 1}, {"pressure", 1, 1}, {"velocity", 2, 2}, {"mach", 4, 1}}));
  }

  /// Adds a line to history.csv.
  template <class Flow>
  void write_history(Flow const& flow, double dt) {
    auto const totals = flow.totals();
    auto const force = flow.flux_into_bodies();
    mass_ = totals[0];
    std::vector<double> line{flow.time(), dt};
    for (auto const count : leaves_per_level(flow)) line.push_back(static_cast<double>(count));
    for (double const value : {totals[0], totals[1], totals[2], totals[3], force[1], force[2]}) line.push_back(value);
    history_->add(line);
  }

  /// Total mass when history.csv was last written to.
  double mass() const { return mass_; }

  /// Writes the last run.json and says which files to open.
  template <class Flow>
  void finish(Flow const& flow, sparse::io::Progress const& progress) {
    run_["outcome"] = "complete";
    run_["steps"] = flow.step_count();
    run_["time"] = flow.time();
    run_["cells"] = flow.leaf_count();
    run_["seconds"] = progress.seconds();
    run_["updates-per-second"] = progress.updates_per_second();
    run_["device-memory-peak-bytes"] = sparse::Context().arena()->peak_bytes();
    say_what_to_open();
  }

  /// Writes the reason into run.json if that is still possible.
  void record_failure(std::string const& reason) noexcept;

private:
  void write_levels(sparse::Index step, double time, std::vector<sparse::io::LevelCells<2>> const& levels);
  void say_what_to_open() const;

  std::filesystem::path folder_;
  bool is_hdf_;
  sparse::io::Grid<2> grid_;
  nlohmann::ordered_json run_;
  std::optional<sparse::io::TimeSeries> series_;
  std::optional<sparse::io::History> history_;
  sparse::Index last_fields_ = -1;
  double mass_ = 0;
};
