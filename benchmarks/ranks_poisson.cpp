// Poisson problems that ranks share, beside one process that has them: multigrid-CG in double with cycles in float, to
// a relative residual of 1e-6 from zero.
//
//   mpirun -n RANKS ranks_poisson [ROUNDS]              with OMP_NUM_THREADS threads per process
//   mpirun -n RANKS ranks_poisson PROBLEM METHOD        for bench_poisson: prints what hypre_poisson prints. METHOD:
//                                                       "multigrid", or "linear" for linear interpolation in it
//
// Prints a table in Markdown. Times are the shortest of all rounds (5), in turns. "one": one process without a team,
// while the other ranks wait; "exact": the same with exact sums; "ranks": all, with plain sums and with exact ones.
// "sent" is what all ranks send in a solution, without sums. "set-up": making the solver, of one process and of all
// ranks.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sparse/base/runtime.hpp>
#include <sparse/distributed/mpi_world.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/poisson/solver.hpp>

#include "poisson_problem.hpp"
#include "ranks_timing.hpp"

using namespace sparse;

namespace {

template <int Dim>
void solve(poisson::Problem<Dim> const& problem, Field<double, Dim> const& b, Timed& timed) {
  std::unique_ptr<poisson::Solver<double, Dim>> solver;
  keep_least(timed.set_up, [&] { solver = std::make_unique<poisson::Solver<double, Dim>>(problem); });
  auto const own_b = remap(b, solver->matrix().cells());
  Field<double, Dim> x("x", own_b.domain(), 0.0);
  Index const before = problem.team != nullptr ? problem.team->sent().bytes : 0;
  keep_least(timed.solve, [&] { timed.iterations = solver->solve(own_b, x).iterations; });
  timed.bytes = problem.team != nullptr ? problem.team->sent().bytes - before : 0;
}

template <int Dim>
void measure(distributed::Team& team, poisson_cases::Problem const& given, int rounds) {
  auto const problem = poisson_cases::problem_of<Dim>(given);
  auto const alone = distributed::alone();
  auto with_exact_sums = problem, shared = problem;
  with_exact_sums.team = alone.get();
  with_exact_sums.has_exact_sums = true;
  shared.team = &team;
  auto shared_exactly = shared;
  shared_exactly.has_exact_sums = true;
  poisson_cases::Numbering const numbering(given);
  auto const values = poisson_cases::right_hand_side(numbering);
  Field<double, Dim> b("b", problem.cells);
  auto const from = to_device(b.context(), values);
  copy<double, Dim>(b.view(), CopyPlan<Dim>(problem.cells, problem.cells, problem.cells), {from.data(), from.size()});
  Timed one, exact, ranks, exact_ranks;
  for (int round = 0; round < rounds; ++round) {
    if (team.rank() == 0) {
      solve(problem, b, one);
      solve(with_exact_sums, b, exact);
    }
    team.all(true);
    solve(shared, b, ranks);
    solve(shared_exactly, b, exact_ranks);
  }
  std::vector<std::int64_t> bytes{ranks.bytes};
  team.add(bytes);
  if (team.rank() > 0) return;
  std::printf("| %s | %d | %d | %.1f | %.3f | %.1f | %.3f | %.3f | %.0f | %.0f | %.0f |\n", given.name.data(),
              one.iterations, ranks.iterations, 1e3 * one.solve, exact.solve / one.solve, 1e3 * ranks.solve,
              ranks.solve / one.solve, exact_ranks.solve / one.solve, 1e-3 * static_cast<double>(bytes[0]),
              1e3 * one.set_up, 1e3 * ranks.set_up);
}

/// Prints a line for each tolerance: tolerance, iterations, seconds of set-up and of the solve (the shorter one of
/// two), relative residual, peak of bytes per cell.
template <int Dim>
void print_lines(distributed::Team& team, poisson_cases::Problem const& given, poisson::Method const& method) {
  auto problem = poisson_cases::problem_of<Dim>(given);
  problem.team = &team;
  poisson_cases::Numbering const numbering(given);
  auto const values = poisson_cases::right_hand_side(numbering);
  Field<double, Dim> b("b", problem.cells);
  auto const from = to_device(b.context(), values);
  copy<double, Dim>(b.view(), CopyPlan<Dim>(problem.cells, problem.cells, problem.cells), {from.data(), from.size()});
  auto const arena = b.context().arena();
  std::size_t const before = arena->bytes_in_use();
  arena->forget_peak();
  for (double const tolerance : poisson_cases::tolerances) {
    double set_up = 1e30, seconds = 1e30;
    std::unique_ptr<poisson::Solver<double, Dim>> solver;
    team.all(true);
    keep_least(set_up, [&] {
      solver = std::make_unique<poisson::Solver<double, Dim>>(problem, method, poisson::StopRule{tolerance});
    });
    auto const own_b = remap(b, solver->matrix().cells());
    poisson::Report report;
    for (int i = 0; i < 2; ++i) {
      Field<double, Dim> x("x", own_b.domain(), 0.0);
      team.all(true);
      keep_least(seconds, [&] { report = solver->solve(own_b, x); });
    }
    std::vector<double> bytes{static_cast<double>(arena->peak_bytes() - before)};
    team.add(bytes);
    if (team.rank() == 0)
      std::printf("%g %d %g %g %g %g\n", tolerance, report.iterations, set_up, seconds, report.true_residual,
                  bytes[0] / numbering.fluid_count());
  }
}

}  // namespace

int main(int argc, char** argv) {
  distributed::MpiWorld world(argc, argv);
  Runtime const runtime;
  auto& team = world.team();
  if (argc == 3) {
    auto const interpolation = std::string(argv[2]) == "linear" ? Interpolation::linear : Interpolation::constant;
    poisson::MultigridCg const method{{.interpolation = interpolation}};
    for (auto const& problem : poisson_cases::problems)
      if (problem.name == argv[1])
        problem.dim == 2 ? print_lines<2>(team, problem, method) : print_lines<3>(team, problem, method);
    return 0;
  }
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  if (team.rank() == 0)
    std::printf(
        "%d ranks\n\n| problem | iterations of one | of ranks | one [ms] | exact / one | ranks [ms] | ranks / one "
        "| exact ranks / one | sent [kB] | set-up of one [ms] | of ranks [ms] |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n",
        team.size());
  for (auto const& problem : poisson_cases::problems)
    problem.dim == 2 ? measure<2>(team, problem, rounds) : measure<3>(team, problem, rounds);
  return 0;
}
