#pragma once
/// What examples of incompressible flow share: options of the method, and the way from the first step to the last.

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sparse/io/field_array.hpp>
#include <sparse/io/progress.hpp>
#include <sparse/solvers/incompressible/measures.hpp>
#include <sparse/solvers/incompressible/semi_lagrangian.hpp>

#include "support/folder.hpp"

namespace examples {

/// How to compute an incompressible flow.
struct FlowOptions {
  RunOptions run;
  sparse::poisson::Method solver = sparse::poisson::Method::multigrid_cg;
  sparse::incompressible::Advection advection = sparse::incompressible::Advection::maccormack;
  double tolerance = 1e-6, cfl = 1;
  int iteration_limit = 0;
};

/// Adds these options, and those of `RunOptions` that make sense without levels and checkpoints.
inline void add_flow_options(CLI::App& app, FlowOptions& o) {
  using sparse::incompressible::Advection;
  using sparse::poisson::Method;
  add_options(app, o.run);
  for (char const* const name :
       {"--scheme", "--flux", "--limiter", "--cfl", "--amr-levels", "--subcycle", "--regrid-stride",
        "--refine-threshold", "--checkpoint-stride", "--probe", "--probe-interval", "--line", "--restart"})
    app.remove_option(app.get_option(name));
  app.get_option("--format")->description("of the fields: vtu in a .pvd series, or hdf (VTKHDF)");
  app.option_defaults()->group("Method");
  add_choice<Method>(app, "--solver", o.solver,
                     {{"jacobi", Method::jacobi},
                      {"rbgs", Method::gauss_seidel},
                      {"sor", Method::sor},
                      {"cg", Method::cg},
                      {"mg", Method::multigrid},
                      {"pcg", Method::multigrid_cg}},
                     "of the pressure: rbgs: red-black Gauss-Seidel; mg: multigrid; pcg: conjugate gradients with it");
  app.add_option("--tolerance", o.tolerance, "of the divergence that is left, relative to that before")
      ->check(positive())
      ->capture_default_str();
  app.add_option("--max-iterations", o.iteration_limit,
                 "after which the pressure solver gives up [100 with multigrid, else 1000000]")
      ->check(at_least(1));
  add_choice<Advection>(app, "--advection", o.advection,
                        {{"linear", Advection::linear}, {"maccormack", Advection::maccormack}},
                        "semi-Lagrangian with linear interpolation; maccormack: and a correction to second order");
  add_number(app, "--cfl", o.cfl, 1e-3, 100.0, "cells that nothing crosses more of in a step; more than 1.5 is slower");
  app.option_defaults()->group("Options");
}

template <int Dim>
sparse::incompressible::StepOptions<Dim> step_options(FlowOptions const& o, double viscosity) {
  using sparse::poisson::Method;
  sparse::incompressible::StepOptions<Dim> options{o.advection, viscosity, {}, {}};
  bool const needs_few = o.solver == Method::multigrid || o.solver == Method::multigrid_cg;
  options.pressure.method = o.solver;
  options.pressure.stop = {o.tolerance, o.iteration_limit > 0 ? o.iteration_limit : needs_few ? 100 : 1000000};
  return options;
}

/// Throws with the solver's own words unless it has converged.
inline void expect_converged(sparse::poisson::Report const& report, FlowOptions const& o) {
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("the pressure solver {}: {} after {} iterations, with a residual of {:.3g}",
                                         sparse::poisson::name_of(o.solver), sparse::poisson::name_of(report.reason),
                                         report.iterations, report.true_residual));
}

/// What a flow does and shows between its steps.
template <int Dim>
struct FlowShow {
  std::vector<Picture> pictures;                      ///< the first one is also NAME.png
  std::vector<std::string> columns = {};              ///< of history.csv, behind the usual ones
  std::function<std::vector<double>()> numbers = {};  ///< in these columns
  std::function<void()> emit = {};                    ///< before the first step, and after each
  std::function<void()> after_step = {};
};

/// @tparam Method  `SemiLagrangian`, or another with the same members; of which one step may be several of `State`
template <class Method, class T, int Dim>
class FlowRun {
public:
  using State = sparse::incompressible::State<T, Dim>;

  FlowRun(RunFolder& folder, FlowOptions const& o, Method& method, State& state, FlowShow<Dim> const& show)
      : folder_(folder), options_(o), step_(method), state_(state), show_(show),
        progress_(o.run.t_end, o.run.max_steps, stdout, watched_name()),
        history_(folder.path("history.csv"), columns()) {}

  /// @return whether the end was reached; a signal ends the run before
  bool run() {
    auto const& o = options_.run;
    if (show_.emit) show_.emit();
    auto report = step_.project(state_);
    expect_converged(report, options_);
    write_history(0, report);
    write_fields();
    auto const cells = step_.grid().fluid().cell_count();
    while (!is_over() && !folder_.stop_requested()) {
      double const left = o.t_end - state_.time, longest = step_.longest_step(state_, options_.cfl);
      // The last two steps are alike: a very short one would have a pressure of its own.
      double const dt = left <= longest ? left : left < 2 * longest ? 0.5 * left : longest;
      auto const before = state_.step_count;
      report = step_.advance(state_, dt);
      auto const is_due = [&](sparse::Index stride) { return state_.step_count / stride > before / stride; };
      iterations_ += report.iterations;
      if (left == dt) state_.time = o.t_end;  // whatever rounding says
      if (show_.emit) show_.emit();
      if (show_.after_step) show_.after_step();
      bool const has_failed = !report.has_converged();
      if (is_over() || has_failed || is_due(o.history_stride)) write_history(dt, report);
      if (is_over() || has_failed || is_due(o.output_stride)) write_fields();
      expect_converged(report, options_);
      progress_.report(state_.step_count, state_.time, dt, {&cells, 1}, watched(), cells);
    }
    finish();
    if (is_over()) return true;
    folder_.end_interrupted(false);
    return false;
  }

private:
  bool is_over() const { return state_.time >= options_.run.t_end || state_.step_count >= options_.run.max_steps; }
  double energy() const { return kinetic_energy(step_.grid(), state_.velocity); }
  /// What the progress line shows, and a change of which tells that something is wrong.
  double watched() const { return state_.carried.empty() ? energy() : total(step_.grid(), state_.carried[0]); }
  std::string watched_name() const { return state_.carried.empty() ? "energy" : state_.carried[0].name(); }

  std::vector<std::string> columns() const {
    std::vector<std::string> names = {"time",       "dt",     "iterations", "residual",
                                      "divergence", "inflow", "outflow",    "kinetic_energy"};
    for (auto const& values : state_.carried) names.push_back(values.name());
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
    if (show_.numbers) {
      auto const numbers = show_.numbers();
      line.insert(line.end(), numbers.begin(), numbers.end());
    }
    history_.add(line);
  }

  void write_fields() {
    auto const& grid = step_.grid();
    sparse::io::LevelCells<Dim> level;
    level.cells = grid.fluid().to_host();
    level.arrays.push_back(sparse::io::array_of<float>(cell_velocity(grid, state_.velocity)));
    level.arrays.push_back(sparse::io::array_of<float>(state_.pressure));
    level.arrays.push_back(sparse::io::array_of<float>(vorticity(grid, state_.velocity)));
    for (auto const& values : state_.carried)
      level.arrays.push_back(sparse::io::array_of<float>(on_fluid(grid, values)));
    std::vector<sparse::io::LevelCells<Dim>> levels;
    levels.push_back(std::move(level));
    folder_.write_fields(state_.step_count, state_.time, sparse::Grid<Dim>{{}, grid.spacing()}, levels, show_.pictures);
  }

  /// The last progress line, and where the time went.
  void finish() {
    progress_.finish();
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
    folder_.record("seconds-of", {{"advection", seconds.advection},
                                  {"maps", seconds.maps},
                                  {"pressure", seconds.pressure},
                                  {"other", seconds.other}});
    folder_.record("iterations-per-step", static_cast<double>(iterations_) / steps);
    folder_.record("memory-peak-bytes", sparse::Context().arena()->peak_bytes());
  }

  RunFolder& folder_;
  FlowOptions const& options_;
  Method& step_;
  State& state_;
  FlowShow<Dim> const& show_;
  sparse::io::Progress progress_;
  sparse::io::History history_;
  sparse::Index iterations_ = 0;
};

}  // namespace examples
