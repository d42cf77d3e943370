#include "ladder.hpp"

#include <chrono>
#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <sparse/fields/algebra.hpp>
#include <sparse/io/files/history.hpp>
#include <sparse/io/pictures/plot.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/poisson/tile_ladder.hpp>

#include "cases.hpp"

using namespace sparse;

namespace {

/// What a solver did, and what one more of its iterations takes.
struct Climbed {
  int iterations = 0;
  double residual = 0;
  bool has_converged = false;
  double launches = 0, memory_sets = 0;     ///< per iteration
  double asked_bytes = 0, moved_bytes = 0;  ///< per iteration and cell; on a host only
  double divisions = 0;                     ///< likewise
  double seconds = 0;                       ///< per iteration; on a device only
};

constexpr int measured_iterations = 4;

template <class T, int Dim>
class Measurement {
public:
  explicit Measurement(Options const& o)
      : tolerance_(o.tolerance), problem_(problem_of<Dim>(o, o.n)),
        source_(field_of<T>(Case<Dim>(o, o.n), What::source, problem_.cells, Vec<double, Dim>::filled(0.5))),
        u_("solution", problem_.cells) {
    add_boundary_values(poisson::Operator<T, Dim>(problem_), Case<Dim>(o, o.n), source_);
  }

  Climbed run(poisson::TiledMultigridCg const& method) {
    Climbed result;
    poisson::Solver<T, Dim> solver(problem_, method, {tolerance_, 100});
    auto const report = solve(solver);
    result.iterations = report.iterations;
    result.residual = report.true_residual;
    result.has_converged = report.has_converged();
    auto const few = counts(method, 1), many = counts(method, 1 + measured_iterations);
    auto const cells = static_cast<double>(problem_.cells.cell_count());
    auto const each = [](Index more, Index fewer) { return static_cast<double>(more - fewer) / measured_iterations; };
    result.launches = each(many.launches, few.launches);
    result.memory_sets = each(many.memory_sets, few.memory_sets);
    result.asked_bytes = each(many.asked_bytes, few.asked_bytes) / cells;
    result.moved_bytes = each(many.moved_bytes, few.moved_bytes) / cells;
    result.divisions = each(many.divisions, few.divisions) / cells;
    if (!is_host_backend) result.seconds = seconds_of_iteration(method);
    return result;
  }

private:
  poisson::Report solve(poisson::Solver<T, Dim>& solver) {
    fill(u_, 0);
    return solver.solve(source_, u_);
  }
  poisson::KernelCounts counts(poisson::TiledMultigridCg method, int iterations) {
    method.counts = std::make_shared<poisson::TileCounts>();
    poisson::Solver<T, Dim> solver(problem_, method, {1e-30, iterations});
    solve(solver);
    return method.counts->total();
  }
  /// The shortest of five times.
  double seconds_of_iteration(poisson::TiledMultigridCg method) {
    constexpr int more = 20;
    method.launches.check_interval = 4;
    poisson::Solver<T, Dim> few(problem_, method, {1e-30, 4}), many(problem_, method, {1e-30, 4 + more});
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 6; ++i) {  // the first one loads kernels and makes graphs
      double const seconds = (seconds_of(many) - seconds_of(few)) / more;
      if (i > 0) best = std::min(best, seconds);
    }
    return best;
  }
  double seconds_of(poisson::Solver<T, Dim>& solver) {
    using Clock = std::chrono::steady_clock;
    problem_.cells.context().fence();
    auto const start = Clock::now();
    solve(solver);
    problem_.cells.context().fence();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  double tolerance_;
  poisson::Problem<Dim> problem_;
  Field<T, Dim> source_, u_;
};

/// The rows of ladder.csv, and of the table.
class Rungs {
public:
  explicit Rungs(app::RunFolder& folder)
      : file_(folder.path("history.csv"), {"optimisation", "is_without", "iterations", "residual", "launches",
                                           "memory_sets", "asked_bytes", "moved_bytes", "divisions", "milliseconds"}) {
    fmt::print("{:<33} {:>10} {:>10} {:>9} {:>8} ", "", "iterations", "residual", "launches", "memsets");
    if (is_host_backend)
      fmt::print("{:>13} {:>13} {:>14}\n", "asked B/cell", "moved B/cell", "divisions/cell");
    else
      fmt::print("{:>8}\n", "ms");
  }
  void add(int number, bool is_without, std::string const& name, Climbed const& rung) {
    std::string const label = number == 0 ? name : fmt::format("{}{:>2} {}", is_without ? "-" : "+", number, name);
    fmt::print("{:<33} {:>10} {:>10.3g} {:>9.1f} {:>8.1f} ", label, rung.iterations, rung.residual, rung.launches,
               rung.memory_sets);
    if (is_host_backend)
      fmt::print("{:>13.1f} {:>13.1f} {:>14.2f}", rung.asked_bytes, rung.moved_bytes, rung.divisions);
    else
      fmt::print("{:>8.4f}", 1e3 * rung.seconds);
    fmt::print("{}\n", rung.has_converged ? "" : "  did not converge");
    std::fflush(stdout);
    file_.add({static_cast<double>(number), is_without ? 1.0 : 0.0, static_cast<double>(rung.iterations), rung.residual,
               rung.launches, rung.memory_sets, rung.asked_bytes, rung.moved_bytes, rung.divisions,
               1e3 * rung.seconds});
    records_.push_back({{"optimisation", number},
                        {"name", name},
                        {"is-without", is_without},
                        {"iterations", rung.iterations},
                        {"residual", rung.residual},
                        {"launches", rung.launches},
                        {"memory-sets", rung.memory_sets}});
    if (is_host_backend) {
      records_.back()["counted-asked-bytes-per-cell"] = rung.asked_bytes;
      records_.back()["counted-moved-bytes-per-cell"] = rung.moved_bytes;
      records_.back()["divisions-per-cell"] = rung.divisions;
    } else {
      records_.back()["milliseconds"] = 1e3 * rung.seconds;
    }
    if (!rung.has_converged) failures_ += (failures_.empty() ? "" : ", ") + label;
    if (is_without) return;
    steps_.push_back(static_cast<double>(steps_.size()));
    launches_.push_back(rung.launches);
    asked_.push_back(is_host_backend ? rung.asked_bytes : 1e6 * rung.seconds);
    moved_.push_back(rung.moved_bytes);
  }

  void finish(app::RunFolder& folder) const {
    folder.record_json("ladder", records_);
    io::Plot launches{
        .title = {}, .curves = {}, .is_log_x = false, .is_log_y = false, .y_label = "launches per iteration"};
    auto cost = launches;
    launches.x_label = cost.x_label = "optimisations, in the order of the table";
    launches.curves.push_back({"launches", {0, 110, 220}, steps_, launches_});
    cost.y_label = is_host_backend ? "counted bytes per cell and iteration" : "\u00b5s per iteration";
    cost.curves.push_back({is_host_backend ? "asked for" : "time", {230, 150, 0}, steps_, asked_});
    if (is_host_backend) cost.curves.push_back({"moved at least", {0, 150, 90}, steps_, moved_});
    auto const path = folder.path("poisson.png");
    io::write_png(path, io::draw({launches, cost}, folder.options().picture_size));
    if (!failures_.empty()) throw std::runtime_error("these did not converge: " + failures_);
  }

private:
  io::History file_;
  nlohmann::ordered_json records_ = nlohmann::ordered_json::array();
  std::string failures_;
  std::vector<double> steps_, launches_, asked_, moved_;
};

}  // namespace

template <int Dim>
void climb_ladder(Options const& o, app::RunFolder& folder) {
  fmt::print("Per iteration. Launches and bytes are counted by running the kernels on tiles{}.\n\n",
             is_host_backend ? "" : "; times are the shortest of five");
  Rungs rungs(folder);
  Measurement<double, Dim> with_double(o);
  for (auto const& rung : poisson::tile_ladder()) {
    if (folder.stop_requested()) return folder.end_interrupted(false);
    rungs.add(rung.number, false, rung.name, with_double.run(rung.method));
  }
  rungs.add(10, false, "all values in float", Measurement<float, Dim>(o).run({}));
  fmt::print("\n");
  for (auto const& rung : poisson::tile_ladder_without_one()) {
    if (folder.stop_requested()) return folder.end_interrupted(false);
    rungs.add(rung.number, true, rung.number == 1 ? "memory of blocks, 2 and 3" : rung.name,
              with_double.run(rung.method));
  }
  rungs.finish(folder);
}

template void climb_ladder<2>(Options const&, app::RunFolder&);
template void climb_ladder<3>(Options const&, app::RunFolder&);
