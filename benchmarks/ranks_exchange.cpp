// How long ranks exchange states in a step, beside what `distribution` predicts from the latency and the bandwidth of
// this machine. The levels are those of Mach-2 flow around a cylinder.
//
//   mpirun -n RANKS ranks_exchange [RADIUS [ROUNDS]]    with OMP_NUM_THREADS=1
//
// Prints a table in Markdown. Latency and bandwidth are those of a ring in which each rank gets columns of cells of the
// next one, packing included. Messages and bytes are those that a rank receives in a step of level 0, means over the
// ranks; times are the shortest of all rounds.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include <sparse/amr/hierarchy/hierarchy.hpp>
#include <sparse/base/runtime.hpp>
#include <sparse/distributed/halo.hpp>
#include <sparse/distributed/mpi_world.hpp>
#include <sparse/distributed/traffic.hpp>
#include <sparse/shapes/shapes.hpp>

#include "cylinder_case.hpp"
#include "ranks_timing.hpp"

using namespace cylinder_case;

namespace {

using Case = Cylinder<double, true>;
using Law = Case::Law;
constexpr int component_count = Law::component_count;
constexpr Index bytes_per_cell = component_count * static_cast<Index>(sizeof(double));

/// The time in which each rank gets two columns of so many cells of the next one [s], as rows that end at a border do.
double ring_time(distributed::Team& team, Coord rows) {
  constexpr Coord width = 64;
  Coord const ranks = team.size(), all = ranks * width, first = team.rank() * width, next = (first + width) % all;
  auto const whole = box<2>({}, {all, 1});
  // The lowest cell of a column stands for all: units are as high as the box.
  auto const own = box<2>({first, 0}, {first + width, rows}), wanted = box<2>({next, 0}, {next + 2, rows});
  distributed::Partition<2> const partition(ranks, {{}, {all, 1}}, {whole}, {distributed::Curve::rows, 0.5, 1});
  distributed::Halo<2> const halo(team, partition, 0, own, wanted, {{wanted}});
  Field<double, 2> const source("source", own, component_count, 1.);
  Field<double, 2> target("target", wanted, component_count);
  double least = 1e30;
  for (int i = 0; i < 500; ++i) {
    team.all(true);
    keep_least(least, [&] {
      for (int j = 0; j < 10; ++j) halo.fill<double>(team, target.view(), source.view(), component_count);
    });
  }
  std::vector<double> times{least / 10};
  distributed::maximise(team, times);
  return times[0];
}

/// The exchanges of a step of a level, and of all steps of finer levels in it.
void exchange(amr::Hierarchy<Law>& hierarchy, int l) {
  auto const& problem = hierarchy.problem();
  auto& level = hierarchy.levels()[static_cast<std::size_t>(l)];
  amr::refresh(problem, level, level.current());
  if (l + 1 == hierarchy.level_count()) return;
  exchange(hierarchy, l + 1);
  exchange(hierarchy, l + 1);
  auto& finer = hierarchy.levels()[static_cast<std::size_t>(l) + 1];
  amr::FromFiner<Law>(problem, level, finer, &amr::LevelMessages<2>::needed, true).finish(level);
  amr::refresh(problem, level, level.current());
}

void measure(distributed::Team& team, int radius, int rounds) {
  Case::Flow flow = Case::make(radius, amr::InitialState<Law>(Uniform<double>{Case::inflow}));
  while (flow.step_count() < 200) flow.advance();
  amr::Problem<Law> problem{flow.domain(), Case::flux.law};
  problem.outside.inflow = Case::inflow;
  problem.options = flow.options();
  problem.options.team = &team;
  amr::Hierarchy<Law> hierarchy(problem, flow.save());
  constexpr Coord rows = 512;
  double const small = ring_time(team, 2), large = ring_time(team, rows);
  distributed::Machine const machine{std::numeric_limits<double>::infinity(), small,
                                     (rows - 2) * 2. * static_cast<double>(bytes_per_cell) / (large - small)};

  std::vector<IntervalSet<2>> cells;
  std::vector<Index> steps;
  for (int l = 0; l < flow.level_count(); ++l) {
    cells.push_back(flow.sets(l).cells);
    steps.push_back(Index{1} << l);
  }
  distributed::Partition<2> const partition(team.size(), flow.domain().box(0), distributed::computed_cells(cells),
                                            problem.options.partition);
  auto const predicted = distributed::predict(distributed::traffic(partition, cells), steps, bytes_per_cell, machine);

  exchange(hierarchy, 0);
  auto const before = team.sent();
  exchange(hierarchy, 0);
  std::vector<std::int64_t> sent{team.sent().messages - before.messages, team.sent().bytes - before.bytes};
  team.add(sent);
  double least = 1e30;
  for (int round = 0; round < rounds; ++round) {
    team.all(true);
    keep_least(least, [&] { exchange(hierarchy, 0); });
  }
  std::vector<double> all{least};
  distributed::maximise(team, all);
  if (team.rank() > 0) return;
  std::printf("| %d | %lld | %.1f | %.2f | %.1f | %.1f | %.1f | %.1f | %.3f | %.3f | %.2f |\n", team.size(),
              static_cast<long long>(flow.leaf_count()), 1e6 * machine.latency, 1e-9 * machine.bandwidth,
              static_cast<double>(sent[0]) / team.size(), predicted.messages,
              1e-3 * static_cast<double>(sent[1]) / team.size(), 1e-3 * predicted.bytes, 1e3 * all[0],
              1e3 * predicted.seconds, all[0] / predicted.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  distributed::MpiWorld world(argc, argv);
  Runtime const runtime;
  if (world.team().rank() == 0)
    std::printf("| ranks | leaves | latency [us] | bandwidth [GB/s] | messages | predicted | kB | predicted | ms "
                "| predicted | ratio |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  measure(world.team(), argc > 1 ? std::atoi(argv[1]) : 64, argc > 2 ? std::atoi(argv[2]) : 200);
}
