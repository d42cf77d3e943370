#include <sparse/app/incompressible/run.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/app/incompressible/checkpoint.hpp>
#include <sparse/app/run/loop.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>

namespace sparse::app {
namespace {

using namespace sparse::incompressible;

/// Throws with the solver's own words unless it has converged.
void expect_converged(sparse::poisson::Report const& report, FlowOptions const& o) {
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("the pressure solver {}: {} after {} iterations, with a residual of {:.3g}",
                                         sparse::poisson::name_of(o.solver), sparse::poisson::name_of(report.reason),
                                         report.iterations, report.true_residual));
}

/// The steps and files of one run.
template <int Dim>
class FlowSteps final : public Steps {
public:
  FlowSteps(RunFolder& folder, FlowOptions const& o, AnyMethod<Dim>& method, State<double, Dim>& state,
            FlowShow<Dim> const& show)
      : folder_(folder), options_(o), method_(method), state_(state), show_(show) {
    if (folder.is_restart()) restore();
    if (show_.open) show_.open();
    if (folder.is_mine()) history_.emplace(folder.open_over_time("history.csv", columns(), state_.time));
    if (method.grid().is_shared()) watched_ = measured();
  }

  double time() const override { return state_.time; }
  Index step_count() const override { return state_.step_count; }
  bool is_steady() const override { return finds_steady() && change_ <= options_.steady_tolerance; }

  void begin() override {
    if (show_.emit) show_.emit();
    report_ = method_.project(state_);
    expect_converged(report_, options_);
  }
  double advance(double t_end) override {
    double const left = t_end - state_.time, longest = method_.longest_step(state_, options_.step_size());
    // The last two steps are alike: a very short one would have a pressure of its own.
    double const dt = left <= longest ? left : left < 2 * longest ? 0.5 * left : longest;
    keep_steady();
    report_ = method_.advance(state_, dt);
    iterations_ += static_cast<double>(report_.iterations);
    if (left == dt) state_.time = t_end;  // whatever rounding says
    find_change(dt);
    if (show_.emit) show_.emit();
    if (show_.after_step) show_.after_step();
    if (!report_.has_converged()) write_history(dt);
    expect_converged(report_, options_);
    return dt;
  }

  void write_history(double dt) override {
    auto const& grid = method_.grid();
    std::vector<double> line = {state_.time,
                                dt,
                                static_cast<double>(report_.iterations),
                                report_.true_residual,
                                divergence_of(grid, state_.velocity).greatest,
                                0.0 - outward_flux(grid, state_.velocity, BoundaryKind::inflow),
                                outward_flux(grid, state_.velocity, BoundaryKind::outflow),
                                energy()};
    for (auto const& values : state_.carried) line.push_back(total(grid, values));
    if (finds_steady()) line.push_back(change_);
    if (show_.numbers) {
      auto const numbers = show_.numbers();
      line.insert(line.end(), numbers.begin(), numbers.end());
    }
    if (grid.is_shared()) watched_ = line[state_.carried.empty() ? 7 : 8];  // energy, or the first carried value
    distributed::together(folder_.team(), [&] {
      if (history_) history_->lines.add(line);
    });
  }
  void write_output() override {
    if (!std::isfinite(energy())) return;  // nothing to see: a step of the semi-Lagrangian method that failed
    if (show_.before_output) show_.before_output();
    auto const& grid = method_.grid();
    if (writes_pieces())
      folder_.write_piece<Dim>(state_.step_count, state_.time, grid.space(), levels(true), {grid.whole_fluid()},
                               grid.whole_fluid().bounds());
    auto const fields =
        writes_pieces() && show_.pictures.empty() ? std::vector<sparse::io::LevelCells<Dim>>() : levels(false);
    distributed::together(folder_.team(), [&] {
      if (folder_.is_mine()) write_output_of(fields);
    });
  }
  void write_checkpoint() override {
    Keeper keeper;
    keep(keeper);
    auto memory = method_.memory();
    auto const& grid = method_.grid();
    auto const write = [&](State<double, Dim> const& state) {
      write_flow_checkpoint(folder_.checkpoint_path(), state, memory, keeper.numbers(), folder_.numbers(),
                            folder_.fingerprint());
    };
    if (!grid.is_shared()) return write(state_);
    auto const whole = gathered(grid, state_);
    for (auto& [name, field] : memory.fields) field = grid.gather(field);
    distributed::together(folder_.team(), [&] {
      if (folder_.is_mine()) write(whole);
    });
  }

  std::vector<Index> cells_per_level() const override { return {method_.grid().whole_fluid().cell_count()}; }
  Index update_count() const override { return state_.step_count * method_.grid().whole_fluid().cell_count(); }
  double watched() const override {
    return method_.grid().is_shared() ? watched_ : measured();  // other ranks are not asked for it
  }
  std::string watched_name() const override { return state_.carried.empty() ? "energy" : state_.carried[0].name(); }

  bool all(bool holds) const override { return folder_.team() == nullptr ? holds : folder_.team()->all(holds); }

  /// Tells whether the flow is steady, and where the time went.
  void finish(Progress const& progress) override {
    if (!folder_.is_mine()) return;
    if (finds_steady()) {
      fmt::print("{}: the greatest change per time is {:.3g}\n", is_steady() ? "Steady" : "Not steady yet", change_);
      folder_.record("is-steady", is_steady());
    }
    auto const& seconds = method_.seconds();
    double const all = progress.seconds(), of_steps = seconds.sum();
    auto const here = static_cast<double>(std::max<Index>(state_.step_count - first_step_, 1));
    auto const percent = [&](double part) { return 100 * part / all; };
    double const iterations_per_step = iterations_ / static_cast<double>(std::max<Index>(state_.step_count, 1));
    fmt::print("{} steps, {:.4g} per second; advection {:.0f} %, {}pressure {:.0f} % ({:.3g} iterations per step), "
               "other {:.0f} %, files and measures {:.0f} %\n",
               state_.step_count, here / of_steps, percent(seconds.advection),
               seconds.maps > 0 ? fmt::format("maps {:.0f} %, ", percent(seconds.maps)) : "", percent(seconds.pressure),
               iterations_per_step, percent(seconds.other), percent(all - of_steps));
    folder_.record("steps-per-second", here / of_steps);
    folder_.record("seconds-of", std::map<std::string, double>{{"advection", seconds.advection},
                                                               {"maps", seconds.maps},
                                                               {"pressure", seconds.pressure},
                                                               {"other", seconds.other}});
    folder_.record("iterations-per-step", iterations_per_step);
  }

private:
  void write_output_of(std::vector<sparse::io::LevelCells<Dim>> const& fields) {
    auto const& space = method_.grid().space();
    if (options_.run.writes_fields && !writes_pieces())
      folder_.write_cells(state_.step_count, state_.time, space, fields);
    std::string const cover =
        show_.cover.empty() && !show_.pictures.empty() ? show_.pictures.front().array : show_.cover;
    auto const show_picture = [&](std::string const& name, sparse::io::Image const& image) {
      folder_.write_picture(state_.step_count, name, image, name == cover);
    };
    for (Picture const& picture : show_.pictures)
      show_picture(picture.array, folder_.draw(state_.time, space, fields, picture));
    if (show_.draw)
      for (auto const& [name, image] : show_.draw()) show_picture(name, image);
  }

  bool finds_steady() const { return options_.steady_tolerance > 0; }
  /// What the line of progress shows. Collective.
  double measured() const { return state_.carried.empty() ? energy() : total(method_.grid(), state_.carried[0]); }
  double energy() const { return kinetic_energy(method_.grid(), state_.velocity); }

  void restore() {
    auto saved = read_flow_checkpoint(folder_.options().restart, method_.grid(), folder_.fingerprint());
    if (saved.state.carried.size() != state_.carried.size())
      throw std::runtime_error(folder_.options().restart.string() + ": it carries something else");
    state_ = std::move(saved.state);
    method_.restore(saved.memory);
    folder_.keep_numbers(saved.numbers);
    Keeper keeper(std::move(saved.kept));
    keep(keeper);
    first_step_ = state_.step_count;
  }
  /// All that steps and files to come depend on, beside the state and the method's memory.
  void keep(Keeper& keeper) {
    keeper("change", change_);
    keeper("iterations", iterations_);
    if (show_.keep) show_.keep(keeper);
  }

  /// Keeps what must not change in a steady flow.
  void keep_steady() {
    if (!finds_steady()) return;
    kept_.resize(show_.steady.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = clone(state_.carried[show_.steady[i]]);
  }
  /// The greatest change per time of the last step.
  void find_change(double dt) {
    if (!finds_steady()) return;
    change_ = method_.greatest_change(state_);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      add(kept_[i], -1, state_.carried[show_.steady[i]]);
      change_ = std::fmax(change_, greatest_value(method_.grid(), kept_[i]) / dt);
    }
  }

  std::vector<std::string> columns() const {
    std::vector<std::string> names = {"time",       "dt",     "iterations", "residual",
                                      "divergence", "inflow", "outflow",    "kinetic_energy"};
    for (auto const& values : state_.carried) names.push_back(values.name());
    if (finds_steady()) names.push_back("change");
    names.insert(names.end(), show_.columns.begin(), show_.columns.end());
    return names;
  }

  /// Whether each rank writes its values. More arrays need the cells of all.
  bool writes_pieces() const { return folder_.writes_pieces() && method_.grid().is_shared() && !show_.more_arrays; }
  bool is_in_pictures(std::string const& name) const {
    return std::any_of(show_.pictures.begin(), show_.pictures.end(),
                       [&](Picture const& picture) { return picture.array == name; });
  }
  /// @param of_rank  the cells of this rank; else, on rank 0, those of all ranks, with the values that it needs
  std::vector<sparse::io::LevelCells<Dim>> levels(bool of_rank) const {
    auto const& grid = method_.grid();
    sparse::io::LevelCells<Dim> level;
    auto const add = [&](Field<double, Dim> const& field) {
      if (!of_rank && writes_pieces() && !is_in_pictures(field.name())) return;
      level.arrays.push_back(of_rank            ? sparse::io::array_of<float>(remap(field, grid.own_cells()))
                             : grid.is_shared() ? sparse::io::array_of<float>(grid.gather(field))
                                                : sparse::io::array_of<float>(field));
    };
    level.cells = (of_rank ? grid.own_cells() : grid.whole_fluid()).to_host();
    add(cell_velocity(grid, state_.velocity));
    add(state_.pressure);
    add(vorticity(grid, state_.velocity));
    for (auto const& values : state_.carried) add(on_fluid(grid, values));
    if (show_.more_arrays)
      for (auto& array : show_.more_arrays()) level.arrays.push_back(std::move(array));
    std::vector<sparse::io::LevelCells<Dim>> levels;
    levels.push_back(std::move(level));
    return levels;
  }

  RunFolder& folder_;
  FlowOptions const& options_;
  AnyMethod<Dim>& method_;
  State<double, Dim>& state_;
  FlowShow<Dim> const& show_;
  std::optional<TimeFile> history_;
  sparse::poisson::Report report_;
  std::vector<Field<double, Dim>> kept_;
  double change_ = std::numeric_limits<double>::infinity(), iterations_ = 0, watched_ = 0;
  Index first_step_ = 0;
};

}  // namespace

Picture vorticity_picture(int dim, double greatest) {
  Picture picture{"vorticity"};
  picture.options.colours = dim == 2 ? sparse::io::ColourMap::coolwarm : sparse::io::ColourMap::viridis;
  picture.options.range = std::array<double, 2>{dim == 2 ? -greatest : 0, greatest};
  return picture;
}

template <int Dim>
State<double, Dim> gathered(StaggeredGrid<Dim> const& grid, State<double, Dim> const& state) {
  State<double, Dim> all(grid);
  all.time = state.time;
  all.step_count = state.step_count;
  all.velocity = grid.gather(state.velocity);
  all.pressure = grid.gather(state.pressure);
  for (auto const& values : state.carried) all.carried.push_back(grid.gather(values));
  return all;
}
template State<double, 2> gathered(StaggeredGrid<2> const&, State<double, 2> const&);
template State<double, 3> gathered(StaggeredGrid<3> const&, State<double, 3> const&);

template <int Dim>
bool run(RunFolder& folder, FlowOptions const& options, StaggeredGrid<Dim> const& grid, FlowPhysics<Dim> const& physics,
         State<double, Dim>& state, FlowShow<Dim> const& show) {
  auto const method = make_method(options, grid, physics);
  FlowSteps<Dim> steps(folder, options, *method, state, show);
  bool const is_complete = run_steps(folder, steps);
  record_memory(folder);
  return is_complete;
}

template bool run(RunFolder&, FlowOptions const&, StaggeredGrid<2> const&, FlowPhysics<2> const&, State<double, 2>&,
                  FlowShow<2> const&);
template bool run(RunFolder&, FlowOptions const&, StaggeredGrid<3> const&, FlowPhysics<3> const&, State<double, 3>&,
                  FlowShow<3> const&);

}  // namespace sparse::app
