// Poisson problems on boxes and sparse sets, solved by sparse::poisson and by hypre in turns. Both have the same
// right-hand sides, a zero guess, and tolerances of the relative residual of 1e-6 and 1e-10. hypre has as many ranks as
// sparse has threads, and so has "sparse on ranks", which is there in builds with MPI.
//
//   bench_poisson [--threads=N] [--rounds=N] [--benchmark_filter=REGEX]     the filter picks problems: P1 to P4, P4a
//
// Prints a table in Markdown. Times are the shortest of all rounds: set-up, solve, and the solve in sweeps. Set-up has
// all plans of sparse, but not the filling of hypre's matrix. A sweep reads x and b and writes b - A x in double
// precision. "solve" and "all" are times over those of the first solver, the latter with the set-up. The residual is
// recomputed from the solution by the same lines for every solver; ranks of sparse report their own. Memory is the peak
// per fluid cell, measured, with matrix, x and b. "sparse" has cycles in single precision with two sweeps of smoothing
// before and after.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <string>

#include <sparse/base/runtime.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

#include <sparse/poisson/solver.hpp>

#include "poisson_problem.hpp"

using namespace sparse;
using poisson_cases::Numbering, poisson_cases::problem_of, poisson_cases::tolerances;

namespace {

/// What a solver did to one tolerance.
struct Result {
  int iterations;
  double set_up, solve;  ///< [s]
  double residual, bytes_per_cell;
};
using Results = std::vector<Result>;  ///< by tolerance

template <class Work>
double seconds_of(Work&& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  Context().fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// ---- the problem, and what passes over memory take

/// residual = b - A x as if all sides were Neumann.
template <int Dim>
struct Sweep {
  FieldView<double const> x, b;
  FieldView<double> residual;
  Vec<double, Dim> coupling;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<Dim> const& p) const {
    double sum = b(p.cell), here = x(p.cell);
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) sum -= coupling[arm / 2] * (here - x(p.neighbour(arm)));
    residual(p.cell) = sum;
  }
};

struct Passes {
  double sweep = 1e30, copy = 1e30;  ///< [s]
};

template <int Dim>
Passes measure_passes(poisson::Problem<Dim> const& problem) {
  Field<double, Dim> x("x", problem.cells), b("b", problem.cells), residual("residual", problem.cells);
  fill(x, 1);
  fill(b, 1);
  Vec<double, Dim> coupling;
  for (int axis = 0; axis < Dim; ++axis) coupling[axis] = 1 / (problem.grid.spacing[axis] * problem.grid.spacing[axis]);
  Stencil<Dim> const plan(problem.cells, problem.cells);
  Passes passes;
  for (int i = 0; i < 10; ++i) {
    passes.copy = std::min(passes.copy, seconds_of([&] { assign(residual, b); }));
    passes.sweep = std::min(
        passes.sweep, seconds_of([&] {
          for_each("sparse::benchmark::residual", plan, Sweep<Dim>{x.view(), b.view(), residual.view(), coupling});
        }));
  }
  return passes;
}

// ---- sparse

template <int Dim>
Field<double, Dim> field_of(IntervalSet<Dim> const& cells, std::vector<double> const& values) {
  Field<double, Dim> field("field", cells);
  auto const buffer = to_device(cells.context(), values);
  double const* const from = buffer.data();
  double* const to = field.view().data;
  parallel_for(
      cells.context(), "sparse::benchmark::upload", cells.cell_count(), KOKKOS_LAMBDA(Index i) { to[i] = from[i]; });
  field.context().fence();
  return field;
}

/// Conjugate gradients in double precision.
template <int Dim>
std::optional<Results> run_sparse(poisson::Problem<Dim> const& problem, Numbering const& numbering,
                                  std::vector<double> const& values, poisson::Multigrid const& multigrid) {
  auto const arena = problem.cells.context().arena();
  std::size_t const before = arena->bytes_in_use();
  auto const b = field_of(problem.cells, values);
  arena->forget_peak();
  Field<double, Dim> x("x", problem.cells);
  Results results;
  for (double const tolerance : tolerances) {
    std::optional<poisson::Solver<double, Dim>> solver;
    Result result{};
    result.set_up =
        seconds_of([&] { solver.emplace(problem, poisson::MultigridCg{multigrid}, poisson::StopRule{tolerance}); });
    result.solve = 1e30;
    poisson::Report report;
    for (int i = 0; i < 3; ++i) {
      fill(x, 0);
      result.solve = std::min(result.solve, seconds_of([&] { report = solver->solve(b, x); }));
    }
    if (!report.has_converged()) return {};
    result.iterations = report.iterations;
    result.bytes_per_cell = static_cast<double>(arena->peak_bytes() - before) / numbering.fluid_count();
    result.residual = relative_residual(numbering, values, to_host(x));
    results.push_back(result);
  }
  return results;
}

// ---- ranks, in processes of their own

#if defined(RANKS_POISSON) || defined(HYPRE_POISSON)
std::optional<Results> run_ranks(std::string const& program, poisson_cases::Problem const& problem,
                                 std::string const& solver, int ranks) {
  std::string const command =
      MPIRUN " " + std::to_string(ranks) + " " + program + " " + std::string(problem.name) + " " + solver;
  FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) return {};
  Results results;
  Result r;
  double tolerance;
  while (std::fscanf(output, "%lf %d %lf %lf %lf %lf", &tolerance, &r.iterations, &r.set_up, &r.solve, &r.residual,
                     &r.bytes_per_cell) == 6)
    results.push_back(r);
  if (pclose(output) != 0 || results.size() != tolerances.size()) return {};
  return results;
}
#endif

// ---- the table

class Table {
public:
  /// Keeps the shortest times.
  void add(std::string const& solver, std::optional<Results> const& results) {
    if (!rows_.contains(solver)) order_.push_back(solver);
    auto& kept = rows_[solver];
    if (!kept || !results) {
      kept = results;
      return;
    }
    for (std::size_t t = 0; t < tolerances.size(); ++t) {
      Result& best = (*kept)[t];
      best.set_up = std::min(best.set_up, (*results)[t].set_up);
      best.solve = std::min(best.solve, (*results)[t].solve);
    }
  }

  void print(poisson_cases::Problem const& problem, double sweep) const {
    for (std::size_t t = 0; t < tolerances.size(); ++t) {
      auto const& first = rows_.at(order_.front());
      for (auto const& solver : order_) {
        std::printf("| %-3s | %g | %-21s |", problem.name.data(), tolerances[t], solver.c_str());
        auto const& results = rows_.at(solver);
        if (!results) {
          std::printf(" failed |\n");
          continue;
        }
        Result const& r = (*results)[t];
        std::printf(" %3d | %7.1f | %7.1f | %6.1f | ", r.iterations, 1e3 * r.set_up, 1e3 * r.solve, r.solve / sweep);
        if (first)
          std::printf("%5.2f | %5.2f | ", r.solve / (*first)[t].solve,
                      (r.set_up + r.solve) / ((*first)[t].set_up + (*first)[t].solve));
        else
          std::printf(" | | ");
        std::printf("%.1e | %4.0f |\n", r.residual, r.bytes_per_cell);
      }
    }
    std::fflush(stdout);
  }

private:
  std::vector<std::string> order_;
  std::map<std::string, std::optional<Results>> rows_;
};

/// Prints the problem's rows of the table; returns its row of the next one.
template <int Dim>
std::string compare(poisson_cases::Problem const& given, int rounds, [[maybe_unused]] int ranks) {
  Numbering const numbering(given);
  auto const problem = problem_of<Dim>(given);
  if (problem.cells.cell_count() != numbering.fluid_count()) fail("bench_poisson: the peers' cells are others");
  auto const b = right_hand_side(numbering);
  Passes passes;
  Table table;
  for (int round = 0; round < rounds; ++round) {
    Passes const measured = measure_passes(problem);
    passes = {std::min(passes.sweep, measured.sweep), std::min(passes.copy, measured.copy)};
    table.add("sparse", run_sparse(problem, numbering, b, {}));
    table.add("sparse, double cycles", run_sparse(problem, numbering, b, {.precision = poisson::Precision::same}));
    table.add("sparse, one sweep", run_sparse(problem, numbering, b, {.sweeps = 1}));
    table.add("sparse, linear", run_sparse(problem, numbering, b, {.interpolation = Interpolation::linear}));
#ifdef RANKS_POISSON
    table.add("sparse on ranks", run_ranks(RANKS_POISSON, given, "multigrid", ranks));
    table.add("sparse, linear, on ranks", run_ranks(RANKS_POISSON, given, "linear", ranks));
#endif
#ifdef HYPRE_POISSON
    for (std::string const solver : {"pfmg", "smg", "boomeramg"})
      table.add("hypre " + solver, run_ranks(HYPRE_POISSON, given, solver, ranks));
#endif
  }
  table.print(given, passes.sweep);
  double const cells = static_cast<double>(numbering.fluid_count());
  char row[200];
  std::snprintf(row, sizeof row, "| %s | %s | %.0f | %.2f | %.1f |", given.name.data(), given.description.data(), cells,
                1e3 * passes.sweep, 16e-9 * cells / passes.copy);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 0, rounds = 2;
  std::regex filter("");
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i], value = argument.substr(argument.find('=') + 1);
    if (argument.starts_with("--threads="))
      threads = std::atoi(value.c_str());
    else if (argument.starts_with("--rounds="))
      rounds = std::atoi(value.c_str());
    else if (argument.starts_with("--benchmark_filter="))
      filter = value;
    else if (!argument.starts_with("--benchmark_"))  // tools/bench gives Google Benchmark's options to all
      return std::fprintf(stderr, "bench_poisson: what is %s?\n", argument.c_str()), 2;
  }
  Runtime const runtime(threads);
  int const ranks = ExecutionSpace().concurrency();
  std::printf("Backend: %s; right-hand sides from seed %llu; %d rounds\n", backend_name().c_str(),
              static_cast<unsigned long long>(poisson_cases::seed), rounds);
#ifdef MPIRUN
  // mpirun refuses root, who runs everything in a container, and binds ranks to cores that others may use.
  for (char const* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) setenv(name, "1", 1);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
  setenv("OMP_NUM_THREADS", "1", 1);
#endif
#ifndef HYPRE_POISSON
  std::printf("Built without hypre (libhypre-dev and an MPI): its rows are missing.\n");
#endif
  std::printf(
      "\n| problem | tolerance | solver | iterations | set-up [ms] | solve [ms] | sweeps | solve | all | residual | "
      "memory [bytes] |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  std::vector<std::string> descriptions;
  for (auto const& problem : poisson_cases::problems)
    if (std::regex_search(std::string(problem.name), filter))
      descriptions.push_back(problem.dim == 2 ? compare<2>(problem, rounds, ranks)
                                              : compare<3>(problem, rounds, ranks));
  std::printf("\n| problem | | cells | sweep [ms] | copy [counted GB/s] |\n|---|---|--:|--:|--:|\n");
  for (auto const& row : descriptions) std::printf("%s\n", row.c_str());
}
