#pragma once
/// A conservation law on levels of resolution that follow the solution.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <sparse/amr/hierarchy/hierarchy.hpp>
#include <sparse/amr/steps/coarse_step.hpp>

namespace sparse::amr {

/// Thrown when a step gives an impossible state. The simulation keeps the state before that step.
class NonFiniteState : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A conservation law on a hierarchy of levels that follows the solution.
///
/// Levels step one after the other, coarsest first. A finer level takes its ghosts from the next coarser one,
/// interpolated in time. Where levels meet, coarse cells get the fluxes of the finer level, and covered cells hold the
/// mean of their children. So totals change by rounding only, if nothing crosses the boundary and all walls are faces
/// of cells.
/// Source: Berger and Colella (1989), J. Comput. Phys. 82, 64.
///
/// With a `team` in its options, several ranks share the levels. Each steps the cells that it owns, and states, times
/// and errors are those of one process, bit by bit. All members are then collective, except for those that only look.
/// Criteria see the cells of their rank with their neighbours. `sets` and `state` are those of the rank;
/// `leaf_count`, `update_count` and `totals` are of all ranks, and the order of sums in `totals` is another one.
///
/// @tparam TheFlux  with a conservation law `law`; see `law.hpp` and `solvers/`
template <NumericalFlux TheFlux>
class Simulation {
public:
  /// The flux, its law, the law's numbers and states, and the options.
  using Flux = TheFlux;
  using Law = typename Flux::Law;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;
  using Options = SimulationOptions<Law>;
  /// Axes, and components of a state.
  static constexpr int Dim = Law::dimension;
  static constexpr int component_count = Law::component_count;

  /// Starts at time 0 from primitive variables on levels refined for them.
  /// @param initial  a device functor `State operator()(Vec<double, Dim> x)`, or a function that fills fields; see
  ///                 `InitialState`
  /// @throws std::invalid_argument  for options out of range or an inflow without wave speeds; NonFiniteState for such
  ///                                an initial state
  Simulation(Domain<Dim> domain, Flux const& flux, InitialState<Law> const& initial, Outside<Law> outside = {},
             Options options = {});
  /// Continues from a saved state. With equal options, the results are the same bits as without the break.
  /// @throws std::invalid_argument  if its levels do not fit the domain
  Simulation(Domain<Dim> domain, Flux const& flux, SavedState<Scalar, Dim> const& saved, Outside<Law> outside = {},
             Options options = {});
  ~Simulation();
  Simulation(Simulation&&);
  Simulation& operator=(Simulation&&);

  /// One step of the coarsest level of at most `max_dt` > 0. Every `regrid_stride` steps, the levels first follow the
  /// solution; finer levels also do so in between (`longest_stride`). A step that gives an impossible state is repeated
  /// in first order and, if that does not help, with a shorter time step. It is also shortened if waves become so fast
  /// within it that they would cross more than a cell in one of the steps of a finer level.
  /// Cost: `stage_count` sweeps (see `sweep`) for each step of each level, each of which waits for its wave rate.
  /// @return dt [s]
  /// @throws NonFiniteState         names the cell; the state stays as before the step
  /// @throws std::invalid_argument  if max_dt is not positive
  double advance(double max_dt = std::numeric_limits<double>::infinity());

  /// Of the state [s].
  double time() const { return time_; }
  /// What `advance` takes for its next step [s], unless the levels change before or the step must be repeated.
  double next_step() const { return options().cfl / static_cast<double>(rate_); }
  /// Steps of level 0 since time 0.
  Index step_count() const { return step_count_; }
  /// Number of steps that were repeated.
  Index repeated_step_count() const { return repeated_step_count_; }
  /// Cells computed so far: each level counts as often as it stepped.
  Index update_count() const { return update_count_; }
  /// What was given, how many levels there are now, and the sets of one.
  Domain<Dim> const& domain() const { return hierarchy_.problem().domain; }
  Flux const& flux() const { return flux_; }
  Options const& options() const { return hierarchy_.problem().options; }
  int level_count() const { return hierarchy_.level_count(); }
  LevelSets<Dim> const& sets(int level) const { return hierarchy_.levels()[level].sets; }
  /// The cells of a level on all ranks. Collective if there are several. Cost: then a message to each.
  IntervalSet<Dim> cells_of_all(int level) const { return hierarchy_.cells_of_all(level); }
  /// Conserved variables of a level, [component_count][cells] on `sets(level).storage`. Ghosts, and covered cells that
  /// no leaf reads, are out of date until `synchronise`. Levels are not checked, here and in `sets`.
  Field<Scalar, Dim> const& state(int level) const { return hierarchy_.levels()[level].states.current(); }
  /// The same, writable. Call it anew before each change: steps and changes of levels replace the field.
  /// Cost: the next change of levels first checks all levels for impossible states.
  Field<Scalar, Dim>& edit_state(int level) {
    may_be_impossible_ = true;
    return hierarchy_.levels()[level].states.current();
  }
  /// Number of cells that make up the solution: in all, and of one level.
  Index leaf_count() const { return hierarchy_.leaf_count(); }
  Index leaf_count(int level) const { return hierarchy_.leaf_count(level); }

  /// Sets all covered cells to the means of their children, and fills all ghosts. Cost: a pass over these cells.
  void synchronise() { hierarchy_.synchronise(0, 1, time_); }
  /// Adapts the levels to the solution. Cost: `synchronise`, a pass over each level for each criterion, and set
  /// algebra; levels that change get new plans and a copy of their states.
  /// @return whether they changed
  /// @throws NonFiniteState  names the cell; the levels stay as they were
  bool regrid();
  /// A copy of all data that a continuation needs, in device memory. With several ranks it is
  /// collective, and each has the states of its cells; see `write_checkpoint`.
  SavedState<Scalar, Dim> save() const;
  /// The values of all cells of a level on the host, [component][cell]; with several ranks on rank 0, and none on the
  /// others. Collective.
  /// @param of_cells  on `sets(level).cells`
  template <class T>
  std::vector<std::vector<T>> gathered(int level, Field<T, Dim> const& of_cells) const {
    return hierarchy_.gathered(level, of_cells);
  }

  /// Integral over the domain of each conserved variable [its unit times length^Dim], in double precision; over all
  /// ranks if there are several, and then collective. Its bits depend on neither ranks nor threads. Cost:
  /// `order_free_sums` of the leaves of each level.
  Vec<double, component_count> totals() const { return hierarchy_.totals(); }

private:
  static Problem<Law> valid(Problem<Law> problem);
  double repeat_until_possible(double dt);
  StepOutcome<Dim> attempt(CoarseStep<Flux>& step, double dt);
  void expect_possible() const;

  Flux flux_;
  Hierarchy<Law> hierarchy_;
  double time_ = 0;
  Index step_count_ = 0, repeated_step_count_ = 0, update_count_ = 0;
  bool may_be_impossible_ = true;  // the state may have been changed since the last step
  Scalar rate_ = 0;                // see `greatest_rate`
};

// ---- implementation

/// Checks the problem and adds the default criterion.
template <NumericalFlux Flux>
auto Simulation<Flux>::valid(Problem<Law> problem) -> Problem<Law> {
  expect_valid(problem);
  if (problem.options.criteria.empty()) problem.options.criteria.push_back(relative_gradient<Law>(0, 0.05));
  return problem;
}

template <NumericalFlux Flux>
Simulation<Flux>::Simulation(Domain<Dim> domain, Flux const& flux, InitialState<Law> const& initial,
                             Outside<Law> outside, Options options)
    : flux_(flux), hierarchy_(valid({std::move(domain), flux.law, std::move(outside), std::move(options)}), initial),
      rate_(greatest_rate(hierarchy_.problem(), hierarchy_.levels())) {
  if (!std::isfinite(rate_)) expect_possible();
}

template <NumericalFlux Flux>
Simulation<Flux>::Simulation(Domain<Dim> domain, Flux const& flux, SavedState<Scalar, Dim> const& saved,
                             Outside<Law> outside, Options options)
    : flux_(flux), hierarchy_(valid({std::move(domain), flux.law, std::move(outside), std::move(options)}), saved),
      time_(saved.time), step_count_(saved.step_count), repeated_step_count_(saved.repeated_step_count),
      update_count_(saved.update_count), rate_(saved.rate) {
  if (rate_ > 0) return;
  for (int l = 0; l < level_count(); ++l)
    hierarchy_.levels()[l].rate = rate_of(hierarchy_.problem(), hierarchy_.levels()[l], l);
  rate_ = greatest_rate(hierarchy_.problem(), hierarchy_.levels());
}

// Outside of the class, so that users of a simulation do not compile them again.
template <NumericalFlux Flux>
Simulation<Flux>::~Simulation() = default;
template <NumericalFlux Flux>
Simulation<Flux>::Simulation(Simulation&&) = default;
template <NumericalFlux Flux>
Simulation<Flux>& Simulation<Flux>::operator=(Simulation&&) = default;

template <NumericalFlux Flux>
double Simulation<Flux>::advance(double max_dt) {
  expects(max_dt > 0, "advance: max_dt must be positive");
  if (step_count_ > 0 && options().is_regrid_due(0, step_count_)) regrid();
  ProfilingRegion const region("sparse::amr::advance");
  double const dt = repeat_until_possible(std::min(max_dt, options().cfl / static_cast<double>(rate_)));
  may_be_impossible_ = false;
  time_ += dt;
  ++step_count_;
  return dt;
}

/// Steps by dt. If that fails, repeats the step in first order or with a shorter dt.
/// @return  the length of the step
template <NumericalFlux Flux>
double Simulation<Flux>::repeat_until_possible(double dt) {
  int const most_halvings = 4, most_shortenings = 20;
  Scheme scheme = options().scheme;
  hierarchy_.keep_start();
  for (int halvings = 0, shortenings = 0, attempts = 0;; ++attempts) {
    CoarseStep<Flux> step(flux_, hierarchy_, scheme);
    auto const outcome = attempt(step, dt);
    if (outcome.is_ok()) {
      hierarchy_.forget_start();
      repeated_step_count_ += attempts > 0 ? 1 : 0;
      update_count_ += step.update_count();
      return dt;
    }
    hierarchy_.return_to_start();
    if (auto const* const too_long = outcome.too_long()) {
      if (++shortenings == most_shortenings)
        throw NonFiniteState("waves become ever faster within a step at time " + std::to_string(time_));
      if (too_long->excess > 2) scheme = Scheme::godunov;  // an overshoot is more likely than real flow this fast
      dt *= std::clamp(1 / too_long->excess, 0.5, 0.95);
      continue;
    }
    expect_possible();  // throws if a cell was impossible before the step; its neighbours would mislead
    // Repeats in first order, then with a shorter step.
    if (scheme == Scheme::godunov && halvings++ == most_halvings) throw NonFiniteState(outcome.impossible()->text());
    if (scheme == Scheme::godunov) dt *= 0.5;
    scheme = Scheme::godunov;
  }
}

/// Tries a step, and finds the rate of the next one. After an exception, by a criterion or for lack of memory, the
/// state before the step is restored, unless it is lost.
template <NumericalFlux Flux>
auto Simulation<Flux>::attempt(CoarseStep<Flux>& step, double dt) -> StepOutcome<Dim> {
  try {
    if (options().team != nullptr) {
      auto const rates = hierarchy_.rates();
      Scalar const rate = step.advance_together(step_count_, time_, dt);
      if (std::isfinite(rate)) {
        rate_ = rate;
        return StepOutcome<Dim>::ok();
      }
      hierarchy_.return_to_start();  // then once more, to find what has failed
      hierarchy_.set_rates(rates);
    }
    auto const outcome = step.advance(step_count_, time_, dt);
    if (outcome.is_ok()) rate_ = greatest_rate(hierarchy_.problem(), hierarchy_.levels());
    return outcome;
  } catch (...) {
    if (hierarchy_.can_return_to_start()) hierarchy_.return_to_start();
    throw;
  }
}

template <NumericalFlux Flux>
bool Simulation<Flux>::regrid() {
  if (domain().level_count() == 1) return false;
  ProfilingRegion const region("sparse::amr::regrid");
  bool is_finite = true;  // a maximum is found faster than the first cell
  for (int l = 0; may_be_impossible_ && l < level_count(); ++l)
    is_finite = is_finite && std::isfinite(rate_of(hierarchy_.problem(), hierarchy_.levels()[l], l));
  if (!agreed(options().team, is_finite)) expect_possible();
  auto const outcome = hierarchy_.regrid(0, 1, time_);
  if (outcome.impossible) throw NonFiniteState(outcome.impossible->text());
  if (outcome.has_changed) rate_ = greatest_rate(hierarchy_.problem(), hierarchy_.levels());
  return outcome.has_changed;
}

template <NumericalFlux Flux>
auto Simulation<Flux>::save() const -> SavedState<Scalar, Dim> {
  auto saved = hierarchy_.save();
  saved.time = time_;
  saved.step_count = step_count_;
  saved.repeated_step_count = repeated_step_count_;
  saved.update_count = update_count_;
  saved.rate = rate_;
  return saved;
}

template <NumericalFlux Flux>
void Simulation<Flux>::expect_possible() const {
  if (auto const where = find_impossible(hierarchy_.problem(), hierarchy_.levels(), time_))
    throw NonFiniteState(where->text());
}

}  // namespace sparse::amr
