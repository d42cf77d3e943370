// Flows on levels that change, beside the uniform method on about as many cells: in turns. Vortices in a periodic box,
// with finer levels in a ball that runs through it. The vortices stay, or run with the ball.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <stdexcept>

#include <sparse/base/runtime.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/shapes/shapes.hpp>

#include "table.hpp"

using namespace sparse;
using namespace sparse::incompressible;

namespace {

constexpr double viscosity = 1e-4, ball_speed = 0.3;  // along each axis
constexpr int regrids = 10, stride = 4;               // changes of levels, and steps between them
// Steps before time and memory are taken: the first has no pressure to begin with, and changes touch memory first.
constexpr int first_steps = 1 + 2 * stride;

/// Totals of a run; the shortest of several.
struct Run {
  double seconds = 1e300, of_regrids = 0, of_longer_steps = 0, iterations = 0, bytes = 0;
  Index cells = 0, updates = 0;

  void add(Run const& other) {
    if (other.seconds < seconds) *this = other;
  }
  double per_update() const { return seconds / static_cast<double>(updates); }
};

/// @param speed  of the vortices along each axis
template <int Dim>
VectorFunction<Dim> vortices(double speed) {
  return [speed](Vec<double, Dim> const& x) {
    double const k = 8 * std::numbers::pi;
    auto velocity = Vec<double, Dim>::filled(speed);
    velocity[0] += std::sin(k * x[0]) * std::cos(k * x[1]);
    velocity[1] -= std::cos(k * x[0]) * std::sin(k * x[1]);
    return velocity;
  };
}

/// The share of level l in the width is 0.6 of that of the level before.
template <int Dim>
AdaptiveFlow<double, Dim> flow_on_levels(Coord width, int level_count, double speed) {
  amr::DomainOptions<Dim> box;
  box.cells = Vec<Coord, Dim>::filled(width);
  box.level_count = level_count;
  box.grid.spacing = Vec<double, Dim>::filled(1.0 / width);
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
  AdaptiveOptions<Dim> options;
  options.viscosity = viscosity;
  options.criteria = {RegionCriterion<Dim>{[](RegionPlace<Dim> const& place) {
    double const cells = std::round(1 / place.grid.spacing[0]);
    return ball<Dim>(Vec<double, Dim>::filled((0.4 + ball_speed * place.time) * cells),
                     0.3 * std::pow(0.6, place.level) * cells);
  }}};
  options.regrid_stride = stride;
  AdaptiveFlow<double, Dim> flow(amr::Domain<Dim>(box), options);
  flow.start(vortices<Dim>(speed));
  return flow;
}

template <int Dim>
Run on_levels(Coord width, int level_count, double speed) {
  std::optional<AdaptiveFlow<double, Dim>> flow;
  double const bytes = bytes_of([&] {
    flow.emplace(flow_on_levels<Dim>(width, level_count, speed));
    for (int step = 0; step < first_steps; ++step) flow->advance();
    return 0;
  });
  Run run{.seconds = 0, .bytes = bytes};
  run.updates = -flow->update_count();
  // The first step on new levels takes longer, too: its pressure has a worse guess, and memory is new to the cache.
  double after_change = 0, without = 0;
  for (int step = 0; step < regrids * stride; ++step) {
    bool const has_change = flow->step_count() % stride == 0;
    double const start = now();
    if (has_change) flow->adapt();
    double const changed = now();
    run.of_regrids += changed - start;
    // The step looks again whether levels should change, and finds that they should not.
    bool const changes_again = has_change && flow->adapt();
    if (changes_again) throw std::logic_error("levels change twice");
    double const looked = now();
    run.iterations += flow->advance().iterations;
    (has_change ? after_change : without) += (now() - looked) - (looked - changed);
  }
  run.seconds = run.of_regrids + after_change + without;
  run.of_longer_steps = after_change - without / (stride - 1);
  run.updates += flow->update_count();
  run.cells = flow->leaf_count();
  return run;
}

template <int Dim>
Run uniform(Coord width, double speed) {
  Run run{.seconds = 0};
  FlowDomain<Dim> domain;
  domain.fluid = box<Dim>({}, Vec<Coord, Dim>::filled(width));
  domain.grid.spacing = Vec<double, Dim>::filled(1.0 / width);
  domain.period = Vec<Coord, Dim>::filled(width);
  std::optional<Smac<double, Dim>> smac;
  std::optional<State<double, Dim>> state;
  run.bytes = bytes_of([&] {
    StaggeredGrid<Dim> const grid(domain);
    smac.emplace(grid, SmacOptions<Dim>{.viscosity = viscosity});
    state.emplace(grid);
    set_velocity(grid, *state, vortices<Dim>(speed));
    smac->project(*state);
    for (int step = 0; step < first_steps; ++step) smac->advance(*state, smac->longest_step(*state, 0.5));
    return 0;
  });
  double const start = now();
  for (int step = 0; step < regrids * stride; ++step)
    run.iterations += smac->advance(*state, smac->longest_step(*state, 0.5)).iterations;
  run.seconds = now() - start;
  run.cells = domain.fluid.cell_count();
  run.updates = run.cells * regrids * stride;
  return run;
}

void print(char const* name, int dim, int level_count, Run const& run, Run const& of_uniform) {
  auto const per_cell = [](Run const& r) { return r.bytes / static_cast<double>(r.cells); };
  std::printf("| %d | %s | %lld | %d | %.1f | %.2f | %.2f | %.1f %% | %.1f %% | %.0f | %.2f |\n", dim, name,
              static_cast<long long>(run.cells), level_count, run.iterations / (regrids * stride),
              1e-6 / run.per_update(), of_uniform.per_update() / run.per_update(), 100 * run.of_regrids / run.seconds,
              100 * run.of_longer_steps / run.seconds, per_cell(run), per_cell(run) / per_cell(of_uniform));
  std::fflush(stdout);
}

template <int Dim>
void compare(Coord width, int level_count, int rounds, double speed) {
  Run levels, alone;
  for (int round = 0; round < rounds; ++round) {
    levels.add(on_levels<Dim>(width, level_count, speed));
    auto const across = std::lround(std::pow(static_cast<double>(levels.cells), 1.0 / Dim));
    alone.add(uniform<Dim>(static_cast<Coord>(across), speed));
  }
  print("levels", Dim, level_count, levels, alone);
  print("uniform", Dim, 1, alone, alone);
}

}  // namespace

int main(int argc, char** argv) {
  TableOptions const options(argc, argv, 2);
  Runtime const runtime(options.threads);
  std::printf("Backend: %s; %d steps, a change of levels every %d; the shortest of %d rounds, in turns\n",
              backend_name().c_str(), regrids * stride, stride, options.rounds);
  for (double const speed : {0.0, ball_speed}) {
    std::printf("\nVortices that %s:\n", speed == 0 ? "stay" : "run");
    std::printf(
        "\n| dim | method | leaves | levels | iterations per step | M leaf steps/s | ratio | changes of levels | "
        "longer steps after them | memory [bytes per leaf] | ratio |\n|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    compare<2>(56, 3, options.rounds, speed);
    compare<2>(180, 3, options.rounds, speed);
    compare<2>(570, 3, options.rounds, speed);
    compare<3>(32, 3, options.rounds, speed);
    compare<3>(68, 3, options.rounds, speed);
  }
}
