#pragma once
/// The sets of cells that make up a level. They are found by set algebra alone.

#include <vector>

#include <sparse/amr/domain/domain.hpp>

namespace sparse::amr {

/// The sets of level l. All but `storage`, `valid` and `outside` lie in the box.
template <int Dim>
struct LevelSets {
  IntervalSet<Dim> cells;    ///< of the level, covered ones included
  IntervalSet<Dim> covered;  ///< cells with children at level l + 1
  IntervalSet<Dim> leaves;   ///< cells that are not covered: the solution
  /// Cells that a step computes: leaves, and the covered cells beside them. Slopes of finer ghosts need the latter.
  IntervalSet<Dim> update;
  /// All cells with values: `cells`, and all cells at most two steps across faces away from `update` or from its images
  /// across periodic sides. Up to two layers of them lie outside the box.
  IntervalSet<Dim> storage;
  IntervalSet<Dim> coarse_ghosts;  ///< fluid cells in storage that are not of the level; level l - 1 gives their values
  IntervalSet<Dim> curved_ghosts;  ///< solid cells in storage of bodies with a distance
  IntervalSet<Dim> face_ghosts;    ///< solid cells in storage of bodies whose walls are faces of cells
  /// [i] storage outside the box along i + 1 axes. These are filled in order: values at corners come from sides.
  Vec<IntervalSet<Dim>, Dim> outside;
  IntervalSet<Dim> valid;       ///< storage without ghosts: it has values at the beginning and at the end of a step
  IntervalSet<Dim> read;        ///< covered cells that steps of this level read
  IntervalSet<Dim> restricted;  ///< `read`, and the covered cells whose means coarser levels take
  /// [axis][side] faces between `update` and a face ghost at their lower (0) or upper (1) side. Face i along an axis
  /// lies between cells i - 1 and i. At periodic sides a face has the coordinates that the updated cell gives it.
  Vec<Vec<IntervalSet<Dim>, 2>, Dim> wall_faces;
  Vec<Vec<IntervalSet<Dim>, 2>, Dim> sticking_faces;  ///< the part of `wall_faces` at no-slip bodies
  Vec<IntervalSet<Dim>, Dim>
      fine_interface;  ///< [axis] faces between a cell and a coarse ghost; coordinates are the cell's
  Vec<IntervalSet<Dim>, Dim>
      coarse_interface;  ///< [axis] faces between a leaf and a covered cell; coordinates are the leaf's
};

/// The sets of all levels from their cells.
///
/// `cells[0]` is the whole fluid. Of each cell of level l - 1, `cells[l]` contains all fluid children or none. Levels
/// are nested: all fluid cells at most two away from a parent are of level l - 1. Near bodies all leaves are of the
/// body level, so interfaces between levels do not touch solid cells.
/// @param before  existing levels; their sets are reused where cells and children have the same identity
/// @throws std::invalid_argument  if there is no level, or more of them than the domain has
/// Cost: set algebra alone, a few dozen operations for each level that is not reused.
template <int Dim>
std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells,
                                       std::vector<LevelSets<Dim>> const& before = {});

/// The same from the cells and covered cells of levels; the other sets of `levels` are left out. Near a cell whose
/// surroundings have the cells and covered cells of whole levels, all sets are those of whole levels.
/// @param with_edges  whether to find `outside` and the faces, too
/// @throws std::invalid_argument  if there is no level, or more of them than the domain has
template <int Dim>
std::vector<LevelSets<Dim>> completed(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& levels,
                                      std::vector<LevelSets<Dim>> const& before = {}, bool with_edges = true);

/// Levels with these cells, and their covered cells. Sets of `before` are reused as in `level_sets`. Cost: an operation
/// per level that is not.
template <int Dim>
std::vector<LevelSets<Dim>> with_covered(std::vector<IntervalSet<Dim>> const& cells,
                                         std::vector<LevelSets<Dim>> const& before);

/// Whether two levels have the same cells and children. So a level that stays is recognised.
template <int Dim>
bool has_same_cells(LevelSets<Dim> const& a, LevelSets<Dim> const& b) {
  return a.cells.identity() == b.cells.identity() && a.covered.identity() == b.covered.identity();
}

}  // namespace sparse::amr
