#pragma once
/// Explicit finite volumes on several levels of resolution.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <sparse/amr/godunov.hpp>
#include <sparse/amr/level.hpp>
#include <sparse/amr/reductions.hpp>
#include <sparse/amr/tagging.hpp>
#include <sparse/error.hpp>
#include <sparse/field_algebra.hpp>
#include <sparse/scaling.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse::amr {

/// How a simulation steps and refines.
struct SimulationOptions {
  double cfl = 0.8;                ///< time step over the greatest stable one, in (0, 1]
  int regrid_stride = 8;           ///< steps between changes of the levels, >= 1
  double refine_threshold = 0.05;  ///< relative change of the first component from cell to cell that is refined, > 0
  Coord buffer = 4;                ///< cells by which tags grow, >= 0; waves cross less than one cell a step
};

/// Thrown when a step gives a value that is not a finite number. The simulation keeps the state before that step.
class NonFiniteState : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A conservation law on a hierarchy of levels that follows the solution.
///
/// All levels take the same time step, that of the finest. A coarse cell beside a finer level uses the sum of the fine
/// fluxes, and covered cells hold the mean of their children, so totals change by rounding only where nothing crosses
/// the boundary. Solid cells are not in any set; faces towards them are walls.
///
/// @tparam Flux  numerical flux with a conservation law `law` (see `solvers/`): `flux(left, right, axis)`
template <class Flux>
class Simulation {
public:
  using Law = typename Flux::Law;
  using Scalar = typename Flux::Scalar;
  using State = typename Flux::State;
  static constexpr int Dim = Law::dimension;
  static constexpr int component_count = Law::component_count;

  /// Starts at time 0 from `initial(Vec<double, Dim> x) -> State`, a device function of the position of cell centres,
  /// on levels refined for it.
  /// @param inflow  state beyond the sides that are `Side::inflow`
  /// @throws std::invalid_argument  for options out of range or an inflow without wave speeds; NonFiniteState for such
  ///                                an initial state
  template <class Initial>
  Simulation(Domain<Dim> domain, Flux const& flux, Initial const& initial, State const& inflow = {},
             SimulationOptions const& options = {});

  /// One step of at most `max_dt` > 0; every `regrid_stride` steps the levels follow the solution first.
  /// @return dt
  /// @throws NonFiniteState  names the cell; the state stays that of before the step
  double advance(double max_dt = std::numeric_limits<double>::infinity());

  double time() const { return time_; }
  Index step_count() const { return step_count_; }
  Domain<Dim> const& domain() const { return domain_; }
  Flux const& flux() const { return flux_; }
  int level_count() const { return static_cast<int>(levels_.size()); }
  LevelSets<Dim> const& sets(int level) const { return levels_[level].sets; }
  /// Conserved variables of a level, on `sets(level).storage`. Covered cells that no leaf looks at are out of date
  /// until `synchronise`.
  Field<Scalar, Dim> const& state(int level) const { return levels_[level].state; }
  Field<Scalar, Dim>& state(int level) { return levels_[level].state; }
  /// Number of cells that a step updates.
  Index leaf_count() const;

  /// Gives all covered cells the means of their children, and fills all ghosts.
  void synchronise();
  /// Adapts the levels to the solution. @return whether they changed
  /// @throws NonFiniteState  names the cell; the levels stay as they were
  bool regrid();

  /// Integral over the domain of each conserved variable.
  Vec<double, component_count> totals() const;
  /// Integral of the flux into the bodies; its momentum is the force on them. [flux times area]
  Vec<double, component_count> flux_into_bodies() const;

private:
  using Levels = std::vector<Level<Scalar, Dim>>;

  std::vector<IntervalSet<Dim>> wanted_cells();
  bool are_current(std::vector<IntervalSet<Dim>> const& cells) const;
  Levels make_levels(std::vector<IntervalSet<Dim>> const& cells) const;
  template <class Initial>
  void initialise(Initial const& initial);
  void inherit(Levels& fresh, Prolongation kind) const;
  void fill(Levels& levels, int l) const;
  Scalar wave_rate_of(Levels const& levels, Field<Scalar, Dim> Level<Scalar, Dim>::*values) const;
  Scalar inflow_rate(int level) const;
  void expect_finite(Scalar rate, Field<Scalar, Dim> Level<Scalar, Dim>::*values, double time) const;
  Vec<Scalar, Dim> inverse_spacing(int level) const;

  Domain<Dim> domain_;
  Flux flux_;
  State inflow_;
  SimulationOptions options_;
  Levels levels_;
  double time_ = 0;
  Index step_count_ = 0;
  Scalar rate_ = 0;
};

namespace detail {

/// Evaluates a function of position at the centres of cells.
template <class Function, class T, int Dim, int N>
struct Evaluate {
  Function function;
  FieldView<T> state;
  Vec<double, Dim> origin, spacing;
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    Vec<Coord, Dim> const cell = p.coordinates();
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + (cell[axis] + 0.5) * spacing[axis];
    Vec<T, N> const value = function(x);
    state.store(p.cell, value);
  }
};

}  // namespace detail

template <class Flux>
template <class Initial>
Simulation<Flux>::Simulation(Domain<Dim> domain, Flux const& flux, Initial const& initial, State const& inflow,
                             SimulationOptions const& options)
    : domain_(std::move(domain)), flux_(flux), inflow_(inflow), options_(options) {
  expects(options.cfl > 0 && options.cfl <= 1, "simulation: cfl must be in (0, 1]");
  expects(options.regrid_stride >= 1, "simulation: regrid_stride must be at least 1");
  expects(options.refine_threshold > 0, "simulation: refine_threshold must be positive");
  expects(options.buffer >= 0, "simulation: buffer must not be negative");
  bool has_inflow = false;
  for (auto const& sides : domain_.options().sides.data)
    for (Side const side : sides.data) has_inflow = has_inflow || side == Side::inflow;
  expects(!has_inflow || std::isfinite(inflow_rate(0)), "simulation: the inflow has no finite wave speed");
  levels_ = make_levels({domain_.fluid(0)});
  initialise(initial);
  // Each round can add one level, and what a finer level shows can widen the coarser ones once more.
  for (int round = 0; round < 2 * domain_.level_count(); ++round) {
    auto const cells = wanted_cells();
    if (are_current(cells)) break;
    levels_ = make_levels(cells);
    initialise(initial);
  }
  rate_ = wave_rate_of(levels_, &Level<Scalar, Dim>::state);
  expect_finite(rate_, &Level<Scalar, Dim>::state, 0);
}

template <class Flux>
template <class Initial>
void Simulation<Flux>::initialise(Initial const& initial) {
  for (int l = 0; l < level_count(); ++l)
    for_each("sparse::amr::initialise", Subset<Dim>(sets(l).cells, sets(l).storage),
             detail::Evaluate<Initial, Scalar, Dim, component_count>{initial, state(l).view(), domain_.options().origin,
                                                                     domain_.spacing(l)});
  synchronise();
}

template <class Flux>
typename Simulation<Flux>::Levels Simulation<Flux>::make_levels(std::vector<IntervalSet<Dim>> const& cells) const {
  auto const sets = level_sets(domain_, cells);
  Levels levels(sets.size());
  for (int l = 0; l < static_cast<int>(sets.size()); ++l) {
    levels[l].sets = sets[l];
    levels[l].plans = level_plans(domain_, sets, l);
    levels[l].state = Field<Scalar, Dim>("state", sets[l].storage, component_count);
    levels[l].next = Field<Scalar, Dim>("state", sets[l].storage, component_count);
  }
  return levels;
}

template <class Flux>
void Simulation<Flux>::fill(Levels& levels, int l) const {
  FieldView<Scalar const> const coarser = l > 0 ? levels[l - 1].state.view() : FieldView<Scalar>{};
  fill_ghosts<Scalar, Dim>(levels[l].plans.ghosts, coarser, levels[l].state.view(), inflow_);
}

template <class Flux>
void Simulation<Flux>::synchronise() {
  for (int l = level_count() - 2; l >= 0; --l)
    restrict_to<Scalar, Dim>(levels_[l].plans.restrict_all, levels_[l + 1].state.view(), levels_[l].state.view(),
                             component_count);
  for (int l = 0; l < level_count(); ++l) fill(levels_, l);
}

template <class Flux>
std::vector<IntervalSet<Simulation<Flux>::Dim>> Simulation<Flux>::wanted_cells() {
  std::vector<IntervalSet<Dim>> tagged;
  for (int l = 0; l < level_count() && l + 1 < domain_.level_count(); ++l)
    tagged.push_back(relative_gradient_above<Scalar, Dim>(sets(l).cells, sets(l).storage, state(l).view(), 0,
                                                          static_cast<Scalar>(options_.refine_threshold)));
  return nested_cells(domain_, std::move(tagged), options_.buffer);
}

template <class Flux>
bool Simulation<Flux>::are_current(std::vector<IntervalSet<Dim>> const& cells) const {
  return std::equal(cells.begin(), cells.end(), levels_.begin(), levels_.end(),
                    [](auto const& wanted, auto const& level) { return wanted == level.sets.cells; });
}

template <class Flux>
void Simulation<Flux>::inherit(Levels& fresh, Prolongation kind) const {
  for (int l = 0; l < static_cast<int>(fresh.size()); ++l) {
    auto& level = fresh[l];
    IntervalSet<Dim> const known = l < level_count() ? level.sets.cells & sets(l).cells : IntervalSet<Dim>();
    if (l < level_count())
      copy<Scalar, Dim>(CopyPlan<Dim>(known, level.sets.storage, sets(l).storage), state(l).view(), level.state.view(),
                        component_count);
    if (l > 0) {
      IntervalSet<Dim> const born = level.sets.cells - known;
      LevelSets<Dim> const& coarser = fresh[l - 1].sets;
      prolong<Scalar, Dim>(Transfer<Dim>(coarsen(born), coarser.storage, born, level.sets.storage),
                           fresh[l - 1].state.view(), level.state.view(), kind, component_count);
    }
    fill(fresh, l);
  }
}

template <class Flux>
bool Simulation<Flux>::regrid() {
  if (domain_.level_count() == 1) return false;
  ProfilingRegion const region("sparse::amr::regrid");
  expect_finite(wave_rate_of(levels_, &Level<Scalar, Dim>::state), &Level<Scalar, Dim>::state, time_);
  synchronise();
  auto const cells = wanted_cells();
  if (are_current(cells)) return false;
  Levels fresh = make_levels(cells);
  inherit(fresh, Prolongation::limited_linear);
  rate_ = wave_rate_of(fresh, &Level<Scalar, Dim>::state);
  if (!std::isfinite(rate_)) {  // slopes of momentum can leave a child less energy than its motion has
    inherit(fresh, Prolongation::injection);
    rate_ = wave_rate_of(fresh, &Level<Scalar, Dim>::state);
  }
  levels_ = std::move(fresh);
  return true;
}

template <class Flux>
double Simulation<Flux>::advance(double max_dt) {
  expects(max_dt > 0, "advance: max_dt must be positive");
  if (step_count_ > 0 && step_count_ % options_.regrid_stride == 0) regrid();
  ProfilingRegion const region("sparse::amr::advance");
  double const dt = std::min(max_dt, options_.cfl / static_cast<double>(rate_));
  auto const scaled = [&](int l) { return static_cast<Scalar>(dt) * inverse_spacing(l); };

  for (int l = 0; l < level_count(); ++l) fill(levels_, l);
  for (int l = 0; l < level_count(); ++l)
    godunov_update<Flux, Dim>(flux_, levels_[l].plans.leaves, state(l).view(), levels_[l].next.view(), scaled(l));
  for (int l = 0; l + 1 < level_count(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      for (int side = 0; side < 2; ++side)
        correct_interface<Flux, Dim>(flux_, levels_[l].plans.interfaces[axis][side], axis, side, state(l).view(),
                                     state(l + 1).view(), levels_[l].next.view(), scaled(l)[axis]);
  Scalar const rate = wave_rate_of(levels_, &Level<Scalar, Dim>::next);
  if (!std::isfinite(rate))  // then rather name a cell that was broken before than those that see it
    expect_finite(wave_rate_of(levels_, &Level<Scalar, Dim>::state), &Level<Scalar, Dim>::state, time_);
  expect_finite(rate, &Level<Scalar, Dim>::next, time_ + dt);
  for (int l = level_count() - 2; l >= 0; --l)
    restrict_to<Scalar, Dim>(levels_[l].plans.restrict_needed, levels_[l + 1].next.view(), levels_[l].next.view(),
                             component_count);
  for (auto& level : levels_) std::swap(level.state, level.next);
  rate_ = rate;
  time_ += dt;
  ++step_count_;
  return dt;
}

template <class Flux>
typename Flux::Scalar Simulation<Flux>::wave_rate_of(Levels const& levels,
                                                     Field<Scalar, Dim> Level<Scalar, Dim>::*values) const {
  Scalar rate = 0;
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    Scalar const of_level = wave_rate<Flux>(flux_, levels[l].plans.leaves,
                                            FieldView<Scalar const>((levels[l].*values).view()), inverse_spacing(l));
    if (!(of_level <= rate)) rate = of_level;
    if (!std::isfinite(rate)) break;
    // What flows in can be faster than everything inside.
    if (!levels[l].plans.ghosts.inflow().empty()) rate = std::max(rate, inflow_rate(l));
  }
  return rate;
}

template <class Flux>
typename Flux::Scalar Simulation<Flux>::inflow_rate(int level) const {
  Scalar rate = 0;
  for (int axis = 0; axis < Dim; ++axis) rate += flux_.law.max_speed(inflow_, axis) * inverse_spacing(level)[axis];
  return rate;
}

template <class Flux>
void Simulation<Flux>::expect_finite(Scalar rate, Field<Scalar, Dim> Level<Scalar, Dim>::*values, double time) const {
  if (std::isfinite(rate)) return;
  for (int l = 0; l < level_count(); ++l) {
    auto const& leaves = levels_[l].plans.leaves;
    FirstNonFinite<Flux, Dim> const search{{flux_, (levels_[l].*values).view(), inverse_spacing(l)}};
    Index const first = reduce<Kokkos::Min, Index>("sparse::amr::find_non_finite", leaves, search);
    if (first >= sets(l).storage.cell_count()) continue;
    std::string where = "level " + std::to_string(l) + ", cell (";
    sets(l).storage.to_host().for_each_interval([&](RowKey key, Interval interval, Index offset) {
      if (first < offset || first >= offset + (Index{interval.end} - interval.begin)) return;
      auto const cell = cell_at<Dim>(key, interval.begin + static_cast<Coord>(first - offset));
      for (int axis = 0; axis < Dim; ++axis) where += (axis > 0 ? ", " : "") + std::to_string(cell[axis]);
    });
    throw NonFiniteState("no finite wave speed (negative density or pressure, or NaN) at time " + std::to_string(time) +
                         ", " + where + ")");
  }
}

template <class Flux>
Vec<typename Flux::Scalar, Simulation<Flux>::Dim> Simulation<Flux>::inverse_spacing(int level) const {
  Vec<Scalar, Dim> inverse;
  for (int axis = 0; axis < Dim; ++axis) inverse[axis] = static_cast<Scalar>(1 / domain_.spacing(level)[axis]);
  return inverse;
}

template <class Flux>
Index Simulation<Flux>::leaf_count() const {
  Index count = 0;
  for (auto const& level : levels_) count += level.sets.leaves.cell_count();
  return count;
}

template <class Flux>
Vec<double, Simulation<Flux>::component_count> Simulation<Flux>::totals() const {
  Vec<double, component_count> total{};
  for (int l = 0; l < level_count(); ++l)
    for (int c = 0; c < component_count; ++c)
      total[c] += domain_.cell_volume(l) * sum_over<Scalar>(levels_[l].plans.leaves, state(l).view(), c);
  return total;
}

template <class Flux>
Vec<double, Simulation<Flux>::component_count> Simulation<Flux>::flux_into_bodies() const {
  Vec<double, component_count> total{};
  for (int l = 0; l < level_count(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      for (int side = 0; side < 2; ++side) {
        IntervalSet<Dim> const solid = domain_.with_images(domain_.solid(l), l);
        Subset<Dim> const beside(sets(l).leaves & shift(solid, axis, side == 0 ? 1 : -1), sets(l).storage);
        double const area = domain_.cell_volume(l) / domain_.spacing(l)[axis];
        for (int c = 0; c < component_count; ++c)
          total[c] += area * reduce<Kokkos::Sum, double>("sparse::amr::flux_into_bodies", beside,
                                                         WallFlux<Flux>{flux_, state(l).view(), axis, side, c});
      }
  return total;
}

}  // namespace sparse::amr
