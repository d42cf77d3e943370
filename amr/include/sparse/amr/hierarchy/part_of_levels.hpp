#pragma once
/// The part of the levels that one of several ranks computes.

#include <vector>

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/hierarchy/rim.hpp>

namespace sparse::amr {

/// The sets with which one of several ranks steps its part of the levels. Fields on their storage, and the plans of
/// `level_plans` and `sweep_plan` on them, give the same bits as those of all levels.
template <int Dim>
struct PartOfLevels {
  /// [level] As of `level_sets`, without `read`. Cells, leaves, faces and the cells that a step computes are those of
  /// the rank. Storage has all that they read, and the ghosts among it get their values as in the whole.
  std::vector<LevelSets<Dim>> sets;
  /// [level] cells in storage, and in the box, whose values come from other ranks: those that steps read, and those
  /// that only criteria and new levels look at
  std::vector<IntervalSet<Dim>> received, beside;
  /// [level] the cells that ghosts of the next finer level read; part of the storage. Without those deep in a rim.
  std::vector<IntervalSet<Dim>> read_by_finer;
  /// [level][axis] the faces of the next finer level at leaves of the rank. Their cells may be those of other ranks.
  std::vector<Vec<IntervalSet<Dim>, Dim>> fine_faces;
};

/// What a rank owns of a level.
template <int Dim>
struct OwnSets {
  IntervalSet<Dim> cells, covered, leaves, update;

  OwnSets() = default;
  /// @param part  gives the part of a set that the rank owns
  template <class Part>
  OwnSets(LevelSets<Dim> const& all, Part const& part) : cells(part(all.cells)), covered(part(all.covered)) {
    leaves = all.leaves.identity() == all.cells.identity() ? cells : part(all.leaves);
    update = all.update.identity() == all.leaves.identity() ? leaves : part(all.update);
  }
};

/// Storage of a rank is a closure: what its stencils read, and what the ghosts among this read in turn. Interpolated
/// ghosts read parents and their neighbours on the next coarser level; cells outside the box their sources, or images
/// across a period; ghosts in bodies the fluid near them. None of these is received, because each rank fills them
/// itself from cells in the box.
/// @param sets     of all levels
/// @param own      [level] what the rank owns of them
/// @param refined  [level] cells that take their first values from the next coarser level, or fewer levels; storage has
///                 what they read
/// @param kept     [level] sets that the rank keeps for its part of a level, or nullptr; or fewer levels. Only their
///                 `restricted` is found anew.
/// @param first    levels coarser than this are left out, but for `read_by_finer`
/// @param rims     [level] where sets may not be those of the level; or fewer levels
/// @throws std::invalid_argument  if `own` has another number of levels
template <int Dim>
PartOfLevels<Dim>
part_of_levels(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets, std::vector<OwnSets<Dim>> const& own,
               std::vector<IntervalSet<Dim>> const& refined = {}, std::vector<LevelSets<Dim> const*> const& kept = {},
               int first = 0, std::vector<Rim<Dim>> const& rims = {});

/// How far from a curved ghost the cells lie that it takes its values from.
template <int Dim>
Coord image_reach(Domain<Dim> const& domain);

}  // namespace sparse::amr
