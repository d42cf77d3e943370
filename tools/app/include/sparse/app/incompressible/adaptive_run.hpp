#pragma once
/// Incompressible flows on levels from the first step to the last. Programs that include this link `sparse::adaptive`.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/io/levels/field_array.hpp>

#include <sparse/app/incompressible/share.hpp>
#include <sparse/app/options/options.hpp>
#include <sparse/app/run/folder.hpp>
#include <sparse/app/run/keeper.hpp>
#include <sparse/app/run/loop.hpp>

namespace sparse::app {

/// The flow of the checkpoint if the options name one, else one on the levels that regions and surfaces want, at rest.
/// @param keep  gets back what `AdaptiveShow::keep` gave to the checkpoint
/// @throws std::runtime_error     if the checkpoint does not fit
/// @throws std::invalid_argument  as the constructor of the flow
template <int Dim>
sparse::incompressible::AdaptiveFlow<double, Dim>
start_on_levels(RunFolder& folder, sparse::amr::Domain<Dim> const& domain,
                sparse::incompressible::AdaptiveOptions<Dim> const& options,
                std::function<void(Keeper&)> const& keep = {}) {
  using Flow = sparse::incompressible::AdaptiveFlow<double, Dim>;
  if (!folder.is_restart()) return Flow(domain, options);
  auto const& path = folder.options().restart;
  auto const saved = folder.team() == nullptr ? sparse::amr::read_checkpoint<double, Dim>(path, folder.fingerprint())
                                              : sparse::amr::open_checkpoint<double, Dim>(path, folder.fingerprint(),
                                                                                          Context(), folder.team());
  folder.keep_numbers(saved.numbers);
  if (keep) {
    Keeper keeper(saved.lists);
    keep(keeper);
  }
  return Flow(domain, options, saved);
}

/// Velocity, pressure, vorticity and inks on all cells of all levels, for files and pictures. Covered cells have the
/// means of their children. Over ranks collective: rank 0 gets those of all, and the others none.
template <class T, int Dim>
std::vector<sparse::io::LevelCells<Dim>> levels_of(sparse::incompressible::AdaptiveFlow<T, Dim> const& flow);

/// What is written of a flow on levels.
struct AdaptiveShow {
  std::vector<Picture> pictures;
  /// More pictures with their names.
  std::function<std::vector<std::pair<std::string, sparse::io::Image>>()> draw = {};
  std::string cover = {};                             ///< the one of these that is also NAME.png, in place of the first
  std::vector<std::string> columns = {};              ///< of history.csv, behind the usual ones
  std::function<std::vector<double>()> numbers = {};  ///< in these columns
  std::function<void()> begin = {};                   ///< sets the initial flow
  std::function<void(double)> after_step = {};        ///< with the time before it
  std::function<void()> before_output = {};
  std::function<void(Keeper&)> keep = {};  ///< what a checkpoint keeps of the program, besides `kept`
  double steady_tolerance = 0;             ///< the change per time at which the run ends; 0: never
};

/// Runs a flow to the end of the options: `run_steps`, with fields, pictures and history.
/// @return  whether the end was reached
/// @throws std::runtime_error  as `run_steps`; also if the solver of the pressure does not converge
template <int Dim>
bool run(RunFolder& folder, sparse::incompressible::AdaptiveFlow<double, Dim>& flow, AdaptiveShow const& show);

/// Vorticity, the cells in a smaller window, and the levels.
/// @param greatest  vorticity of the strongest colours
/// @param window, mesh_window  of the pictures, [axis][lower, upper]
inline std::vector<Picture> pictures_of_vortices(double greatest, std::array<std::array<double, 2>, 2> const& window,
                                                 std::array<std::array<double, 2>, 2> const& mesh_window,
                                                 std::string const& length_unit, int level_count) {
  Picture whole{"vorticity"}, levels{"level"};
  whole.options.colours = sparse::io::ColourMap::coolwarm;
  whole.options.range = std::array<double, 2>{-greatest, greatest};
  whole.options.length_unit = levels.options.length_unit = length_unit;
  auto mesh = whole;
  mesh.name = "mesh";
  mesh.options.mesh = true;
  mesh.options.window = mesh_window;
  whole.options.window = window;
  levels.options.range = std::array<double, 2>{0, std::max(1.0, level_count - 1.0)};
  return {whole, mesh, levels};
}

/// Reports divergence, and how many cells there are beside a grid of finest ones.
template <int Dim>
void report_levels(RunFolder& folder, sparse::incompressible::AdaptiveFlow<double, Dim> const& flow) {
  folder.report("greatest divergence times cell width", flow.greatest_divergence(), 0);
  auto const finest = flow.domain().box(flow.domain().level_count() - 1).end;
  double uniform = 1;
  for (int axis = 0; axis < Dim; ++axis) uniform *= finest[axis];
  folder.report("cells over those of the finest grid", static_cast<double>(flow.leaf_count()) / uniform);
}

// ---- helpers

template <class T, int Dim>
std::vector<sparse::io::LevelCells<Dim>> levels_of(sparse::incompressible::AdaptiveFlow<T, Dim> const& flow) {
  using namespace sparse::incompressible;
  std::vector<std::vector<Field<T, Dim>>> fields;
  std::vector<IntervalSet<Dim>> covered;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const& state = flow.state(l);
    auto const& grid = flow.grid(l);
    auto& of_level = fields.emplace_back();
    auto const add = [&](Field<T, Dim> const& field) {
      of_level.push_back(grid.is_shared() ? remap(grid.gather(field), flow.cells(l)) : remap(field, flow.cells(l)));
    };
    add(cell_velocity(grid, state.velocity));
    add(state.pressure);
    add(vorticity(grid, state.velocity));
    for (auto const& ink : state.carried) add(on_fluid(grid, ink));
    bool const has_finer = l + 1 < flow.level_count();
    covered.push_back(has_finer ? coarsen(flow.cells(l + 1)) : IntervalSet<Dim>());
  }
  if (auto const* const team = flow.options().team; team != nullptr && team->rank() > 0) return {};
  for (std::size_t l = fields.size() - 1; l-- > 0;)
    for (std::size_t i = 0; i < fields[l].size(); ++i) {
      auto &coarse = fields[l][i], &fine = fields[l + 1][i];
      restrict_to<T, Dim>(coarse.view(), RestrictPlan<Dim>(covered[l], coarse.domain(), fine.domain(), fine.domain()),
                          fine.view(), coarse.component_count());
    }
  std::vector<sparse::io::LevelCells<Dim>> levels;
  for (std::size_t l = 0; l < fields.size(); ++l) {
    auto& level = levels.emplace_back();
    level.level = static_cast<int>(l);
    level.cells = flow.cells(level.level).to_host();
    level.covered = covered[l].to_host();
    for (auto const& field : fields[l]) level.arrays.push_back(sparse::io::array_of<float>(field));
  }
  return levels;
}

namespace detail {

/// One run's steps and files.
template <int Dim>
class AdaptiveSteps final : public Steps {
public:
  using Flow = sparse::incompressible::AdaptiveFlow<double, Dim>;

  AdaptiveSteps(RunFolder& folder, Flow& flow, AdaptiveShow const& show) : folder_(folder), flow_(flow), show_(show) {
    auto const& domain = flow.domain();
    std::vector<std::string> columns = {"time", "dt", "iterations", "residual", "divergence", "kinetic_energy"};
    for (int l = 0; l < domain.level_count(); ++l) columns.push_back("cells_" + std::to_string(l));
    for (auto const& ink : flow.options().inks) columns.push_back(ink.name);
    if (finds_steady()) columns.emplace_back("change");
    columns.insert(columns.end(), show.columns.begin(), show.columns.end());
    if (!folder.is_mine()) return;
    history_.emplace(folder.open_over_time("history.csv", columns, flow.time()));
    int const finest = domain.level_count() - 1;
    if (domain.body_count() > 0)
      folder.write_geometry(domain.grid(0), domain.fluid(finest), domain.solid(finest), finest);
  }

  double time() const override { return flow_.time(); }
  Index step_count() const override { return flow_.step_count(); }
  bool is_steady() const override { return finds_steady() && change_ <= show_.steady_tolerance; }
  void begin() override {
    if (show_.begin) show_.begin();
  }
  double advance(double t_end) override {
    double const before = flow_.time();
    report_ = flow_.advance_towards(t_end);
    if (finds_steady()) {
      change_ = flow_.greatest_change();
      for (std::size_t k = 0; k < flow_.options().inks.size(); ++k)
        change_ = std::max(change_, flow_.greatest_ink_change(k));
    }
    if (show_.after_step) show_.after_step(before);
    if (!report_.has_converged()) {
      write_history(flow_.time() - before);
      throw std::runtime_error(fmt::format("the pressure solver: {} after {} iterations, with a residual of {:.3g}",
                                           sparse::poisson::name_of(report_.reason), report_.iterations,
                                           report_.true_residual));
    }
    return flow_.time() - before;
  }

  void write_history(double dt) override {
    energy_ = flow_.kinetic_energy();
    std::vector<double> line = {
        flow_.time(), dt, static_cast<double>(report_.iterations), report_.true_residual, flow_.greatest_divergence(),
        energy_};
    for (Index const count : cells_per_level()) line.push_back(static_cast<double>(count));
    for (std::size_t k = 0; k < flow_.options().inks.size(); ++k) line.push_back(flow_.ink_total(k));
    if (finds_steady()) line.push_back(change_);
    if (show_.numbers)
      for (double const number : show_.numbers()) line.push_back(number);
    distributed::together(folder_.team(), [&] {
      if (history_) history_->lines.add(line);
    });
  }
  void write_output() override {
    if (show_.before_output) show_.before_output();
    auto const levels = levels_of(flow_);
    auto const images = show_.draw ? show_.draw() : decltype(show_.draw()){};
    distributed::together(folder_.team(), [&] {
      if (!folder_.is_mine()) return;
      folder_.write_fields(flow_.step_count(), flow_.time(), flow_.domain().grid(0), levels, show_.pictures);
      for (auto const& [name, image] : images)
        folder_.write_picture(flow_.step_count(), name, image, name == show_.cover);
    });
  }
  void write_checkpoint() override {
    auto saved = flow_.save();
    saved.numbers.merge(folder_.numbers());
    if (show_.keep) {
      Keeper keeper;
      show_.keep(keeper);
      saved.lists = keeper.numbers();
    }
    sparse::amr::write_checkpoint(folder_.checkpoint_path(), saved, folder_.fingerprint(), 1, folder_.team());
  }

  std::vector<Index> cells_per_level() const override {
    std::vector<Index> counts(static_cast<std::size_t>(flow_.domain().level_count()));
    for (int l = 0; l < flow_.level_count(); ++l)
      counts[static_cast<std::size_t>(l)] = flow_.all_leaves(l).cell_count();
    return counts;
  }
  Index update_count() const override { return flow_.update_count(); }
  double watched() const override { return energy_; }
  std::string watched_name() const override { return "energy"; }
  bool all(bool holds) const override { return folder_.team() == nullptr ? holds : folder_.team()->all(holds); }
  void finish(Progress const& progress) override {
    if (!folder_.is_mine()) return;
    if (finds_steady()) {
      fmt::print("{}: the greatest change per time is {:.3g}\n", is_steady() ? "Steady" : "Not steady yet", change_);
      folder_.record("is-steady", is_steady());
    }
    folder_.record("updates-per-second", progress.updates_per_second());
  }

private:
  bool finds_steady() const { return show_.steady_tolerance > 0; }

  RunFolder& folder_;
  Flow& flow_;
  AdaptiveShow const& show_;
  std::optional<TimeFile> history_;
  sparse::poisson::Report report_;
  double energy_ = 0, change_ = std::numeric_limits<double>::infinity();
};

}  // namespace detail

template <int Dim>
bool run(RunFolder& folder, sparse::incompressible::AdaptiveFlow<double, Dim>& flow, AdaptiveShow const& show) {
  detail::AdaptiveSteps<Dim> steps(folder, flow, show);
  bool const is_complete = run_steps(folder, steps);
  record_memory(folder);
  return is_complete;
}

}  // namespace sparse::app
