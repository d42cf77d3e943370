// Poisson problems on the leaves of several levels that ranks share, beside one process that has them: double, to a
// relative residual of 1e-6 from zero.
//
//   mpirun -n RANKS ranks_composite [ROUNDS]            with OMP_NUM_THREADS threads per process
//
// Prints a table in Markdown. Times are the shortest of all rounds (5), in turns. "one": one process without a team,
// while the other ranks wait; "exact": all ranks with exact sums. "sent" is what all ranks send in a solution, without
// sums. "set-up": making the solver, of one process and of all ranks.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include <sparse/base/runtime.hpp>
#include <sparse/distributed/mpi_world.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/poisson/composite_solver.hpp>

#include "composite_case.hpp"
#include "ranks_timing.hpp"

using namespace composite_case;

namespace {

/// @param all  the right-hand side on all leaves
template <int Dim>
void solve(poisson::CompositeProblem<Dim> const& problem, std::vector<Field<double, Dim>> const& all, Timed& timed) {
  std::optional<poisson::CompositeSolver<double, Dim>> solver;
  keep_least(timed.set_up, [&] { solver.emplace(problem); });
  std::vector<Field<double, Dim>> b;
  for (std::size_t l = 0; l < all.size(); ++l) b.push_back(remap(all[l], solver->matrix().leaves(static_cast<int>(l))));
  auto x = solver->matrix().fields("x");
  Index const before = problem.team != nullptr ? problem.team->sent().bytes : 0;
  keep_least(timed.solve, [&] { timed.iterations = solver->solve(b, x).iterations; });
  if (problem.team != nullptr) timed.bytes = problem.team->sent().bytes - before;
}

template <int Dim>
void measure(distributed::Team& team, Coord width, int finer, int rounds) {
  auto const problem = levels_problem<Dim>(width, finer);
  auto shared = problem;
  shared.team = &team;
  auto exact = shared;
  exact.has_exact_sums = true;
  std::vector<Field<double, Dim>> b;
  for (auto const& leaves : poisson::leaves_of(problem.cells)) set_source(b.emplace_back("b", leaves));
  Timed one, ranks, exact_ranks;
  for (int round = 0; round < rounds; ++round) {
    if (team.rank() == 0) solve(problem, b, one);
    team.all(true);
    solve(shared, b, ranks);
    solve(exact, b, exact_ranks);
  }
  std::vector<std::int64_t> bytes{ranks.bytes};
  team.add(bytes);
  if (team.rank() > 0) return;
  Index leaf_count = 0;
  for (auto const& field : b) leaf_count += field.cell_count();
  std::printf("| %dD | %lld | %d | %d, %d | %.1f | %.1f | %.3f | %.3f | %.0f | %.0f | %.0f |\n", Dim,
              static_cast<long long>(leaf_count), finer + 1, one.iterations, ranks.iterations, 1e3 * one.solve,
              1e3 * ranks.solve, ranks.solve / one.solve, exact_ranks.solve / one.solve,
              1e-3 * static_cast<double>(bytes[0]), 1e3 * one.set_up, 1e3 * ranks.set_up);
}

}  // namespace

int main(int argc, char** argv) {
  distributed::MpiWorld world(argc, argv);
  Runtime const runtime;
  auto& team = world.team();
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  if (team.rank() == 0)
    std::printf("%d ranks\n\n| | leaves | levels | iterations of one, of ranks | one [ms] | ranks [ms] | ranks / one "
                "| exact ranks / one | sent [kB] | set-up of one [ms] | of ranks [ms] |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|\n",
                team.size());
  measure<2>(team, 64, 2, rounds);
  measure<2>(team, 256, 3, rounds);
  measure<2>(team, 512, 3, rounds);
  measure<3>(team, 24, 2, rounds);
  measure<3>(team, 48, 2, rounds);
  return 0;
}
