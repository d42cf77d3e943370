#pragma once
/// Making and changing the levels of a simulation. Part of simulation.hpp.

#include <sparse/amr/hierarchy/simulation_class.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::amr {
namespace detail {

/// Conserved variables from a function of the position of cell centres that gives primitive ones.
template <class Law, class Function>
struct Evaluate {
  static constexpr int Dim = Law::dimension;
  Law law;
  Function function;
  FieldView<typename Law::Scalar> state;
  Vec<double, Dim> origin, spacing;
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    Vec<Coord, Dim> const cell = p.coordinates();
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + (cell[axis] + 0.5) * spacing[axis];
    typename Law::State const w = function(x);
    state.store(p.cell, conserved(law, w));
  }
};

}  // namespace detail

template <class Flux>
void Simulation<Flux>::check_options() const {
  expects(options_.cfl > 0 && options_.cfl <= 1, "simulation: cfl must be in (0, 1]");
  expects(options_.regrid_stride >= 1, "simulation: regrid_stride must be at least 1");
  expects(options_.longest_stride >= 1, "simulation: longest_stride must be at least 1");
  expects(!options_.buffer || *options_.buffer >= 0, "simulation: buffer must not be negative");
  expects(options_.excess >= 0, "simulation: excess must not be negative");
  expects(options_.minimum_width >= 1, "simulation: minimum_width must be at least 1");
  expects(!domain_.has(BoundaryKind::inflow) ||
              std::isfinite(std::bit_cast<Scalar>(wave_rate_bits(flux_.law, outside_.inflow, inverse_spacing(0)))),
          "simulation: the inflow has no finite wave speed");
  expects(!domain_.has(BoundaryKind::given) || outside_.given,
          "simulation: a side is BoundaryKind::given, but no boundary function is");
}

template <class Flux>
template <class Initial>
Simulation<Flux>::Simulation(Domain<Dim> domain, Flux const& flux, Initial const& initial, Outside<Law> outside,
                             Options options)
    : domain_(std::move(domain)), flux_(flux), outside_(std::move(outside)), options_(std::move(options)) {
  check_options();
  if (options_.criteria.empty()) options_.criteria.push_back(relative_gradient<Law>(0, 0.05));
  levels_ = make_levels({domain_.fluid(0)});
  initialise(initial);
  // Each round can add one level, and what a finer level shows can widen the coarser ones once more.
  for (int round = 0; round < 2 * domain_.level_count(); ++round) {
    auto const wish = wanted_cells(0, 0);
    if (are_present(wish)) break;
    levels_ = make_levels(wish);
    initialise(initial);
  }
  for (int l = 0; l < level_count(); ++l) levels_[l].rate = rate_of(levels_, l);
  rate_ = greatest_rate();
  if (!std::isfinite(rate_)) expect_possible(levels_, 0);
}

template <class Flux>
Simulation<Flux>::Simulation(Domain<Dim> domain, Flux const& flux, SavedState<Scalar, Dim> const& saved,
                             Outside<Law> outside, Options options)
    : domain_(std::move(domain)), flux_(flux), outside_(std::move(outside)), options_(std::move(options)),
      time_(saved.time), step_count_(saved.step_count), repeated_step_count_(saved.repeated_step_count),
      update_count_(saved.update_count), rate_(saved.rate) {
  check_options();
  if (options_.criteria.empty()) options_.criteria.push_back(relative_gradient<Law>(0, 0.05));
  expects(!saved.cells.empty() && saved.cells.size() == saved.states.size() && saved.cells[0] == domain_.fluid(0),
          "simulation: the saved levels are not of this domain");
  for (std::size_t l = 0; l < saved.cells.size(); ++l)
    expects(saved.states[l].component_count() == component_count && saved.states[l].domain() == saved.cells[l],
            "simulation: the saved state is not one of this law");
  set_levels(saved.cells, saved.states);
}

/// @param states  on sets that contain the cells
template <class Flux>
void Simulation<Flux>::set_levels(std::vector<IntervalSet<Dim>> const& cells,
                                  std::vector<Field<Scalar, Dim>> const& states) {
  levels_ = make_levels(cells);
  for (int l = 0; l < level_count(); ++l)
    copy<Scalar, Dim>(current(l).view(), CopyPlan<Dim>(cells[l], sets(l).storage, states[l].domain()), states[l].view(),
                      component_count);
}

template <class Flux>
SavedState<typename Simulation<Flux>::Scalar, Simulation<Flux>::Dim> Simulation<Flux>::save() const {
  SavedState<Scalar, Dim> saved;
  saved.time = time_;
  saved.step_count = step_count_;
  saved.repeated_step_count = repeated_step_count_;
  saved.update_count = update_count_;
  saved.rate = rate_;
  for (int l = 0; l < level_count(); ++l) {
    saved.cells.push_back(sets(l).cells);
    saved.states.push_back(remap(state(l), sets(l).cells));
  }
  return saved;
}

template <class Flux>
template <class Initial>
void Simulation<Flux>::initialise(Initial const& initial) {
  for (int l = 0; l < level_count(); ++l)
    for_each("sparse::amr::initialise", Subset<Dim>(sets(l).cells, sets(l).storage),
             detail::Evaluate<Law, Initial>{flux_.law, initial, current(l).view(), domain_.options().origin,
                                            domain_.spacing(l)});
  synchronise();
}

/// All of a level but its plans, which look at the levels beside it.
template <class Flux>
typename Simulation<Flux>::Level Simulation<Flux>::make_level(LevelSets<Dim> const& sets, int l) const {
  Level level;
  level.sets = sets;
  IntervalSet<Dim> const solid = domain_.with_images(sets.curved_ghosts | sets.face_ghosts, l, 1);
  SweepSets<Dim> swept{
      sets.storage,          sets.update,         solid.is_empty() ? solid : expand(solid, 1, Element::diamond),
      sets.coarse_interface, sets.fine_interface, sets.wall_faces};
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      IntervalSet<Dim>& sticking = swept.sticking_walls[axis][side] = sets.sticking_faces[axis][side];
      if (!sticking.is_empty()) swept.walls[axis][side] = swept.walls[axis][side] - sticking;
      // Ghosts that move the other way along the side would change in half a step, and let mass pass; and so would
      // those behind a slip wall that have others beside them.
      bool const has_parts = domain_.has_parts(axis, side);
      if (!has_parts && !domain_.has(BoundaryKind::no_slip, axis, side)) continue;
      Box<Dim> layer = domain_.box(l);
      (side == 0 ? layer.end : layer.begin)[axis] = side == 0 ? 1 : layer.end[axis] - 1;
      IntervalSet<Dim> const on_side = shift(inside(sets.update, layer), axis, side);
      sticking |= domain_.faces_of(BoundaryKind::no_slip, axis, side, on_side, l);
      if (has_parts) swept.walls[axis][side] |= domain_.faces_of(BoundaryKind::wall, axis, side, on_side, l);
    }
  level.sweep = SweepPlan<Dim>(swept);
  if (domain_.has(BoundaryKind::given)) {
    // Those beside leaves: what lies beside ghosts of the coarser level is out of date at the end of a step.
    IntervalSet<Dim> neighbours;
    for (int axis = 0; axis < Dim; ++axis) neighbours |= shift(sets.leaves, axis, -1) | shift(sets.leaves, axis, 1);
    level.outside = Subset<Dim>(neighbours & sets.outside[0], sets.storage);
  }
  level.states = LevelStates<Scalar, Dim>(sets.storage, component_count);
  level.coarse_register = FluxRegister<Scalar, Dim, component_count>(sets.coarse_interface);
  level.fine_register = FluxRegister<Scalar, Dim, component_count>(sets.fine_interface);
  return level;
}

/// Levels with these cells. Those that stay are moved out of the ones of now, with their states; the sets remain.
template <class Flux>
typename Simulation<Flux>::Levels Simulation<Flux>::make_levels(std::vector<IntervalSet<Dim>> const& cells) {
  auto const before = sets_of_levels();
  auto const sets_of = level_sets(domain_, cells, before);
  int const count = static_cast<int>(cells.size());
  auto const stays = [&](int l) {  // also where no such level is, neither before nor after
    bool const was = l >= 0 && l < level_count(), is = l >= 0 && l < count;
    return was == is && (!is || are_one(sets_of[l], before[l]));
  };
  auto const is_restricted_as_before = [&](int l) {
    return stays(l) && sets_of[l].restricted.identity() == before[l].restricted.identity();
  };
  Levels levels(cells.size());
  for (int l = 0; l < count; ++l) {
    Level& level = levels[l];
    bool const is_same = stays(l), is_restricted_same = is_restricted_as_before(l);
    level = is_same ? std::move(levels_[l]) : make_level(sets_of[l], l);
    if (is_same) levels_[l].sets = before[l];
    // Other children leave the rim of a level as it is, and what has flowed through it so far.
    if (!is_same && l < level_count() && sets_of[l].cells.identity() == before[l].cells.identity())
      level.fine_register = std::move(levels_[l].fine_register);
    level.sets.restricted = sets_of[l].restricted;
    if (!is_restricted_same)
      level.frozen = CopyPlan<Dim>(sets_of[l].restricted - sets_of[l].update, sets_of[l].storage, sets_of[l].storage);
    if (!is_restricted_same || !stays(l - 1) || !stays(l + 1)) level.plans = level_plans(domain_, sets_of, l);
  }
  return levels;
}

template <class Flux>
std::vector<LevelSets<Simulation<Flux>::Dim>> Simulation<Flux>::sets_of_levels() const {
  std::vector<LevelSets<Dim>> all;
  for (auto const& level : levels_) all.push_back(level.sets);
  return all;
}

/// The cells of each level that the solution asks for; levels that will do keep theirs, as all up to `base` do.
template <class Flux>
std::vector<IntervalSet<Simulation<Flux>::Dim>> Simulation<Flux>::wanted_cells(int base, double time) {
  std::vector<IntervalSet<Dim>> tagged(base);
  Room room{std::vector<Coord>(base), std::vector<Coord>(base), options_.excess};
  int const finest = domain_.level_count() - 1;
  for (int l = base; l < level_count() && l < finest; ++l) {
    LevelView<Law> const view{l,
                              flux_.law,
                              sets(l).cells,
                              sets(l).storage,
                              sets(l).covered,
                              current(l).view(),
                              domain_.options().origin,
                              domain_.spacing(l),
                              time,
                              levels_[l].tag_plan};
    tagged.push_back(with_minimum_width(any(options_.criteria)(view), options_.minimum_width));
    levels_[l].tag_plan = view.plan;
    // Waves cross at most `cfl` cells of a level in one of its steps.
    double const steps = static_cast<double>(regrid_stride_of(l)) * (options_.subcycle ? 1 : std::exp2(l - finest));
    double const crossed = std::min(std::ceil(options_.cfl * steps), 1.0 * coord_limit / 4);
    Coord const least = options_.buffer.value_or(std::max(Coord{2}, static_cast<Coord>(crossed)));
    room.least.push_back(least);
    room.given.push_back(least + (least + 3) / 4);
  }
  if (room.least.empty()) room.least.push_back(0), room.given.push_back(0);
  return adapted_cells(domain_, tagged, room, sets_of_levels(), base);
}

template <class Flux>
bool Simulation<Flux>::are_present(std::vector<IntervalSet<Dim>> const& cells) const {
  bool are_same = cells.size() == levels_.size();
  for (std::size_t l = 0; are_same && l < cells.size(); ++l)
    are_same = cells[l].identity() == levels_[l].sets.cells.identity();
  return are_same;
}

/// Gives new levels the values of the ones of now: cells that are in both keep theirs, others are prolonged. Levels
/// that stay have theirs.
/// @param base, weight, time  as of `synchronise_above`
template <class Flux>
void Simulation<Flux>::inherit(Levels& fresh, int base, double weight, double time) const {
  for (int l = 0; l < static_cast<int>(fresh.size()); ++l) {
    Level& level = fresh[l];
    FieldView<Scalar> const values = level.states.current().view();
    if (l < level_count() && are_one(level.sets, sets(l))) continue;
    IntervalSet<Dim> const known = l < level_count() ? level.sets.cells & sets(l).cells : IntervalSet<Dim>();
    if (l < level_count())
      copy<Scalar, Dim>(values, CopyPlan<Dim>(known, level.sets.storage, sets(l).storage), state(l).view(),
                        component_count);
    if (l > 0)
      prolong_admissible(flux_.law, Parents<Dim>(level.sets.cells - known, fresh[l - 1].sets, level.sets),
                         FieldView<Scalar const>(fresh[l - 1].states.current().view()), values);
    fill(fresh, l, values, l == base ? weight : 1, time);
  }
}

template <class Flux>
bool Simulation<Flux>::regrid() {
  if (domain_.level_count() == 1) return false;
  ProfilingRegion const region("sparse::amr::regrid");
  bool is_finite = true;  // a maximum is found faster than a first cell
  for (int l = 0; is_state_lent_ && l < level_count(); ++l) is_finite = is_finite && std::isfinite(rate_of(levels_, l));
  if (!is_finite) expect_possible(levels_, time_);
  for (auto& level : levels_) level.states.forget_start();
  if (!regrid_above(0, 1, time_)) return false;
  rate_ = greatest_rate();
  return true;
}

/// Adapts the levels finer than `base`, which are at `time` as that is.
/// @param weight  of the current state of the level before `base` against its old one
template <class Flux>
bool Simulation<Flux>::regrid_above(int base, double weight, double time) {
  synchronise_above(base, weight, time);
  auto const wish = wanted_cells(base, time);
  if (are_present(wish)) return false;
  if (base > 0 && start_cells_.empty()) {
    for (auto const& level : levels_) start_cells_.push_back(level.sets.cells);
    start_states_.resize(levels_.size());
  }
  for (int l = base; l < level_count(); ++l) levels_[l].states.free_others();  // new levels take their place
  Levels fresh = make_levels(wish);
  inherit(fresh, base, weight, time);
  int const count = static_cast<int>(fresh.size());
  for (int l = base; l < std::max(count, level_count()); ++l) {
    if (l < count) fresh[l].rate = rate_of(fresh, l);
    if (l < count && l < level_count() && are_one(sets(l), fresh[l].sets)) continue;
    if (l < level_count() && levels_[l].states.has_start()) start_states_[l] = levels_[l].states.take_start();
    if (l < count) fresh[l].states.forget_start();
  }
  levels_ = std::move(fresh);
  for (int l = base; l < count; ++l)
    if (!std::isfinite(levels_[l].rate)) expect_possible(levels_, time);
  return true;
}

template <class Flux>
Vec<typename Simulation<Flux>::Scalar, Simulation<Flux>::Dim> Simulation<Flux>::inverse_spacing(int level) const {
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

}  // namespace sparse::amr
