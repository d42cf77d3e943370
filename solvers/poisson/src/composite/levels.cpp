#include "levels.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::poisson {
namespace detail {
namespace {

/// Beyond, a grid would have more cells along an axis than there are coordinates.
constexpr std::size_t most_levels = 30;

std::string name_of_level(std::size_t l) { return "poisson: level " + std::to_string(l) + ": "; }

/// Fails if a level has more cells, or more at its interfaces, than records of interfaces can count.
template <int Dim>
void expect_countable(CompositeLevel<Dim> const& level, std::size_t l) {
  Index parts = 0, given = 0;
  for (int arm = 0; arm < 2 * Dim; ++arm) parts += level.facing[arm].cell_count() << (Dim - 1);
  for (int axis = 0; axis < Dim; ++axis) given += level.of_leaves.dirichlet[axis].cell_count();
  Index const most = std::max({level.cells.cell_count() + level.averaged.cell_count(), parts, given});
  if (most > std::numeric_limits<std::int32_t>::max() - 2)
    fail(name_of_level(l) + std::to_string(level.cells.cell_count()) +
         " cells and their interfaces are too many for 32-bit positions");
}

template <int Dim>
void expect_dirichlet_on_leaves(std::vector<CompositeLevel<Dim>> const& levels, std::size_t l) {
  auto const& level = levels[l];
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = level.of_leaves.dirichlet[axis];
    if (faces.is_empty()) continue;
    auto const below = shift(level.leaves, axis, 1);
    expect_none(faces - (level.leaves | below), l, "a Dirichlet face is not a leaf's,");
    for (int arm = 2 * axis; arm < 2 * axis + 2; ++arm) {
      auto const owner = arm % 2 == 0 ? faces & level.leaves : faces & below;
      auto const owners = arm % 2 == 0 ? owner : shift(owner, axis, -1);
      expect_none(with_neighbour_in(owners, level.cells, arm, level.period()), l,
                  "a Dirichlet face has cells on both sides,");
      expect_none(owners & level.rims[arm], l, "a Dirichlet face lies at an interface,");
      expect_none(level.rims[arm ^ 1] & owners, l,
                  "a Dirichlet face lies one cell away from an interface that is parallel to it,");
    }
  }
}

}  // namespace

template <int Dim>
void expect_none(IntervalSet<Dim> const& wrong, std::size_t l, std::string const& what) {
  if (wrong.is_empty()) return;
  auto const place = cell_of(wrong, 0);
  std::string text;
  for (int axis = 0; axis < Dim; ++axis) text += (axis == 0 ? "(" : ", ") + std::to_string(place[axis]);
  fail(name_of_level(l) + what + " at " + text + ")");
}

template <int Dim>
IntervalSet<Dim> with_images(IntervalSet<Dim> set, Vec<Coord, Dim> const& period) {
  for (int axis = 0; axis < Dim; ++axis)
    if (period[axis] > 0) set = set | shift(set, axis, period[axis]) | shift(set, axis, -period[axis]);
  return set;
}

template <int Dim>
IntervalSet<Dim> with_neighbour_in(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& others, int arm,
                                   Vec<Coord, Dim> const& period) {
  if (cells.is_empty() || others.is_empty()) return {};
  int const axis = arm / 2;
  Coord const step = arm % 2 == 0 ? -1 : 1;
  auto found =
      sparse::detail::combine<Dim>(cells.context(), cells.rows(),
                                   moved(others.rows(), Vec<Coord, Dim>::along(axis, -step)), sparse::detail::in_both);
  if (period[axis] == 0) return found;
  return found |
         sparse::detail::combine<Dim>(cells.context(), cells.rows(),
                                      moved(others.rows(), Vec<Coord, Dim>::along(axis, step * (period[axis] - 1))),
                                      sparse::detail::in_both);
}

template <int Dim>
CommonLevels<Dim>::CommonLevels(CompositeProblem<Dim> const& problem, CompositeProblem<Dim> const& other) {
  if (problem.team != nullptr || other.team != nullptr) return;  // ranks cut all levels anew
  if (!problem.face_coefficient.empty() || !other.face_coefficient.empty()) return;
  bool const has_same_grid = problem.grid.origin == other.grid.origin && problem.grid.spacing == other.grid.spacing;
  if (!has_same_grid || !(problem.period == other.period) || problem.coefficient != other.coefficient ||
      problem.zeroth_order != other.zeroth_order)
    return;
  auto const cells_of = [](CompositeProblem<Dim> const& of, std::size_t l) {
    return l < of.cells.size() ? of.cells[l] : IntervalSet<Dim>();
  };
  auto const faces_of = [](CompositeProblem<Dim> const& of, std::size_t l) {
    return l < of.dirichlet.size() ? of.dirichlet[l] : std::array<IntervalSet<Dim>, Dim>();
  };
  for (std::size_t l = 0; l <= std::max(problem.cells.size(), other.cells.size()); ++l) {
    has_cells_.push_back(cells_of(problem, l).identity() == cells_of(other, l).identity() ? 1 : 0);
    has_faces_.push_back(faces_of(problem, l) == faces_of(other, l) ? 1 : 0);
  }
}

template <int Dim>
std::vector<CompositeLevel<Dim>> composite_levels(CompositeProblem<Dim> const& problem, CommonLevels<Dim> const& common,
                                                  std::vector<CompositeLevel<Dim>> const* last) {
  auto const count = problem.cells.size();
  expects(count > 0, "poisson: there are no levels");
  if (count > most_levels) fail("poisson: there are more than " + std::to_string(most_levels) + " levels");
  expects(problem.dirichlet.size() <= count, "poisson: there are Dirichlet faces on more levels than there are");
  bool const has_coefficients = !problem.face_coefficient.empty();
  expects(!has_coefficients || problem.face_coefficient.size() == count,
          "poisson: there must be face coefficients for each level or for none");
  for (auto const& of_level : problem.face_coefficient)
    for (auto const& field : of_level)
      expects(field != nullptr && field->component_count() == 1,
              "poisson: there must be a field of face coefficients, with one component, for each level and axis");
  for (std::size_t l = 0; l < count; ++l)
    if (problem.cells[l].is_empty()) fail(name_of_level(l) + "the set has no cells");
  std::vector<CompositeLevel<Dim>> levels(count);
  for (std::size_t l = 0; l < count; ++l) {
    auto& level = levels[l];
    if (common.stays(l)) {
      level = (*last)[l];
      continue;
    }
    level.cells = problem.cells[l];
    if (l + 1 < count) level.covered = coarsen(problem.cells[l + 1]);
    expect_none(level.covered - level.cells, l, "a cell is not in the set, but has children,");
    level.known = level.leaves = level.covered.is_empty() ? level.cells : level.cells - level.covered;
    level.volume = l == 0 ? 1 : levels[l - 1].volume / (1 << Dim);
    level.of_leaves = {level.leaves,
                       problem.grid.level(static_cast<int>(l)),
                       problem.coefficient,
                       problem.zeroth_order,
                       {},
                       static_cast<Coord>(1 << l) * problem.period,
                       {}};
    if (l < problem.dirichlet.size()) level.of_leaves.dirichlet = problem.dirichlet[l];
    if (has_coefficients) level.of_leaves.face_coefficient = problem.face_coefficient[l];
  }
  auto const bounds = levels[0].cells.bounds();
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const period = problem.period[axis];
    std::string const which = " on axis " + std::to_string(axis);
    if (period < 0) fail("poisson: the period is negative" + which);
    if (period > 0 && bounds.end[axis] - bounds.begin[axis] > period)
      fail("poisson: the set does not fit into one period" + which);
    if (period > 0 && period >= (Coord{1} << 30) >> (count - 1)) fail("poisson: the period is too large" + which);
  }
  for (std::size_t l = 0; l + 1 < count; ++l) {
    auto &level = levels[l], &finer = levels[l + 1];
    bool const is_new = !common.stays(l), is_finer_new = !common.stays(l + 1);
    if (!is_new && !is_finer_new) continue;
    if (l > 0 && is_new) {
      auto const near = with_images(expand(level.covered, 2), level.period());
      expect_none((near - level.cells) & refine(levels[l - 1].leaves), l,
                  "levels are not nested: a cell is missing that is less than three away from one with children,");
    }
    IntervalSet<Dim> facing;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (is_new) level.facing[arm] = with_neighbour_in(level.leaves, level.covered, arm, level.period());
      facing = facing | level.facing[arm];
    }
    if (is_new) {
      level.beside = level.beside | facing;
      level.averaged = level.covered & with_images(expand(facing, 1), level.period());
    }
    if (!is_finer_new) continue;
    auto const beyond = refine(facing);
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      finer.rims[arm] = with_neighbour_in(finer.cells, beyond, arm, finer.period());
      finer.beside = finer.beside | finer.rims[arm];
    }
  }
  for (std::size_t l = 0; l < count; ++l) {
    if (common.stays(l)) continue;
    expect_countable(levels[l], l);
    expect_dirichlet_on_leaves(levels, l);
  }
  return levels;
}

template IntervalSet<2> with_images(IntervalSet<2>, Vec<Coord, 2> const&);
template IntervalSet<3> with_images(IntervalSet<3>, Vec<Coord, 3> const&);
template void expect_none(IntervalSet<2> const&, std::size_t, std::string const&);
template void expect_none(IntervalSet<3> const&, std::size_t, std::string const&);
template IntervalSet<2> with_neighbour_in(IntervalSet<2> const&, IntervalSet<2> const&, int, Vec<Coord, 2> const&);
template IntervalSet<3> with_neighbour_in(IntervalSet<3> const&, IntervalSet<3> const&, int, Vec<Coord, 3> const&);
template class CommonLevels<2>;
template class CommonLevels<3>;
template std::vector<CompositeLevel<2>> composite_levels(CompositeProblem<2> const&, CommonLevels<2> const&,
                                                         std::vector<CompositeLevel<2>> const*);
template std::vector<CompositeLevel<3>> composite_levels(CompositeProblem<3> const&, CommonLevels<3> const&,
                                                         std::vector<CompositeLevel<3>> const*);

}  // namespace detail

template <int Dim>
std::vector<IntervalSet<Dim>> leaves_of(std::vector<IntervalSet<Dim>> const& cells) {
  std::vector<IntervalSet<Dim>> leaves;
  for (std::size_t l = 0; l < cells.size(); ++l) {
    auto const covered = l + 1 < cells.size() ? coarsen(cells[l + 1]) : IntervalSet<Dim>();
    detail::expect_none(covered - cells[l], l, "a cell is not in the set, but has children,");
    leaves.push_back(covered.is_empty() ? cells[l] : cells[l] - covered);
  }
  return leaves;
}
template std::vector<IntervalSet<2>> leaves_of(std::vector<IntervalSet<2>> const&);
template std::vector<IntervalSet<3>> leaves_of(std::vector<IntervalSet<3>> const&);

}  // namespace sparse::poisson
