#pragma once
/// The levels of a simulation.

#include <optional>
#include <utility>

#include <sparse/amr/hierarchy/make_part.hpp>
#include <sparse/amr/hierarchy/rates.hpp>
#include <sparse/amr/hierarchy/saved_state.hpp>
#include <sparse/amr/hierarchy/synchronise.hpp>
#include <sparse/amr/hierarchy/wanted_cells.hpp>
#include <sparse/amr/initial_state.hpp>
#include <sparse/base/error.hpp>
#include <sparse/distributed/order_free_sums.hpp>

namespace sparse::amr {

/// The result of a change of levels.
template <int Dim>
struct RegridOutcome {
  /// Whether a level is another set than before.
  bool has_changed = false;
  std::optional<ImpossibleCell<Dim>> impossible = {};  ///< a cell of the new levels without finite wave speed
};

/// Owns the levels, or with several ranks the part of this one: their sets, plans and states. It keeps levels
/// consistent and lets them follow the solution. It does not step them; `CoarseStep` does.
///
/// Level l + 1 covers part of level l with cells of half the width. A covered cell holds the mean of its children.
/// Within a coarse step, levels are at different times. Members take `base`, `weight` and `time` to say which state is
/// meant. Level `base` and all finer levels are at `time`. The next coarser level takes `weight` of its current state
/// and 1 - `weight` of its old state.
template <ConservationLaw Law>
class Hierarchy {
public:
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension, component_count = Law::component_count;
  /// A set, or a field, for each level.
  using Sets = std::vector<IntervalSet<Dim>>;
  using States = std::vector<Field<Scalar, Dim>>;

  /// Levels refined for an initial state, at time 0. States may be impossible: see `find_impossible`.
  /// Cost: for each level, its cells are filled and tagged, and sets and plans are made up to it.
  Hierarchy(Problem<Law> problem, InitialState<Law> const& initial);
  /// Levels as they were saved. Cost: sets, plans, and a copy of the states.
  /// @throws std::invalid_argument  if they do not fit the domain or the law
  Hierarchy(Problem<Law> problem, SavedState<Scalar, Dim> const& saved);
  Hierarchy(Hierarchy&&) = default;
  Hierarchy& operator=(Hierarchy&&) = default;

  /// The problem as it was given, and the levels that are there now, the coarsest first.
  Problem<Law> const& problem() const { return problem_; }
  int level_count() const { return static_cast<int>(levels_.size()); }
  Levels<Law> const& levels() const { return levels_; }
  Levels<Law>& levels() { return levels_; }

  // Over all ranks, and collective, except for `leaf_count`.

  /// The cells of a level.
  IntervalSet<Dim> cells_of_all(int level) const {
    auto const& own = levels_[level].sets.cells;
    return share_ ? united(*problem_.options.team, own) : own;
  }
  /// How many cells have no children: in all, and of one level.
  Index leaf_count() const;
  Index leaf_count(int level) const {
    return share_ ? share_->leaf_counts[level] : levels_[level].sets.leaves.cell_count();
  }
  /// Integral over the domain of each conserved variable [its unit times length^Dim].
  Vec<double, component_count> totals() const;
  /// The values of all cells of a level on the host of rank 0, [component][cell]; none on the others.
  /// @param of_rank  on the cells of the rank
  /// Cost: a message for each component. Device memory has one component at a time.
  template <class T>
  std::vector<std::vector<T>> gathered(int level, Field<T, Dim> const& of_rank) const;
  /// The cells of all levels, and the states of those that the rank has; the other members have their defaults.
  /// Collective.
  SavedState<Scalar, Dim> save() const;

  /// See `amr::synchronise`.
  void synchronise(int base, double weight, double time);
  /// Adapts the levels finer than `base` to the solution. With `base` 0, it must be called outside of a step, and the
  /// start is not kept. Cost: the criteria; if a level changes, its sets and plans are made anew and its states copied.
  RegridOutcome<Dim> regrid(int base, double weight, double time);

  /// Keeps the current states as the start of a coarse step. Cost: no copy; the next step needs one more field.
  void keep_start();
  /// Whether the start is complete. An exception can lose states between two owners.
  bool can_return_to_start() const;
  /// Restores the levels and the states of `keep_start`. The rates of levels are unknown afterwards. Cost: none, unless
  /// levels have changed since; then these are made anew, and their states copied.
  void return_to_start();
  /// [level] the wave rates of all levels, which `return_to_start` forgets [1/s].
  std::vector<Scalar> rates() const;
  void set_rates(std::vector<Scalar> const& rates);
  /// Forgets the start, after a step that has succeeded.
  void forget_start();

private:
  std::vector<LevelSets<Dim>> known_sets() const { return share_ ? share_->near : sets_of(levels_); }
  Share<Dim> cut(Sets const& cells) const;
  void set_cells(Sets const& cells);
  std::optional<Share<Dim>> share_of(AdaptedLevels<Dim> const& wish, bool may_cut, Sets& cells_before) const;
  void fill_initial(InitialState<Law> const& initial);
  void set_states(States const& states);

  Problem<Law> problem_;
  Levels<Law> levels_;
  std::optional<Share<Dim>> share_;  // with several ranks
  // If levels have changed within the step: the cells of all levels at its start, with several ranks those that this
  // one knew, and the states of replaced levels.
  Sets start_cells_;
  std::optional<Share<Dim>> start_share_;
  States start_states_;
};

// ---- implementation

template <ConservationLaw Law>
Hierarchy<Law>::Hierarchy(Problem<Law> problem, InitialState<Law> const& initial) : problem_(std::move(problem)) {
  Domain<Dim> const& domain = problem_.domain;
  set_cells({domain.fluid(0)});
  fill_initial(initial);
  // Each round can add one level. A finer level can also reveal features that widen the coarser levels again.
  for (int round = 0; round < 2 * domain.level_count(); ++round) {
    auto const wish = wanted_cells(problem_, levels_, known_sets(), 0, 0, share_ ? &*share_ : nullptr);
    if (wish.are_as_before(levels_.size())) break;
    Sets cells = wish.cells;
    for (std::size_t l = 0; share_ && l < cells.size(); ++l)
      cells[l] = united(*problem_.options.team, share_->reach.own(static_cast<int>(l), cells[l]));
    set_cells(cells);
    fill_initial(initial);
  }
  for (int l = 0; l < level_count(); ++l) levels_[l].rate = rate_of(problem_, levels_[l], l);
}

template <ConservationLaw Law>
Hierarchy<Law>::Hierarchy(Problem<Law> problem, SavedState<Scalar, Dim> const& saved) : problem_(std::move(problem)) {
  expects(!saved.cells.empty() && saved.cells[0] == problem_.domain.fluid(0),
          "simulation: the saved levels are not of this domain");
  auto const expect_states = [&](States const& states, Sets const& cells) {
    expects(states.size() == cells.size(), "simulation: there must be one saved state for each level");
    for (std::size_t l = 0; l < cells.size(); ++l)
      expects(states[l].component_count() == component_count && states[l].domain() == cells[l],
              "simulation: the saved state is not one of this law, or not on all cells");
  };
  if (!saved.read) expect_states(saved.states, saved.cells);
  set_cells(saved.cells);
  if (!saved.read) {
    set_states(saved.states);
  } else {
    Sets own;
    for (auto const& level : levels_) own.push_back(level.sets.cells);
    auto const states = saved.read(own);
    expect_states(states, own);
    set_states(states);
  }
}

/// A share in levels with these cells, which all ranks know whole.
template <ConservationLaw Law>
auto Hierarchy<Law>::cut(Sets const& cells) const -> Share<Dim> {
  auto const& options = problem_.options;
  auto const margins = regrid_margins(problem_, 0);
  Coord const margin = *std::max_element(margins.given.begin(), margins.given.end()) + options.minimum_width;
  return cut_anew(problem_.domain, cells, *options.team, options.partition, margin, share_ ? share_->next_version : 0);
}

/// Makes levels with these cells. Their states are unknown.
template <ConservationLaw Law>
void Hierarchy<Law>::set_cells(Sets const& cells) {
  if (problem_.options.team == nullptr) {
    levels_ = make_levels<Law>(problem_.domain, cells, levels_);
    return;
  }
  auto share = cut(cells);
  levels_.clear();
  levels_ = make_part<Law>(problem_, share, {}, share, levels_, 0);
  share_ = std::move(share);
}

/// The share of the ranks in new levels, if there are several.
/// @param may_cut       whether cells may get other owners
/// @param cells_before  the cells that there were; all of them if cells get other owners
template <ConservationLaw Law>
auto Hierarchy<Law>::share_of(AdaptedLevels<Dim> const& wish, bool may_cut, Sets& cells_before) const
    -> std::optional<Share<Dim>> {
  auto const& options = problem_.options;
  if (!share_) return {};
  auto same = with_cells(problem_.domain, *share_, wish, *options.team, options.partition.least_work);
  if (!may_cut || same.imbalance <= options.most_imbalance) return same;
  Sets cells;
  for (std::size_t l = 0; l < same.near.size(); ++l)
    cells.push_back(united(*options.team, same.reach.own(static_cast<int>(l), same.near[l].cells)));
  for (int l = 0; l < level_count(); ++l) cells_before[l] = cells_of_all(l);
  return cut(cells);
}

template <ConservationLaw Law>
void Hierarchy<Law>::fill_initial(InitialState<Law> const& initial) {
  for (int l = 0; l < level_count(); ++l)
    initial.fill(levels_[l].states.current(), problem_.law, levels_[l].sets.cells, problem_.domain.grid(l));
  synchronise(0, 1, 0);
}

/// @param states  on sets that contain the cells of the rank
template <ConservationLaw Law>
void Hierarchy<Law>::set_states(States const& states) {
  for (int l = 0; l < level_count(); ++l) {
    auto const& sets = levels_[l].sets;
    copy<Scalar, Dim>(levels_[l].current(), CopyPlan<Dim>(sets.cells, sets.storage, states[l].domain()),
                      states[l].view(), component_count);
    refresh(problem_, levels_[l], levels_[l].current());
  }
}

template <ConservationLaw Law>
Index Hierarchy<Law>::leaf_count() const {
  Index count = 0;
  for (int l = 0; l < level_count(); ++l) count += leaf_count(l);
  return count;
}

template <ConservationLaw Law>
auto Hierarchy<Law>::totals() const -> Vec<double, component_count> {
  std::vector<distributed::SumPart<Subset<Dim>, Conserved<Law>>> parts;
  for (auto const& level : levels_) parts.push_back({level.plans.leaves, {level.current()}});
  auto const sums = distributed::order_free_sums<component_count>(problem_.options.team, "sparse::amr::total", parts);
  Vec<double, component_count> total{};
  for (int l = 0; l < level_count(); ++l) total += problem_.domain.cell_volume(l) * sums[static_cast<std::size_t>(l)];
  return total;
}

template <ConservationLaw Law>
template <class T>
auto Hierarchy<Law>::gathered(int level, Field<T, Dim> const& of_rank) const -> std::vector<std::vector<T>> {
  std::vector<std::vector<T>> values;
  if (!share_) {
    for (int c = 0; c < of_rank.component_count(); ++c) values.push_back(to_host(of_rank, c));
    return values;
  }
  distributed::Team& team = *problem_.options.team;
  auto const all = cells_of_all(level);
  Field<T, Dim> component(of_rank.name(), team.rank() == 0 ? all : IntervalSet<Dim>());
  distributed::Halo<Dim> const halo(team, share_->partition, level, of_rank.domain(), component.domain(),
                                    {{component.domain()}});
  FieldView<T const> const source = of_rank.view();
  for (int c = 0; c < of_rank.component_count(); ++c) {
    halo.template fill<T>(team, component.view(), {source.data + c * source.stride, source.stride}, 1);
    values.push_back(to_host(component));
  }
  return values;
}

template <ConservationLaw Law>
auto Hierarchy<Law>::save() const -> SavedState<Scalar, Dim> {
  SavedState<Scalar, Dim> saved;
  for (int l = 0; l < level_count(); ++l) {
    saved.cells.push_back(cells_of_all(l));
    saved.states.push_back(remap(levels_[l].states.current(), levels_[l].sets.cells));
  }
  return saved;
}

template <ConservationLaw Law>
void Hierarchy<Law>::synchronise(int base, double weight, double time) {
  amr::synchronise(problem_, levels_, base, weight, time);
}

template <ConservationLaw Law>
auto Hierarchy<Law>::regrid(int base, double weight, double time) -> RegridOutcome<Dim> {
  for (int l = 0; base == 0 && l < level_count(); ++l) levels_[l].states.forget_start();
  synchronise(base, weight, time);
  auto const before = known_sets();
  auto const wish = wanted_cells(problem_, levels_, before, base, time, share_ ? &*share_ : nullptr);
  if (wish.are_as_before(levels_.size())) return {};
  Sets cells_before;
  for (auto const& sets : before) cells_before.push_back(sets.cells);
  if (base > 0 && start_cells_.empty()) {
    start_cells_ = cells_before;
    start_share_ = share_;
    start_states_.resize(levels_.size());
  }
  for (int l = base; l < level_count(); ++l) levels_[l].states.free_others();  // new levels take their place
  auto share = share_of(wish, base == 0, cells_before);
  Levels<Law> fresh = share ? make_part(problem_, *share_, cells_before, *share, levels_, base)
                            : make_levels(problem_.domain, wish.cells, levels_);
  if (share)
    inherit_part(problem_, *share_, cells_before, *share, levels_, fresh, base, weight, time);
  else
    inherit(problem_, levels_, fresh, base, weight, time);
  int const count = static_cast<int>(fresh.size());
  for (int l = base; l < std::max(count, level_count()); ++l) {
    if (l < count) fresh[l].rate = rate_of(problem_, fresh[l], l);
    bool const is_both = l < count && l < level_count();
    if (is_both && (share ? keeps_parts(*share_, *share, l, base) : has_same_cells(levels_[l].sets, fresh[l].sets)))
      continue;
    if (l < level_count() && levels_[l].states.has_start()) start_states_[l] = levels_[l].states.take_start();
    if (l < count) fresh[l].states.forget_start();
  }
  levels_ = std::move(fresh);
  share_ = std::move(share);
  bool is_finite = true;
  for (int l = base; l < count; ++l) is_finite = is_finite && std::isfinite(levels_[l].rate);
  is_finite = agreed(problem_.options.team, is_finite);
  return {true, is_finite ? std::nullopt : find_impossible(problem_, levels_, time)};
}

template <ConservationLaw Law>
void Hierarchy<Law>::keep_start() {
  for (auto& level : levels_) level.states.keep();
}

template <ConservationLaw Law>
bool Hierarchy<Law>::can_return_to_start() const {
  bool can = true;
  for (std::size_t l = 0; l < (start_cells_.empty() ? levels_.size() : start_states_.size()); ++l)
    can = can && ((!start_cells_.empty() && start_states_[l].component_count() > 0) ||
                  (l < levels_.size() && levels_[l].states.has_start()));
  return can;
}

template <ConservationLaw Law>
void Hierarchy<Law>::return_to_start() {
  if (start_cells_.empty()) {
    for (auto& level : levels_) {
      level.states.restore();
      level.rate = 0;
    }
    return;
  }
  for (std::size_t l = 0; l < start_states_.size(); ++l)
    if (start_states_[l].component_count() == 0) start_states_[l] = levels_[l].states.take_start();
  levels_.clear();
  if (share_) {
    start_share_->next_version = share_->next_version;  // numbers are not used twice
    share_ = std::move(start_share_);
    levels_ = make_part<Law>(problem_, *share_, {}, *share_, levels_, 0);
  } else {
    set_cells(start_cells_);
  }
  set_states(start_states_);
  forget_start();
}

template <ConservationLaw Law>
auto Hierarchy<Law>::rates() const -> std::vector<Scalar> {
  std::vector<Scalar> rates;
  for (auto const& level : levels_) rates.push_back(level.rate);
  return rates;
}

template <ConservationLaw Law>
void Hierarchy<Law>::set_rates(std::vector<Scalar> const& rates) {
  for (std::size_t l = 0; l < levels_.size(); ++l) levels_[l].rate = rates[l];
}

template <ConservationLaw Law>
void Hierarchy<Law>::forget_start() {
  start_cells_.clear();
  start_share_.reset();
  start_states_.clear();
}

}  // namespace sparse::amr
