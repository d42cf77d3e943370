#pragma once
/// The sets that belong to the levels of a composite problem.

#include <string>

#include <sparse/poisson/composite_problem.hpp>

namespace sparse::poisson::detail {

/// A level, or what a rank has of it.
template <int Dim>
struct CompositeLevel {
  IntervalSet<Dim> cells;    ///< of which values are stored
  IntervalSet<Dim> covered;  ///< those of them that have children
  IntervalSet<Dim> leaves;   ///< those that this process computes
  IntervalSet<Dim> known;    ///< leaves of which values are stored; over ranks also some of others
  Problem<Dim> of_leaves;    ///< the problem on the leaves alone, with walls beyond them; Dirichlet faces of all ranks
  /// [arm] leaves whose neighbour there is covered: the coarse side of an interface with the next level
  Vec<IntervalSet<Dim>, 2 * Dim> facing = {};
  /// [arm] cells whose neighbour there is a leaf of the level before: the fine side
  Vec<IntervalSet<Dim>, 2 * Dim> rims = {};
  IntervalSet<Dim> beside;    ///< all leaves at an interface
  IntervalSet<Dim> averaged;  ///< covered cells whose means fluxes need
  double volume = 1;          ///< of a cell, in cells of level 0

  Vec<Coord, Dim> const& period() const { return of_leaves.period; }
  Grid<Dim> const& grid() const { return of_leaves.grid; }
};

/// What a problem has in common with another one.
template <int Dim>
class CommonLevels {
public:
  /// Nothing.
  CommonLevels() = default;
  CommonLevels(CompositeProblem<Dim> const& problem, CompositeProblem<Dim> const& other);

  /// Whether a level has the same cells, or is in neither; what is level -1 does not matter.
  bool has_cells(std::size_t l) const { return l < has_cells_.size() && has_cells_[l] != 0; }
  /// Whether all that belongs to the leaves of a level is the same: its cells, those of the levels beside it, and
  /// Dirichlet faces.
  bool stays(std::size_t l) const {
    return has_cells(l) && has_faces_[l] != 0 && (l == 0 || has_cells(l - 1)) && has_cells(l + 1);
  }

private:
  std::vector<char> has_cells_, has_faces_;
};

/// @param common  levels that stay are those of `last`, which may be null if there are none
/// @throws std::invalid_argument  if the problem does not make sense
template <int Dim>
std::vector<CompositeLevel<Dim>> composite_levels(CompositeProblem<Dim> const& problem, CommonLevels<Dim> const& common,
                                                  std::vector<CompositeLevel<Dim>> const* last);

/// The cells of a set whose neighbour at an arm is in another set.
template <int Dim>
IntervalSet<Dim> with_neighbour_in(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& others, int arm,
                                   Vec<Coord, Dim> const& period);

/// The set, and where the grid is periodic, also the set a period away on either side.
template <int Dim>
IntervalSet<Dim> with_images(IntervalSet<Dim> set, Vec<Coord, Dim> const& period);

/// @throws std::invalid_argument  if there are cells in `wrong`, all of which are on level l. @param what  is true of
/// these
template <int Dim>
void expect_none(IntervalSet<Dim> const& wrong, std::size_t l, std::string const& what);

}  // namespace sparse::poisson::detail
