#pragma once
/// The sets of cells that make up a level, by set algebra alone.

#include <vector>

#include <sparse/amr/domain/domain.hpp>

namespace sparse::amr {

/// One level l. All sets but `storage`, `valid` and `outside` lie in the box.
template <int Dim>
struct LevelSets {
  IntervalSet<Dim> cells;    ///< of the level, covered ones included
  IntervalSet<Dim> covered;  ///< cells with children at level l + 1
  IntervalSet<Dim> leaves;   ///< cells that are not covered: the solution
  /// What a step computes: leaves, and the covered cells beside them, which finer ghosts have slopes from.
  IntervalSet<Dim> update;
  /// All cells with values: `cells`, and everything at most two steps across faces away from `update` or from its
  /// images across periodic sides, in the box and up to two layers outside.
  IntervalSet<Dim> storage;
  IntervalSet<Dim> coarse_ghosts;  ///< fluid in storage that is not of the level: values come from level l - 1
  IntervalSet<Dim> curved_ghosts;  ///< solid cells in storage of bodies with a distance
  IntervalSet<Dim> face_ghosts;    ///< solid cells in storage of bodies whose walls are faces of cells
  /// [i] storage outside the box along i + 1 axes: filled one after the other, corners find what they look at.
  Vec<IntervalSet<Dim>, Dim> outside;
  IntervalSet<Dim> valid;       ///< storage with values at the beginning and the end of a step: no ghosts of any kind
  IntervalSet<Dim> read;        ///< covered cells that steps of this level read
  IntervalSet<Dim> restricted;  ///< those, and the ones that coarser levels need to get theirs from
  /// [axis][side] faces between `update` and a face ghost, which is at the lower (0) or the upper (1) side of the face.
  /// Face i along an axis lies between cells i - 1 and i; on periodic sides it is where the updated cell has it.
  Vec<Vec<IntervalSet<Dim>, 2>, Dim> wall_faces;
  Vec<Vec<IntervalSet<Dim>, 2>, Dim> sticking_faces;  ///< the part of `wall_faces` at no-slip bodies
  Vec<IntervalSet<Dim>, Dim> fine_interface;  ///< [axis] faces between a cell and a coarse ghost, where the cell has it
  Vec<IntervalSet<Dim>, Dim>
      coarse_interface;  ///< [axis] faces between a leaf and a covered cell, where the leaf has it
};

/// The sets of all levels from their cells. `cells[0]` is the whole fluid; `cells[l]` consists of whole families (all
/// fluid children of a cell of level l - 1) and is nested: all fluid cells at most two away from a parent are cells of
/// level l - 1. Near bodies all leaves are of the body level, so interfaces do not touch solid cells.
/// @param before  other levels, from which sets are taken over where cells and children have the same identity
template <int Dim>
std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells,
                                       std::vector<LevelSets<Dim>> const& before = {});

/// Whether the two are made of the same cells and children: so a level that stays is recognised.
template <int Dim>
bool has_same_cells(LevelSets<Dim> const& a, LevelSets<Dim> const& b) {
  return a.cells.identity() == b.cells.identity() && a.covered.identity() == b.covered.identity();
}

/// The cells of each level for the wish to refine `tagged[l]` at levels l = 0, 1, ...: tags grow by `buffers[l]` cells,
/// all cells around a body are refined up to the body level and no further, and coarser levels grow until all are
/// nested.
/// @param buffers  of levels 0, 1, ...; the last one counts for all finer levels
template <int Dim>
std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                           std::vector<Coord> const& buffers);

/// How far refined cells must reach beyond tags, and how far they do after a change.
struct RegridMargins {
  std::vector<Coord> least;  ///< buffers as of `nested_cells`; a level with less changes
  std::vector<Coord> given;  ///< buffers of a level that changes
  double excess = 0;         ///< part by which a level may have more cells than after a change
};

/// The same for levels that are there already: those that will do stay, with their identities.
/// @param base  this level and all coarser ones stay in any case; finer ones get what of the wish is nested in it
template <int Dim>
std::vector<IntervalSet<Dim>> adapted_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                            RegridMargins const& margins, std::vector<LevelSets<Dim>> const& levels,
                                            int base = 0);

}  // namespace sparse::amr
