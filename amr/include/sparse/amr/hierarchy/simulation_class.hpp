#pragma once
/// The declaration of simulations; include simulation.hpp.

#include <cmath>
#include <stdexcept>
#include <string>

#include <sparse/amr/hierarchy/flux_register.hpp>
#include <sparse/amr/hierarchy/level.hpp>
#include <sparse/amr/hierarchy/level_states.hpp>
#include <sparse/amr/hierarchy/reductions.hpp>
#include <sparse/amr/hierarchy/saved_state.hpp>
#include <sparse/amr/options.hpp>
#include <sparse/base/error.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {

/// Thrown when a step gives a state that cannot be. The simulation keeps the state before that step.
class NonFiniteState : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// What lies outside the box.
template <class Law>
struct Outside {
  typename Law::State inflow = {};  ///< primitive state beyond `BoundaryKind::inflow`
  Boundary<Law> given = {};         ///< states beyond `BoundaryKind::given`
};

/// A conservation law on a hierarchy of levels that follows the solution.
///
/// Levels step one after the other, coarsest first; finer ones take their ghosts from the coarser one, interpolated in
/// time. Where levels meet, coarse cells get the fluxes that the finer level saw, and covered cells hold the mean of
/// their children, so totals change by rounding only where nothing crosses the boundary and walls are faces of cells.
/// Source: Berger and Colella (1989), J. Comput. Phys. 82, 64.
///
/// @tparam NumericalFlux  with a conservation law `law`; see `law.hpp` and `solvers/`
template <class NumericalFlux>
class Simulation {
public:
  using Flux = NumericalFlux;
  using Law = typename Flux::Law;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;
  using Options = SimulationOptions<Law>;
  static constexpr int Dim = Law::dimension;
  static constexpr int component_count = Law::component_count;

  /// Starts at time 0 from `initial(Vec<double, Dim> x) -> State`, a device function of the position of cell centres
  /// that gives primitive variables, on levels refined for it.
  /// @throws std::invalid_argument  for options out of range or an inflow without wave speeds; NonFiniteState for such
  ///                                an initial state
  template <class Initial>
  Simulation(Domain<Dim> domain, Flux const& flux, Initial const& initial, Outside<Law> outside = {},
             Options options = {});
  /// Goes on from a saved state: with equal options, bit by bit as if there had been no break.
  /// @throws std::invalid_argument  if its levels do not fit the domain
  Simulation(Domain<Dim> domain, Flux const& flux, SavedState<Scalar, Dim> const& saved, Outside<Law> outside = {},
             Options options = {});

  /// One step of the coarsest level of at most `max_dt` > 0; every `regrid_stride` steps the levels follow the solution
  /// first, and finer ones also in between (`longest_stride`). A step that gives an impossible state is repeated in
  /// first order and, if that does not help, shorter; shorter as well if waves become so fast within it that they would
  /// cross more than a cell in one of the steps of a finer level.
  /// @return dt
  /// @throws NonFiniteState  names the cell; the state stays that of before the step
  double advance(double max_dt = std::numeric_limits<double>::infinity());

  double time() const { return time_; }
  Index step_count() const { return step_count_; }
  /// Steps that had to be repeated.
  Index repeated_step_count() const { return repeated_step_count_; }
  /// Cells computed so far: each level counts as often as it stepped.
  Index update_count() const { return update_count_; }
  Domain<Dim> const& domain() const { return domain_; }
  Flux const& flux() const { return flux_; }
  Options const& options() const { return options_; }
  int level_count() const { return static_cast<int>(levels_.size()); }
  LevelSets<Dim> const& sets(int level) const { return levels_[level].sets; }
  /// Conserved variables of a level, on `sets(level).storage`. Covered cells that no leaf looks at and ghosts are out
  /// of date until `synchronise`.
  Field<Scalar, Dim> const& state(int level) const { return levels_[level].states.current(); }
  /// To be asked for anew before each change: the next change of levels looks whether the state is possible.
  Field<Scalar, Dim>& state(int level) {
    is_state_lent_ = true;
    return current(level);
  }
  /// Number of cells that make up the solution.
  Index leaf_count() const;

  /// Gives all covered cells the means of their children, and fills all ghosts.
  void synchronise();
  /// Adapts the levels to the solution. @return whether they changed
  /// @throws NonFiniteState  names the cell; the levels stay as they were
  bool regrid();
  /// A copy of all that matters for going on.
  SavedState<Scalar, Dim> save() const;

  /// Integral over the domain of each conserved variable.
  Vec<double, component_count> totals() const;

private:
  struct Level {
    LevelSets<Dim> sets;
    LevelPlans<Dim> plans;
    SweepPlan<Dim> sweep;
    CopyPlan<Dim> frozen;                    // covered cells that are read, but not computed
    Subset<Dim> outside;                     // if some side is `BoundaryKind::given`
    std::shared_ptr<TagPlan<Dim>> tag_plan;  // once a criterion needed it
    LevelStates<Scalar, Dim> states;
    FluxRegister<Scalar, Dim, component_count> coarse_register,
        fine_register;  // of the interfaces with l + 1 and l - 1
    Scalar rate = 0;    // greatest wave rate of the current state
  };
  using Levels = std::vector<Level>;
  struct Interval {
    double begin, length;
    double part(double time) const { return length > 0 ? (time - begin) / length : 0; }
  };

  void check_options() const;
  Field<Scalar, Dim>& current(int level) { return levels_[level].states.current(); }
  int steps_of(int level) const { return options_.subcycle ? 1 << level : 1; }
  Index regrid_stride_of(int level) const;
  bool is_regrid_due(int level, Index step) const { return step % regrid_stride_of(level) == 0; }
  Vec<Scalar, Dim> inverse_spacing(int level) const;

  // advance.hpp
  void step(int level, Index number, Interval const& span, Interval const& coarser_span, Scheme scheme);
  void step_all(double dt, Scheme scheme);
  bool can_return_to_start() const;
  void return_to_start();
  void fill(Levels& levels, int level, FieldView<Scalar> state, double weight, double time) const;
  void correct(int level, double time);
  Scalar greatest_rate() const;
  Scalar rate_of(Levels const& levels, int level) const;
  void expect_possible(Levels const& levels, double time) const;

  // regrid.hpp
  Level make_level(LevelSets<Dim> const& sets, int level) const;
  Levels make_levels(std::vector<IntervalSet<Dim>> const& cells);
  std::vector<LevelSets<Dim>> sets_of_levels() const;
  void set_levels(std::vector<IntervalSet<Dim>> const& cells, std::vector<Field<Scalar, Dim>> const& states);
  std::vector<IntervalSet<Dim>> wanted_cells(int base, double time);
  bool are_present(std::vector<IntervalSet<Dim>> const& cells) const;
  void inherit(Levels& fresh, int base, double weight, double time) const;
  void synchronise_above(int base, double weight, double time);
  bool regrid_above(int base, double weight, double time);
  template <class Initial>
  void initialise(Initial const& initial);

  Domain<Dim> domain_;
  Flux flux_;
  Outside<Law> outside_;
  Options options_;
  Levels levels_;
  double time_ = 0;
  Index step_count_ = 0, repeated_step_count_ = 0, update_count_ = 0;
  bool is_state_lent_ = true;  // so that somebody can have changed it since the last step
  Scalar rate_ = 0;            // greatest over the levels of wave rate over steps per step of level 0
  // If levels have changed within the step: the cells that all had at its start, and the states of those replaced.
  std::vector<IntervalSet<Dim>> start_cells_;
  std::vector<Field<Scalar, Dim>> start_states_;
};

}  // namespace sparse::amr
