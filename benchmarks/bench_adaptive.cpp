// Flows on levels that change, beside the uniform method on about as many cells: in turns. Vortices in a periodic box,
// with finer levels in a ball that runs through it; the vortices stay, or run with the ball. And a flock of vortices
// that levels follow by themselves.

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

constexpr double viscosity = 1e-4, ball_speed = 0.3;    // along each axis
constexpr int checks = 8;                               // of levels
int const stride = AdaptiveOptions<2>{}.regrid_stride;  // steps between checks
// Steps before time and memory are taken: the first has no pressure to begin with.
int const first_steps = 1 + 2 * stride;

/// What flows, and where it is refined.
template <int Dim>
struct Case {
  VectorFunction<Dim> velocity;
  Criterion<Dim> criterion;
  Coord spare_cells = 0;
};

/// Totals of a run; the shortest of several.
struct Run {
  int changes = 0;
  double seconds = 1e300, of_changes = 0, of_longer_steps = 0, iterations = 0, bytes = 0;
  Index cells = 0, updates = 0;

  void add(Run const& other) {
    if (other.seconds < seconds) *this = other;
  }
  double per_update() const { return seconds / static_cast<double>(updates); }
};

/// Finer levels in a ball that runs: the share of level l in the width is 0.6 of that of the level before.
/// @param speed  of the vortices along each axis
template <int Dim>
Case<Dim> vortices_in_ball(double speed) {
  auto const velocity = [speed](Vec<double, Dim> const& x) {
    double const k = 8 * std::numbers::pi;
    auto result = Vec<double, Dim>::filled(speed);
    result[0] += std::sin(k * x[0]) * std::cos(k * x[1]);
    result[1] -= std::cos(k * x[0]) * std::sin(k * x[1]);
    return result;
  };
  return {velocity, RegionCriterion<Dim>{[](RegionPlace<Dim> const& place) {
            double const cells = std::round(1 / place.grid.spacing[0]);
            return ball<Dim>(Vec<double, Dim>::filled((0.4 + ball_speed * place.time) * cells),
                             0.3 * std::pow(0.6, place.level) * cells);
          }}};
}

/// Vortices of both signs at places of a golden sequence, each with a ring of the other sign. Neighbours deform each
/// other, and all drift.
template <int Dim>
Case<Dim> flock(double radius, double threshold) {
  auto const velocity = [radius](Vec<double, Dim> const& x) {
    auto result = Vec<double, Dim>::filled(ball_speed);
    for (int i = 0; i < 12; ++i) {
      Vec<double, Dim> off{};
      double square = 0;
      for (int axis = 0; axis < Dim; ++axis) {
        double const golden = Dim == 2 ? 1.3247179572447460 : 1.2207440846057596;
        double const place = i * std::pow(golden, -(axis + 1));
        off[axis] = std::remainder(x[axis] - place, 1.0);
        square += off[axis] * off[axis];
      }
      double const rate = (i % 2 == 0 ? 1 : -1) * std::exp(0.5 * (1 - square / (radius * radius))) / radius;
      result[0] -= rate * off[1];
      result[1] += rate * off[0];
    }
    return result;
  };
  return {velocity, vorticity(threshold), 1};
}

template <int Dim>
AdaptiveFlow<double, Dim> flow_on_levels(Coord width, int level_count, Case<Dim> const& what) {
  amr::DomainOptions<Dim> box;
  box.cells = Vec<Coord, Dim>::filled(width);
  box.level_count = level_count;
  box.grid.spacing = Vec<double, Dim>::filled(1.0 / width);
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
  AdaptiveOptions<Dim> options;
  options.viscosity = viscosity;
  options.criteria = {what.criterion};
  options.spare_cells = what.spare_cells;
  AdaptiveFlow<double, Dim> flow(amr::Domain<Dim>(box), options);
  flow.start(what.velocity);
  return flow;
}

template <int Dim>
Run on_levels(Coord width, int level_count, Case<Dim> const& what) {
  std::optional<AdaptiveFlow<double, Dim>> flow;
  double const bytes = bytes_of([&] {
    flow.emplace(flow_on_levels<Dim>(width, level_count, what));
    // Two changes, too, unless levels stay for long: memory is new to the levels that first take the place of others.
    int const most_steps = first_steps + checks * stride;
    for (int step = 0, changes = 0; step < first_steps || (changes < 2 && step < most_steps); ++step) {
      changes += flow->step_count() % stride == 0 && flow->adapt() ? 1 : 0;
      flow->advance();
    }
    return 0;
  });
  Run run{.seconds = 0, .bytes = bytes};
  run.updates = -flow->update_count();
  // The first step on new levels takes longer, too: its pressure has a worse guess, and memory is new to the cache.
  double after_change = 0, others = 0;
  for (int step = 0; step < checks * stride; ++step) {
    double const start = now();
    double last_look = start;
    int changes = 0;
    bool const is_due = flow->step_count() % stride == 0;
    while (is_due && flow->adapt()) {
      ++changes;
      last_look = now();
    }
    double const changed = now();
    run.of_changes += changed - start;
    run.changes += changes;
    run.iterations += flow->advance().iterations;
    // The step looks once more whether levels should change.
    double const of_step = now() - changed - (is_due ? changed - last_look : 0);
    (changes > 0 ? after_change : others) += of_step;
  }
  run.seconds = run.of_changes + after_change + others;
  run.of_longer_steps = after_change - others * run.changes / (checks * stride - run.changes);
  run.updates += flow->update_count();
  run.cells = flow->leaf_count();
  return run;
}

template <int Dim>
Run uniform(Coord width, Case<Dim> const& what) {
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
    set_velocity(grid, *state, what.velocity);
    smac->project(*state);
    for (int step = 0; step < first_steps; ++step) smac->advance(*state, smac->longest_step(*state, 0.5));
    return 0;
  });
  double const start = now();
  for (int step = 0; step < checks * stride; ++step)
    run.iterations += smac->advance(*state, smac->longest_step(*state, 0.5)).iterations;
  run.seconds = now() - start;
  run.cells = domain.fluid.cell_count();
  run.updates = run.cells * checks * stride;
  return run;
}

void print(char const* name, int dim, int level_count, Run const& run, Run const& of_uniform) {
  auto const per_cell = [](Run const& r) { return r.bytes / static_cast<double>(r.cells); };
  std::printf("| %d | %s | %lld | %d | %d | %.1f | %.2f | %.2f | %.1f %% | %.1f %% | %.0f | %.2f |\n", dim, name,
              static_cast<long long>(run.cells), level_count, run.changes, run.iterations / (checks * stride),
              1e-6 / run.per_update(), of_uniform.per_update() / run.per_update(), 100 * run.of_changes / run.seconds,
              100 * run.of_longer_steps / run.seconds, per_cell(run), per_cell(run) / per_cell(of_uniform));
  std::fflush(stdout);
}

template <int Dim>
void compare(Coord width, int level_count, int rounds, Case<Dim> const& what) {
  Run levels, alone;
  for (int round = 0; round < rounds; ++round) {
    levels.add(on_levels<Dim>(width, level_count, what));
    auto const across = std::lround(std::pow(static_cast<double>(levels.cells), 1.0 / Dim));
    alone.add(uniform<Dim>(static_cast<Coord>(across), what));
  }
  print("levels", Dim, level_count, levels, alone);
  print("uniform", Dim, 1, alone, alone);
}

void print_head(char const* name) {
  std::printf(
      "\nVortices that %s:\n\n| dim | method | leaves | levels | changes | iterations per step | M leaf steps/s | "
      "ratio | checks and changes | longer steps after them | memory [bytes per leaf] | ratio |\n"
      "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      name);
}

}  // namespace

int main(int argc, char** argv) {
  TableOptions const options(argc, argv, 2);
  Runtime const runtime(options.threads);
  std::printf("Backend: %s; %d steps, levels are looked at every %d; the shortest of %d rounds, in turns\n",
              backend_name().c_str(), checks * stride, stride, options.rounds);
  for (double const speed : {0.0, ball_speed}) {
    print_head(speed == 0 ? "stay" : "run with the levels");
    for (Coord const width : {56, 180, 570}) compare<2>(width, 3, options.rounds, vortices_in_ball<2>(speed));
    for (Coord const width : {32, 68}) compare<3>(width, 3, options.rounds, vortices_in_ball<3>(speed));
  }
  print_head("levels follow");
  for (double const threshold : {0.06, 0.01}) compare<2>(64, 6, options.rounds, flock<2>(0.02, threshold));
  compare<3>(16, 4, options.rounds, flock<3>(0.05, 0.15));
}
