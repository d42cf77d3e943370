#pragma once
/// Wave rates of levels, which bound the time step, and cells where no finite rate exists.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <sparse/amr/hierarchy/level.hpp>
#include <sparse/amr/hierarchy/reductions.hpp>
#include <sparse/amr/hierarchy/share.hpp>
#include <sparse/amr/problem.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::amr {

/// A cell whose state has no finite wave speed.
template <int Dim>
struct ImpossibleCell {
  /// Where and when a state became impossible.
  int level;
  Vec<Coord, Dim> cell;
  double time;

  /// A sentence for people.
  std::string text() const {
    std::string where = "level " + std::to_string(level) + ", cell (";
    for (int axis = 0; axis < Dim; ++axis) where += (axis > 0 ? ", " : "") + std::to_string(cell[axis]);
    return "no finite wave speed (negative density or pressure, or NaN) at time " + std::to_string(time) + ", " +
           where + ")";
  }
};

/// The greatest wave rate of the cells that level l of this rank computes [1/s]. Cost: a pass over them; waits.
template <class Law>
typename Law::Scalar rate_of(Problem<Law> const& problem, Level<Law> const& level, int l) {
  return wave_rate(problem.law, level.plans.update, level.current(), problem.inverse_spacing(l));
}

/// The greatest wave rate of all levels of this rank [1/s], from their stored rates. The rate of a level is divided by
/// its steps per step of level 0. Inflow states are included, because they can be faster than all states inside.
template <class Law>
typename Law::Scalar greatest_rate_here(Problem<Law> const& problem, Levels<Law> const& levels) {
  using Scalar = typename Law::Scalar;
  Scalar greatest = 0;
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    Level<Law> const& level = levels[l];
    Scalar rate = level.rate;
    if (level.plans.ghosts.sides.have_inflow()) rate = std::max(rate, problem.inflow_rate(l));
    rate = std::max(rate, wave_rate(problem.law, level.beyond_given, level.current(), problem.inverse_spacing(l)));
    Scalar const of_level = rate / static_cast<Scalar>(problem.options.steps_of(l));
    if (std::isnan(of_level) || of_level > greatest) greatest = of_level;  // a NaN stays: no comparison with it is true
  }
  return greatest;
}

/// The same of all ranks. Collective.
template <class Law>
typename Law::Scalar greatest_rate(Problem<Law> const& problem, Levels<Law> const& levels) {
  return agreed(problem.options.team, greatest_rate_here(problem, levels));
}

/// The first of the cells that ranks have found, if there is one. Collective.
template <int Dim>
std::optional<ImpossibleCell<Dim>> first_of(distributed::Team& team, std::optional<ImpossibleCell<Dim>> const& found,
                                            double time) {
  // The level, then the coordinates, the last one first: the order in which one process finds them. The ranks agree on
  // one number after the other; those with a greater one give up.
  constexpr std::int64_t none = std::int64_t{1} << 40;
  ImpossibleCell<Dim> first{0, {}, time};
  bool is_first = found.has_value();
  auto const agree = [&](std::int64_t number) {
    std::vector<std::uint64_t> greatest{static_cast<std::uint64_t>(none - (is_first ? number : none))};
    team.maximise(greatest);
    std::int64_t const least = none - static_cast<std::int64_t>(greatest[0]);
    is_first = is_first && number == least;
    return least;
  };
  std::int64_t const level = agree(is_first ? found->level : 0);
  if (level == none) return {};
  first.level = static_cast<int>(level);
  for (int axis = Dim - 1; axis >= 0; --axis) {
    std::int64_t const lowest = std::numeric_limits<Coord>::min();
    first.cell[axis] = static_cast<Coord>(agree(is_first ? found->cell[axis] - lowest : 0) + lowest);
  }
  return first;
}

/// The first cell whose state has no finite wave speed, coarser levels first; the same on all ranks. Collective.
/// Cost: a pass over each level; waits.
template <class Law>
std::optional<ImpossibleCell<Law::dimension>> find_impossible(Problem<Law> const& problem, Levels<Law> const& levels,
                                                              double time) {
  using Found = std::optional<ImpossibleCell<Law::dimension>>;
  auto const of_all = [&](Found const& found) {
    return problem.options.team == nullptr ? found : first_of(*problem.options.team, found, time);
  };
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    Level<Law> const& level = levels[l];
    FirstImpossible<Law> const search{{problem.law, level.current(), problem.inverse_spacing(l)}};
    Index const first = reduce<Kokkos::Min, Index>("sparse::amr::find_impossible", level.plans.update, search);
    if (first < level.sets.storage.cell_count())
      return of_all(ImpossibleCell<Law::dimension>{l, cell_of(level.sets.storage, first), time});
  }
  return of_all({});
}

}  // namespace sparse::amr
