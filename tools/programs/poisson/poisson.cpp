// Poisson's equation in a square or cube: each solver by itself, against exact solutions and against the others.

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <sparse/io/files/history.hpp>
#include <sparse/io/pictures/plot.hpp>

#include "ladder.hpp"
#include "levels.hpp"
#include "solve.hpp"
#include <sparse/app/run/folder.hpp>

using namespace sparse;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// log2 of the ratio of errors, by norm.
Errors orders_of(Errors const& coarse, Errors const& fine) {
  return {std::log2(coarse.greatest / fine.greatest), std::log2(coarse.mean / fine.mean),
          std::log2(coarse.root_mean_square / fine.root_mean_square)};
}

void print_head(Options const& o) {
  fmt::print("{:<10} {:>5} {:>10} {:>10} {:>9} {:>9}", "solver", "n", "iterations", "residual", "set-up/s", "solve/s");
  if (o.has_exact_solution()) fmt::print(" {:>10} {:>10} {:>10}", "max error", "L1 error", "L2 error");
  fmt::print("\n");
}

void print(Outcome const& outcome) {
  auto const& report = outcome.report;
  fmt::print("{:<10} {:>5} {:>10} {:>10.3g} {:>9.4f} {:>9.4f}", name_of(outcome.method), outcome.n, report.iterations,
             outcome.residual, outcome.setup_seconds, outcome.seconds);
  if (auto const& e = outcome.errors)
    fmt::print(" {:>10.4g} {:>10.4g} {:>10.4g}", e->greatest, e->mean, e->root_mean_square);
  if (auto const& orders = outcome.orders)
    fmt::print("   orders {:.2f} {:.2f} {:.2f}", orders->greatest, orders->mean, orders->root_mean_square);
  fmt::print("{}\n", report.has_converged() ? "" : std::string("  ") + poisson::name_of(report.reason));
  std::fflush(stdout);
}

nlohmann::ordered_json record_of(Outcome const& outcome) {
  auto const& report = outcome.report;
  nlohmann::ordered_json record = {{"solver", name_of(outcome.method)},
                                   {"n", outcome.n},
                                   {"outcome", poisson::name_of(report.reason)},
                                   {"iterations", report.iterations},
                                   {"residual", outcome.residual},
                                   {"true-residual", report.true_residual},
                                   {"set-up-seconds", outcome.setup_seconds},
                                   {"seconds", outcome.seconds},
                                   {"incompatibility", report.incompatibility}};
  if (auto const& e = outcome.errors) {
    record["max-error"] = e->greatest;
    record["L1-error"] = e->mean;
    record["L2-error"] = e->root_mean_square;
  }
  if (auto const& orders = outcome.orders) {
    record["max-order"] = orders->greatest;
    record["L1-order"] = orders->mean;
    record["L2-order"] = orders->root_mean_square;
  }
  return record;
}

/// history.csv: the residual after each iteration, one column per solver, nan behind its last one.
void write_residuals(sparse::app::RunFolder& folder, std::vector<Outcome> const& outcomes) {
  std::vector<std::string> columns = {"iteration"};
  std::size_t length = 0;
  for (Outcome const& outcome : outcomes) {
    columns.push_back(outcomes.size() == 1 ? "residual" : name_of(outcome.method));
    length = std::max(length, outcome.report.residuals.size());
  }
  io::History file(folder.path("history.csv"), columns);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<double> line = {static_cast<double>(i)};
    for (Outcome const& outcome : outcomes) {
      auto const& residuals = outcome.report.residuals;
      line.push_back(i < residuals.size() ? residuals[i] : nothing);
    }
    file.add(line);
  }
}

/// convergence.png: residuals over iterations and over time; of several solvers on logarithmic axes.
void draw_residuals(sparse::app::RunFolder& folder, std::vector<Outcome> const& outcomes) {
  std::vector<io::Colour> const colours = {{150, 150, 150}, {230, 150, 0}, {190, 170, 0}, {120, 190, 40},
                                           {0, 150, 90},    {0, 180, 200}, {0, 110, 220}, {40, 40, 180},
                                           {140, 60, 200},  {220, 40, 40}, {60, 30, 20},  {240, 110, 190}};
  bool const is_comparison = outcomes.size() > 1;
  std::vector<io::Plot> plots(
      2, {.title = {}, .curves = {}, .is_log_x = is_comparison, .is_log_y = true, .y_label = "|b \u2212 A u| / |b|"});
  plots[0].x_label = "iterations";
  plots[1].x_label = "time, set-up included [s]";
  for (Outcome const& outcome : outcomes) {
    auto const& y = outcome.report.residuals;
    std::vector<double> iterations, seconds;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double const part = static_cast<double>(i) / std::max(outcome.report.iterations, 1);
      iterations.push_back(static_cast<double>(i));
      // Some solvers take next to no time before the first iteration; a logarithmic axis would stretch far to show it.
      seconds.push_back(is_comparison && i == 0 ? nothing : outcome.setup_seconds + outcome.seconds * part);
    }
    auto const colour = colours[static_cast<std::size_t>(outcome.method) % colours.size()];
    plots[0].curves.push_back({name_of(outcome.method), colour, std::move(iterations), y});
    plots[1].curves.push_back({name_of(outcome.method), colour, std::move(seconds), y});
  }
  auto const path = folder.path("convergence.png");
  io::write_png(path, io::draw(plots, folder.options().picture_size));
  fmt::print("Look at:           {}\n", path.string());
}

/// saw.csv and saw.png: residuals before each relaxation of sgml, and the error after each cycle, over work.
void draw_saw(sparse::app::RunFolder& folder, Outcome const& outcome) {
  io::History file(folder.path("saw.csv"), {"work", "cycle", "level", "residual", "error"});
  io::Curve residuals{"residual on the level, greatest over that of the source", {0, 110, 220}, {}, {}};
  io::Curve errors{"error of the solution, mean over that of the solution", {220, 40, 40}, {}, {}, true};
  for (std::size_t i = 0; i < outcome.saw.size(); ++i) {
    SawTooth const& tooth = outcome.saw[i];
    auto const work = static_cast<double>(tooth.work);
    bool const ends_cycle = i + 1 == outcome.saw.size() || outcome.saw[i + 1].cycle != tooth.cycle;
    double const error = ends_cycle ? outcome.cycle_errors[static_cast<std::size_t>(tooth.cycle)] : nothing;
    file.add({work, static_cast<double>(tooth.cycle), static_cast<double>(tooth.level), tooth.residual, error});
    if ((2 << tooth.level) < outcome.n) {  // a level with one unknown is solved exactly, which would stretch the axis
      residuals.x.push_back(work);
      residuals.y.push_back(tooth.residual);
    }
    errors.x.push_back(work);
    errors.y.push_back(error);
  }
  io::Plot plot{
      .title = fmt::format("{} nodes along each side", outcome.n + 1), .curves = {residuals, errors}, .is_log_y = true};
  plot.x_label = "operations on all nodes";
  io::write_png(folder.path("saw.png"), io::draw({plot}, folder.options().picture_size));
  fmt::print("Look at:           {}\n", folder.path("saw.png").string());
}

std::string failure_of(Outcome const& outcome, double tolerance) {
  return fmt::format(
      "{} with n = {} did not converge: {} after {} iterations, with a residual of {:.3g} where {:.3g} was asked for",
      name_of(outcome.method), outcome.n, poisson::name_of(outcome.report.reason), outcome.report.iterations,
      outcome.residual, tolerance);
}

void report_results(sparse::app::RunFolder& folder, Outcome const& outcome) {
  folder.report("iterations", outcome.report.iterations);
  folder.report("residual", outcome.residual);
  if (auto const& e = outcome.errors) {
    folder.report("max error", e->greatest, 0);
    folder.report("L1 error", e->mean, 0);
    folder.report("L2 error", e->root_mean_square, 0);
  }
  if (auto const& orders = outcome.orders) {
    folder.report("order of the max error", orders->greatest, 2);
    folder.report("order of the L1 error", orders->mean, 2);
    folder.report("order of the L2 error", orders->root_mean_square, 2);
  }
}

template <int Dim>
void compute(Options const& o, sparse::app::RunFolder& folder) {
  if (o.climbs_ladder) return climb_ladder<Dim>(o, folder);
  if (o.levels.finer_count > 0) return solve_on_levels<Dim>(o, folder);
  std::vector<Method> chosen;
  for (auto const& [name, method] : methods()) {
    if (!o.compares_all && method != o.method) continue;
    std::string const reason = reason_against(method, o);
    if (reason.empty())
      chosen.push_back(method);
    else
      fmt::print("without {}: {}\n", name, reason);
  }
  std::vector<Outcome> outcomes;
  std::string failures;
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  auto const note = [&](Outcome const& outcome) {
    print(outcome);
    records.push_back(record_of(outcome));
    if (outcome.report.has_converged()) return;
    failures += (failures.empty() ? "" : "; ") + failure_of(outcome, o.tolerance);
  };
  print_head(o);
  for (Method const method : chosen) {
    if (folder.stop_requested()) return folder.end_interrupted(false);
    std::optional<Outcome> coarse;
    if (o.finds_orders) note(coarse.emplace(solve<Dim>(o, method, o.n / 2).outcome));
    auto solution = solve<Dim>(o, method, o.n);
    if (coarse) solution.outcome.orders = orders_of(*coarse->errors, *solution.outcome.errors);
    note(solution.outcome);
    if (!o.compares_all) report_results(folder, solution.outcome);
    if (method == (o.compares_all ? Method::pcg : o.method)) {
      std::string const title =
          fmt::format("u, n = {}, {}{}", o.n, name_of(method), Dim == 3 ? fmt::format(", z = {:.3g}", o.slice) : "");
      folder.write_fields(0, 0, solution.grid, solution.cells, {{"solution", {.title = title, .slice = o.slice}}});
    }
    outcomes.push_back(std::move(solution.outcome));
  }
  folder.record_json("solvers", records);
  write_residuals(folder, outcomes);
  draw_residuals(folder, outcomes);
  if (o.sgml.draws_saw) draw_saw(folder, outcomes.back());
  double const lost = outcomes.back().report.incompatibility;
  if (lost > 1e-6)
    fmt::print(
        "The mean of the source, {:.3g} of its root mean square, was taken off: only then there is a solution.\n",
        lost);
  if (!failures.empty()) throw std::runtime_error(failures);
}

}  // namespace

int main(int argc, char** argv) {
  auto const app = sparse::app::command_line(
      "Poisson's equation, -laplacian(u) = f, in the unit square or cube, by any of the solvers.\n"
      "Prints the error against the exact solution; history.csv and convergence.png have the residuals.");
  Options const o = parse_options(*app, argc, argv);
  return sparse::app::run_program("poisson", *app, o.run, [&](sparse::app::RunFolder& folder) {
    o.dim == 2 ? compute<2>(o, folder) : compute<3>(o, folder);
  });
}
