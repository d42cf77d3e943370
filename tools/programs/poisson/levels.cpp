#include "levels.hpp"

#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <sparse/io/files/history.hpp>

#include "level_run.hpp"

using namespace sparse;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// No larger uniform grid is compared with.
constexpr Index most_uniform_cells = Index{1} << 24;

void print_head(bool has_errors) {
  fmt::print("{:<8} {:>10} {:>6} {:>10} {:>10} {:>9} {:>9}", "", "leaves", "levels", "iterations", "residual",
             "set-up/s", "solve/s");
  if (has_errors) fmt::print(" {:>10} {:>10}", "max error", "L1 error");
  fmt::print("\n");
}

void print(char const* name, LevelOutcome const& row) {
  auto const& outcome = row.outcome;
  fmt::print("{:<8} {:>10} {:>6} {:>10} {:>10.3g} {:>9.4f} {:>9.4f}", name, row.leaf_count, row.level_count,
             outcome.report.iterations, outcome.residual, outcome.setup_seconds, outcome.seconds);
  if (auto const& e = outcome.errors) fmt::print(" {:>10.4g} {:>10.4g}", e->greatest, e->mean);
  fmt::print("\n");
  std::fflush(stdout);
}

void expect_converged(Outcome const& outcome) {
  if (!outcome.report.has_converged())
    throw std::runtime_error(fmt::format("the solver on levels did not converge: {} after {} iterations",
                                         poisson::name_of(outcome.report.reason), outcome.report.iterations));
}

/// Uniform grids, each with half the spacing of the one before, until one has an error as small as that of the levels.
/// @return  that one, if there is one of at most `most_uniform_cells`
template <int Dim>
std::optional<LevelOutcome> find_uniform_grid(Options const& o, sparse::app::RunFolder& folder, double error) {
  for (int l = 0; l <= o.levels.finer_count && !folder.stop_requested(); ++l) {
    Index cells = 1;
    for (int axis = 0; axis < Dim; ++axis) cells *= o.n << l;
    if (cells > most_uniform_cells) {
      fmt::print("Uniform grids of {} and more cells were not tried.\n", cells);
      return {};
    }
    LevelOutcome const uniform{solve<Dim>(o, Method::pcg, o.n << l).outcome, cells, 1};
    print("uniform", uniform);
    if (uniform.outcome.errors->greatest <= error) return uniform;
  }
  return {};
}

/// The same region with cells twice as wide.
template <class T, int Dim>
Outcome solve_with_half(Options const& o, IntervalSet<Dim> const& region) {
  LevelRun<T, Dim> run(o, o.n / 2);
  run.want(coarsen(region));
  auto const row = run.solve();
  print("levels", row);
  expect_converged(row.outcome);
  return row.outcome;
}

template <class T, int Dim>
void solve_in(Options const& o, sparse::app::RunFolder& folder) {
  print_head(o.has_exact_solution());
  LevelRun<T, Dim> run(o, o.n);
  std::optional<Errors> coarse;
  if (!o.levels.is_adaptive()) {
    auto region = io::evaluate<Dim>(o.levels.refine);
    if (o.finds_orders) {
      coarse = solve_with_half<T, Dim>(o, region).errors;
      region = refine(coarsen(region));
    }
    run.want(region);
  }
  io::History history(folder.path("history.csv"),
                      {"pass", "leaves", "levels", "iterations", "residual", "seconds", "max error", "L1 error"});
  LevelOutcome last{};
  for (int pass = 0;; ++pass) {
    if (folder.stop_requested()) return folder.end_interrupted(false);
    last = run.solve();
    print("levels", last);
    auto const& outcome = last.outcome;
    auto const& e = outcome.errors;
    history.add({static_cast<double>(pass), static_cast<double>(last.leaf_count), static_cast<double>(last.level_count),
                 static_cast<double>(outcome.report.iterations), outcome.residual, last.seconds(),
                 e ? e->greatest : nothing, e ? e->mean : nothing});
    expect_converged(outcome);
    bool const is_exact = e && e->greatest <= o.levels.error;
    if (!o.levels.is_adaptive() || is_exact || pass == o.levels.pass_limit || !run.refine_bends()) break;
  }
  run.print_levels();
  auto const& e = last.outcome.errors;
  auto const uniform = e ? find_uniform_grid<Dim>(o, folder, e->greatest) : std::nullopt;
  folder.report("leaves", static_cast<double>(last.leaf_count));
  folder.report("levels", last.level_count);
  folder.report("iterations", last.outcome.report.iterations);
  folder.report("residual", last.outcome.residual);
  folder.report("seconds", last.seconds());
  if (e) {
    folder.report("max error", e->greatest, 0);
    folder.report("L1 error", e->mean, 0);
  }
  if (coarse) {
    folder.report("order of the max error", std::log2(coarse->greatest / e->greatest), 2);
    folder.report("order of the L1 error", std::log2(coarse->mean / e->mean), 2);
  }
  if (uniform) {
    folder.report("cells of the uniform grid", static_cast<double>(uniform->leaf_count));
    folder.report("seconds of the uniform grid", uniform->seconds());
  }
  folder.write_fields(0, 0, run.grid(), run.cells(),
                      {{"solution", {.title = fmt::format("u on {} levels", last.level_count), .slice = o.slice}}});
  if (e && o.levels.error > 0 && !(e->greatest <= o.levels.error))
    throw std::runtime_error(
        fmt::format("--error {:.3g} was not met: it is {:.3g} after the last pass", o.levels.error, e->greatest));
}

}  // namespace

template <int Dim>
void solve_on_levels(Options const& o, sparse::app::RunFolder& folder) {
  o.precision == Precision::all_float ? solve_in<float, Dim>(o, folder) : solve_in<double, Dim>(o, folder);
}

template void solve_on_levels<2>(Options const&, sparse::app::RunFolder&);
template void solve_on_levels<3>(Options const&, sparse::app::RunFolder&);
