#pragma once
/// The way of an incompressible flow from the first step to the last, and what examples show of it.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sparse/app/progress.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/video.hpp>

#include <sparse/app/flow_method.hpp>
#include <sparse/app/folder.hpp>

namespace sparse::app {

/// Throws with the solver's own words unless it has converged.
inline void expect_converged(sparse::poisson::Report const& report, FlowOptions const& o) {
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("the pressure solver {}: {} after {} iterations, with a residual of {:.3g}",
                                         sparse::poisson::name_of(o.solver),
                                         sparse::poisson::name_of(report.reason), report.iterations,
                                         report.true_residual));
}

// Apart from templates, in which nvcc does not take nested lists.
inline nlohmann::ordered_json as_json(sparse::incompressible::StepSeconds const& seconds) {
  return {{"advection", seconds.advection},
          {"maps", seconds.maps},
          {"pressure", seconds.pressure},
          {"other", seconds.other}};
}

/// In 2D of both directions of rotation, in 3D of its size.
inline Picture vorticity_picture(int dim, double greatest) {
  Picture picture{"vorticity"};
  picture.options.colours = dim == 2 ? sparse::io::ColourMap::coolwarm : sparse::io::ColourMap::viridis;
  picture.options.range = std::array<double, 2>{dim == 2 ? -greatest : 0, greatest};
  return picture;
}

/// What a flow does and shows between its steps.
template <int Dim>
struct FlowShow {
  std::vector<Picture> pictures;                      ///< the first one is also NAME.png
  std::vector<std::string> columns = {};              ///< of history.csv, behind the usual ones
  std::function<std::vector<double>()> numbers = {};  ///< in these columns
  /// Before the first step and after each, or each cycle of steps.
  std::function<void()> emit = {};
  std::function<void()> after_step = {};  ///< or cycle of steps
  std::vector<std::size_t> steady = {};   ///< what is carried that must not change either in a steady flow
  std::function<void()> before_output = {};
  /// More values of the cells of the fluid in each output.
  std::function<std::vector<sparse::io::CellArray>()> more_arrays = {};
  /// More pictures at each output, by name.
  std::function<std::vector<std::pair<std::string, sparse::io::Image>>()> draw = {};
  std::string cover = {};  ///< name of the picture that is also NAME.png, if not the first of `pictures`
};

/// Films of pictures, one for each name, made when the first frame comes.
class Films {
public:
  Films(RunFolder& folder, int frame_rate) : folder_(folder), frame_rate_(frame_rate) {}
  void add(std::string const& name, sparse::io::Image const& image);
  /// Gives the files their names. Without it, they go.
  void finish();

private:
  RunFolder& folder_;
  int frame_rate_;
  std::map<std::string, sparse::io::VideoWriter> films_;
};

/// @tparam Method  that of `with_method`, or another with the same members; of which one step may be several of `State`
template <class Method, class T, int Dim>
class FlowRun {
public:
  using State = sparse::incompressible::State<T, Dim>;
  static constexpr bool knows_change = requires(Method const& method, State const& state) {
    method.greatest_change(state);
  };

  FlowRun(RunFolder& folder, FlowOptions const& o, Method& method, State& state, FlowShow<Dim> const& show)
      : folder_(folder), options_(o), step_(method), state_(state), show_(show),
        progress_(
            o.run.t_end, o.run.max_steps, [this] { return watched(); }, watched_name()),
        history_(folder.path("history.csv"), columns()), films_(folder, o.frame_rate) {}

  /// @return whether the end was reached, or a steady state; a signal ends the run before
  bool run() {
    auto const& o = options_.run;
    if (show_.emit) show_.emit();
    auto report = step_.project(state_);
    expect_converged(report, options_);
    write_history(0, report);
    write_output();
    auto const cells = step_.grid().fluid().cell_count();
    while (!is_over() && !folder_.stop_requested()) {
      double const left = o.t_end - state_.time, longest = step_.longest_step(state_, options_.step_size());
      // The last two steps are alike: a very short one would have a pressure of its own.
      double const dt = left <= longest ? left : left < 2 * longest ? 0.5 * left : longest;
      auto const before = state_.step_count;
      double const time = state_.time;
      keep_steady();
      report = step_.advance(state_, dt);
      iterations_ += report.iterations;
      if (left == dt) state_.time = o.t_end;  // whatever rounding says
      find_change(dt);
      if (show_.emit) show_.emit();
      if (show_.after_step) show_.after_step();
      auto const is_due = [&](sparse::Index stride) { return state_.step_count / stride > before / stride; };
      double const interval = options_.output_interval;
      bool const is_output_due =
          interval > 0 ? count_of(state_.time, interval) > count_of(time, interval) : is_due(o.output_stride);
      bool const has_failed = !report.has_converged(), is_last = is_over() || has_failed;
      if (is_last || is_due(o.history_stride)) write_history(dt, report);
      if (is_last || is_output_due) write_output();
      if (has_failed) films_.finish();
      expect_converged(report, options_);
      progress_.report(state_.step_count, state_.time, dt, {&cells, 1}, cells);
    }
    finish();
    if (is_over()) return true;
    folder_.end_interrupted(false);
    return false;
  }

private:
  bool finds_steady() const { return options_.steady_tolerance > 0; }
  bool is_steady() const { return finds_steady() && change_ <= options_.steady_tolerance; }
  bool is_over() const {
    return state_.time >= options_.run.t_end || state_.step_count >= options_.run.max_steps || is_steady();
  }
  /// Multiples of an interval up to a time; one that rounding has missed counts.
  static double count_of(double time, double interval) { return std::floor(time / interval + 1e-9); }
  double energy() const { return kinetic_energy(step_.grid(), state_.velocity); }
  /// What the progress line shows, and a change of which tells that something is wrong.
  double watched() const { return state_.carried.empty() ? energy() : total(step_.grid(), state_.carried[0]); }
  std::string watched_name() const { return state_.carried.empty() ? "energy" : state_.carried[0].name(); }

  /// Keeps what must not change in a steady flow.
  void keep_steady() {
    if (!finds_steady()) return;
    kept_.resize(show_.steady.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      auto const& values = state_.carried[show_.steady[i]];
      if (kept_[i].cell_count() == 0)
        kept_[i] = clone(values);
      else
        assign(kept_[i], values);
    }
  }
  /// The greatest change per time of the last step.
  void find_change([[maybe_unused]] double dt) {
    if constexpr (knows_change) {
      if (!finds_steady()) return;
      change_ = step_.greatest_change(state_);
      for (std::size_t i = 0; i < kept_.size(); ++i) {
        add(kept_[i], -1, state_.carried[show_.steady[i]]);
        change_ = std::fmax(change_, greatest_value(step_.grid(), kept_[i]) / dt);
      }
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

  void write_history(double dt, sparse::poisson::Report const& report) {
    using namespace sparse::incompressible;
    auto const& grid = step_.grid();
    std::vector<double> line = {state_.time,
                                dt,
                                static_cast<double>(report.iterations),
                                report.true_residual,
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
    history_.add(line);
  }

  std::vector<sparse::io::LevelCells<Dim>> levels() const {
    auto const& grid = step_.grid();
    sparse::io::LevelCells<Dim> level;
    level.cells = grid.fluid().to_host();
    level.arrays.push_back(sparse::io::array_of<float>(cell_velocity(grid, state_.velocity)));
    level.arrays.push_back(sparse::io::array_of<float>(state_.pressure));
    level.arrays.push_back(sparse::io::array_of<float>(vorticity(grid, state_.velocity)));
    for (auto const& values : state_.carried)
      level.arrays.push_back(sparse::io::array_of<float>(on_fluid(grid, values)));
    if (show_.more_arrays)
      for (auto& array : show_.more_arrays()) level.arrays.push_back(std::move(array));
    std::vector<sparse::io::LevelCells<Dim>> levels;
    levels.push_back(std::move(level));
    return levels;
  }

  void write_output() {
    if (show_.before_output) show_.before_output();
    auto const& space = step_.grid().space();
    auto const fields = levels();
    if (options_.writes_fields) folder_.write_cells(state_.step_count, state_.time, space, fields);
    std::string const cover =
        show_.cover.empty() && !show_.pictures.empty() ? show_.pictures.front().array : show_.cover;
    auto const show_picture = [&](std::string const& name, sparse::io::Image const& image) {
      folder_.write_picture(state_.step_count, name, image, name == cover);
      if (options_.writes_video) films_.add(name, image);
    };
    for (Picture const& picture : show_.pictures)
      show_picture(picture.array, folder_.draw(state_.time, space, fields, picture));
    if (show_.draw)
      for (auto const& [name, image] : show_.draw()) show_picture(name, image);
  }

  /// The last progress line, and where the time went.
  void finish() {
    progress_.finish();
    films_.finish();
    if (finds_steady()) {
      fmt::print("{}: the greatest change per time is {:.3g}\n", is_steady() ? "Steady" : "Not steady yet", change_);
      folder_.record("is-steady", is_steady());
    }
    auto const& seconds = step_.seconds();
    double const all = progress_.seconds(), of_steps = seconds.sum();
    auto const steps = static_cast<double>(std::max<sparse::Index>(state_.step_count, 1));
    auto const percent = [&](double part) { return 100 * part / all; };
    fmt::print("{} steps, {:.4g} per second; advection {:.0f} %, {}pressure {:.0f} % ({:.3g} iterations per step), "
               "other {:.0f} %, files and measures {:.0f} %\n",
               state_.step_count, steps / of_steps, percent(seconds.advection),
               seconds.maps > 0 ? fmt::format("maps {:.0f} %, ", percent(seconds.maps)) : "", percent(seconds.pressure),
               static_cast<double>(iterations_) / steps, percent(seconds.other), percent(all - of_steps));
    folder_.record("steps", state_.step_count);
    folder_.record("time", state_.time);
    folder_.record("cells", step_.grid().fluid().cell_count());
    folder_.record("seconds", all);
    folder_.record("steps-per-second", steps / of_steps);
    folder_.record("seconds-of", as_json(seconds));
    folder_.record("iterations-per-step", static_cast<double>(iterations_) / steps);
    folder_.record("memory-peak-bytes", sparse::Context().arena()->peak_bytes());
  }

  RunFolder& folder_;
  FlowOptions const& options_;
  Method& step_;
  State& state_;
  FlowShow<Dim> const& show_;
  sparse::app::Progress progress_;
  sparse::io::History history_;
  Films films_;
  std::vector<sparse::Field<T, Dim>> kept_;
  double change_ = std::numeric_limits<double>::infinity();
  sparse::Index iterations_ = 0;
};

}  // namespace sparse::app
