#include "adaptive_body.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <sparse/amr/hierarchy/adapted_cells.hpp>
#include <sparse/amr/hierarchy/share.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "curved_bodies.hpp"
#include "grid/body.hpp"
#include "grid/cut_shares.hpp"
#include "grid/ranks.hpp"
#include "method/parts.hpp"
#include "tags.hpp"

namespace sparse::incompressible::detail {
namespace {

/// A level shrinks when it has this share of cells more than are wanted.
constexpr double excess = 0.1;

std::vector<std::string> names_of(std::vector<Ink> const& inks) {
  std::vector<std::string> names;
  for (auto const& ink : inks) names.push_back(ink.name);
  return names;
}

template <int Dim>
void expect_fits(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options) {
  auto const is_finite = [](Vec<double, Dim> const& v) {
    for (int axis = 0; axis < Dim; ++axis)
      if (!std::isfinite(v[axis])) return false;
    return true;
  };
  expect_valid(options.viscosity, options.buoyancy);
  expect_share(options.upstream);
  for (auto const& ink : options.inks)
    expects(std::isfinite(ink.diffusivity) && ink.diffusivity >= 0,
            "incompressible: a diffusivity must not be negative");
  for (auto const& ink : options.inks)
    expects(std::isfinite(ink.inflow.value_or(0)) && std::isfinite(ink.decay) && ink.decay >= 0,
            "incompressible: the ink of fluid that flows in must be finite, and no ink can grow");
  for (auto const& source : options.ink_sources) {
    expects(source.ink < options.inks.size(), "incompressible: a source of an ink that the flow does not have");
    expects(std::isfinite(source.value) && !std::isnan(source.until),
            "incompressible: the value of a source must be finite, and its end a time");
  }
  for (auto const& wall : options.ink_walls) {
    expects(wall.ink < options.inks.size() && options.inks[wall.ink].diffusivity > 0,
            "incompressible: a wall gives an ink that the flow does not have, or that does not spread");
    expects(wall.body || (wall.axis >= 0 && wall.axis < Dim), "incompressible: a wall of an ink is normal to no axis");
    expects(std::isfinite(wall.value.value_or(0)) && std::isfinite(wall.flux),
            "incompressible: what a wall gives an ink must be finite");
    auto const is_same = [&](InkWall const& other) {
      bool const is_same_side =
          !wall.body && other.is_whole_side() && wall.axis == other.axis && wall.side == other.side;
      return other.ink == wall.ink && (wall.body ? other.body == wall.body : is_same_side);
    };
    auto const kind = wall.is_whole_side() ? domain.options().sides[wall.axis][wall.side == FaceSide::lower ? 0 : 1]
                                           : BoundaryKind::wall;
    expects(kind == BoundaryKind::wall || kind == BoundaryKind::no_slip,
            "incompressible: a side that gives an ink must be a wall");
    expects(!wall.body || (*wall.body >= 0 && *wall.body < domain.body_count()),
            "incompressible: a wall of a body that the domain does not have");
    expects(std::count_if(options.ink_walls.begin(), options.ink_walls.end(), is_same) <= 1,
            "incompressible: a wall gives an ink twice");
    for (auto const& [from, to] : wall.part)
      expects(from <= to, "incompressible: a part of a side that gives an ink ends before it begins");
  }
  for (auto const& jet : options.jets)
    expects(is_finite(jet.velocity) && !std::isnan(jet.until),
            "incompressible: the velocity of a jet must be finite, and its end a time");
  for (auto const& one : options.criteria)
    if (auto const* const of_ink = std::get_if<InkCriterion>(&one))
      expects(of_ink->ink < options.inks.size(), "incompressible: a criterion for an ink that the flow does not have");
  for (auto const& one : options.buoyancy)
    expects(one.carried < options.inks.size(), "incompressible: buoyancy of an ink that the flow does not have");
  expects(is_finite(options.acceleration), "incompressible: an acceleration is not finite");
  expects(options.regrid_stride > 0, "incompressible: there must be steps between changes of levels");
  expects(options.spare_cells >= 0 && options.spare_cells <= 1000000,
          "incompressible: spare_cells must be a number of cells");
  expects(std::isfinite(options.safety) && options.safety > 0, "incompressible: the safety factor must be positive");
  expects(!domain.has(BoundaryKind::given),
          "incompressible: a side of a flow on levels must be a wall, an inflow, an outflow or periodic, not given");
  expects(domain.body_count() == 0 || domain.body_level() == domain.level_count() - 1,
          "incompressible: bodies in a flow on levels must be of the finest level");
  options.stop.expect_valid("incompressible");
  expect_valid<Dim>(options.criteria);
}

}  // namespace

template <class T, int Dim>
AdaptiveBody<T, Dim>::AdaptiveBody(amr::Domain<Dim> const& d, AdaptiveOptions<Dim> const& o)
    : domain(d), options(o), sides{o.inflow, o.inflow_profile, o.walls, {}, {}}, stop(o.stop) {
  expect_fits(domain, options);
  int const level_count = domain.level_count();
  for (int i = 0; i < domain.body_count(); ++i) bodies.push_back(domain.body(level_count - 1, i));
  if (options.curved_walls) {
    set_surfaces(sides, domain);
    domain = with_closed_cells(domain, sides.surface);
  }
  sources.resize(static_cast<std::size_t>(level_count));
  for (auto const& source : options.ink_sources) {
    auto of_levels = source_cells<T, Dim>(source.cells & domain.fluid(level_count - 1), level_count);
    for (std::size_t l = 0; l < sources.size(); ++l) sources[l].push_back(std::move(of_levels[l]));
  }
  jets.resize(static_cast<std::size_t>(level_count));
  for (auto const& jet : options.jets) {
    auto const of_levels = source_cells<T, Dim>(jet.cells & domain.fluid(level_count - 1), level_count);
    for (std::size_t l = 0; l < jets.size(); ++l)
      jets[l].push_back(threshold(of_levels[l], T(0.499999)));  // a half counts
  }
  // A grid of all of the fluid refuses what flows in and cannot leave; those of levels have open edges.
  level_grid(domain, sides, domain.fluid(0), 0);
  // As in `Smac`: with none, what the last solution left would be carried along.
  stop.least_iterations = std::max(stop.least_iterations, 1);
}

template <class T, int Dim>
std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::cells() const {
  std::vector<IntervalSet<Dim>> result;
  for (auto const& level : levels) result.push_back(level->sets.cells);
  return result;
}

template <class T, int Dim>
std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::wanted_cells() const {
  std::vector<amr::LevelSets<Dim>> sets(levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    sets[l].cells = levels[l]->sets.cells;
    sets[l].covered = levels[l]->sets.covered;
    sets[l].leaves = levels[l]->sets.all_leaves;
  }
  amr::RegridMargins margins{{}, {}, excess};
  int const finest = domain.level_count() - 1;
  for (int l = 0; l < std::max(finest, 1); ++l) {
    // What fluid crosses until the next change, at no more than 0.7 cells of the finest level per step.
    double const crossed = std::ceil(0.7 * options.regrid_stride * std::exp2(l - finest));
    Coord const least = std::max(Coord{2}, static_cast<Coord>(std::min(crossed, 1e6)));
    margins.least.push_back(least);
    margins.given.push_back(least + (least + 1) / 2 + options.spare_cells);
  }
  auto tags = tagged_cells(domain, options.criteria, levels, time);
  if (options.team != nullptr)
    for (auto* list : {&tags.refined, &tags.kept})
      for (auto& of_level : *list) of_level = amr::united(*options.team, of_level);
  return amr::adapted_cells(domain, std::move(tags.refined), margins, sets, 0, tags.kept);
}

template <class T, int Dim>
bool AdaptiveBody<T, Dim>::has_cells(std::vector<IntervalSet<Dim>> const& wanted) const {
  bool are_same = wanted.size() == levels.size();
  for (std::size_t l = 0; are_same && l < wanted.size(); ++l)
    are_same = wanted[l].identity() == levels[l]->sets.cells.identity();
  return are_same;
}

template <class T, int Dim>
Levels<T, Dim> AdaptiveBody<T, Dim>::make_levels(std::vector<IntervalSet<Dim>> const& wanted,
                                                 LevelLayout<Dim> const& layout) {
  auto const is_same = [&](std::size_t l) {
    return l < wanted.size() && l < levels.size() && wanted[l].identity() == levels[l]->sets.cells.identity();
  };
  ranks = layout.ranks;
  auto const make_level = [&](std::size_t l) {
    int const level = static_cast<int>(l);
    auto const sets = ranks.empty() ? level_cells(domain, wanted, level) : layout.part[l];
    auto const grid = ranks.empty()
                          ? level_grid(domain, sides, sets.stored, level)
                          : level_grid(domain, sides, sets.stored, level, &ranks[l], sets.all_stored.bounds().begin);
    return std::make_unique<Level<T, Dim>>(sets, grid, stop.tolerance, names_of(options.inks));
  };
  Levels<T, Dim> made;
  std::vector<bool> stays;
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    bool const is_last = l + 1 == wanted.size();
    // With several ranks, what others store has changed, too.
    stays.push_back(ranks.empty() && is_same(l) && (is_last ? l + 1 == levels.size() : is_same(l + 1)));
  }
  // What does not outlive steps makes room for the same of new levels.
  has_last_velocity = false;
  forces.assign(bodies.size(), std::nullopt);
  projection.make_room();
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (l >= stays.size() || !stays[l])
      for (auto* velocity : {&levels[l]->other, &levels[l]->between}) *velocity = {};
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    made.push_back(stays[l] ? std::move(levels[l]) : make_level(l));
    auto& level = *made.back();
    if (!stays[l] && level.inks) {
      level.inks->walls =
          InkWalls<Dim>(domain, sides, static_cast<int>(l), level.grid, level.sets.leaves, options.ink_walls);
      level.inks->sources = InkSources<T, Dim>(level.grid, level.sets.leaves, options, sources[l]);
    }
    if (!stays[l])
      level.jets =
          LevelJets<Dim>(level.grid, level.sets, jets[l], l > 0 ? jets[l - 1] : std::vector<IntervalSet<Dim>>());
  }
  for (std::size_t l = 0; l + 1 < made.size(); ++l)
    if (!stays[l] || !stays[l + 1]) link(domain, sides, *made[l], *made[l + 1], static_cast<int>(l));
  std::swap(levels, made);
  for (auto& level : levels) level->guess.restart();
  return made;
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::make_projection(std::vector<IntervalSet<Dim>> const& cells, LevelLayout<Dim> const& layout) {
  auto problem = pressure_problem(cells);
  for (std::size_t l = 0; l < levels.size() && levels.back()->grid.has_curved_walls(); ++l) {
    auto const whole =
        ranks.empty() ? levels[l]->grid : level_grid(domain, sides, layout.part[l].all_stored, static_cast<int>(l));
    auto& shares = problem.face_coefficient.emplace_back();
    for (std::size_t axis = 0; axis < Dim; ++axis)
      shares[axis] = std::make_shared<Field<double, Dim> const>(pressure_coefficients(whole, static_cast<int>(axis)));
  }
  projection.change(domain, problem, levels, stop);
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::fill(VelocityOf<T, Dim> velocity) {
  fill_from_owners(levels, velocity);
  fill_from_finer(levels, velocity);
  fill_from_coarser(levels, velocity);
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::fill_pressures() {
  if (ranks.empty()) return;
  for (auto& level : levels) {
    auto const& of_level = *level->grid.body().ranks;
    of_level.fill_fluid(level->state.pressure);
    for (auto* past : level->guess.past()) of_level.fill_fluid(*past);
  }
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::set_clocks() {
  for (auto& level : levels) {
    level->state.time = time;
    level->state.step_count = step_count;
  }
}

template <class T, int Dim>
bool AdaptiveBody<T, Dim>::adapt() {
  if (domain.level_count() == 1) return false;
  auto const wanted = wanted_cells();
  if (has_cells(wanted)) return false;
  auto const of_guess = levels[0]->guess.numbers();
  auto const layout = layout_of(wanted);
  auto const kept = kept_leaves(wanted);
  auto const carried = carried_cells(wanted, layout, kept);
  auto const whole = carried_to(domain, sides, carried, whole_levels(wanted, carried));
  auto before = make_levels(wanted, layout);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    if (l < before.size() && !before[l]) continue;  // it stays
    if (l < before.size()) keep_values(*levels[l], *before[l], kept[l]);
    take_values(*levels[l], whole[l]);
    if (l < before.size()) before[l].reset();
  }
  before.clear();
  make_projection(wanted, layout);
  go_on(of_guess);
  for (auto& level : levels) level->guess.come_from_other_cells();
  return true;
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::go_on(std::map<std::string, double> const& of_guess) {
  for (auto& level : levels) level->guess.set_numbers(of_guess);
  fill_pressures();
  fill(state_velocity);
  fill_inks(levels);
  projection.set_gradient(levels, state_pressure);
  set_clocks();
}

template <class T, int Dim>
amr::SavedState<T, Dim> AdaptiveBody<T, Dim>::save() const {
  amr::SavedState<T, Dim> saved;
  saved.time = time;
  saved.step_count = step_count;
  saved.update_count = update_count;
  saved.cells = cells();
  for (auto const& level : levels) saved.states.push_back(saved_level(*level));
  saved.numbers = levels[0]->guess.numbers();
  return saved;
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::restore(amr::SavedState<T, Dim> const& saved) {
  expects(!saved.read || options.team != nullptr,
          "incompressible: a flow goes on from states; `read_checkpoint` reads them");
  auto wanted = saved.cells;
  expects(!wanted.empty() && wanted.size() <= static_cast<std::size_t>(domain.level_count()) &&
              (saved.read || wanted.size() == saved.states.size()) && wanted[0] == domain.fluid(0),
          "incompressible: the saved levels are not of this domain");
  wanted[0] = domain.fluid(0);
  for (std::size_t l = 1; l < wanted.size(); ++l)
    expects((wanted[l] - domain.fluid(static_cast<int>(l))).is_empty() &&
                (coarsen(wanted[l]) - wanted[l - 1]).is_empty(),
            "incompressible: the saved levels are not of this domain");
  make_levels(wanted);
  std::vector<IntervalSet<Dim>> own;
  for (auto const& level : levels) own.push_back(level->sets.own);
  auto const read = saved.read ? saved.read(own) : std::vector<Field<T, Dim>>();
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const& state = saved.read ? read[l] : saved.states[l];
    expects(state.domain() == (saved.read ? own : wanted)[l] &&
                state.component_count() == 2 * Dim + static_cast<int>(levels[l]->values().size()),
            "incompressible: the saved values are not those of a flow with these options");
    restore_level(*levels[l], state);
  }
  time = saved.time;
  step_count = saved.step_count;
  update_count = saved.update_count;
  go_on(saved.numbers);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template AdaptiveBody<T, Dim>::AdaptiveBody(amr::Domain<Dim> const&, AdaptiveOptions<Dim> const&);                   \
  template std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::cells() const;                                          \
  template std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::wanted_cells() const;                                   \
  template bool AdaptiveBody<T, Dim>::has_cells(std::vector<IntervalSet<Dim>> const&) const;                           \
  template Levels<T, Dim> AdaptiveBody<T, Dim>::make_levels(std::vector<IntervalSet<Dim>> const&,                      \
                                                            LevelLayout<Dim> const&);                                  \
  template void AdaptiveBody<T, Dim>::make_projection(std::vector<IntervalSet<Dim>> const&, LevelLayout<Dim> const&);  \
  template void AdaptiveBody<T, Dim>::fill(VelocityOf<T, Dim>);                                                        \
  template void AdaptiveBody<T, Dim>::fill_pressures();                                                                \
  template void AdaptiveBody<T, Dim>::set_clocks();                                                                    \
  template bool AdaptiveBody<T, Dim>::adapt();                                                                         \
  template amr::SavedState<T, Dim> AdaptiveBody<T, Dim>::save() const;                                                 \
  template void AdaptiveBody<T, Dim>::restore(amr::SavedState<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
