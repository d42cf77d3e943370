#pragma once
/// The part of the levels that one of several ranks computes.

#include <vector>

#include <sparse/amr/hierarchy/level_sets.hpp>

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
  /// [level] the cells that ghosts of the next finer level read; part of the storage
  std::vector<IntervalSet<Dim>> read_by_finer;
  /// [level][axis] the faces of the next finer level at leaves of the rank. Their cells may be those of other ranks.
  std::vector<Vec<IntervalSet<Dim>, Dim>> fine_faces;
};

/// Storage of a rank is a closure: what its stencils read, and what the ghosts among this read in turn. Interpolated
/// ghosts read parents and their neighbours on the next coarser level; cells outside the box their sources, or images
/// across a period; ghosts in bodies the fluid near them. None of these is received, because each rank fills them
/// itself from cells in the box.
/// @param sets     of all levels
/// @param regions  [level] the cells in the box of which the rank owns those that a level has
/// @param refined  [level] cells that take their first values from the next coarser level, or fewer levels; storage has
///                 what they read
/// @param kept     [level] sets that the rank keeps for its part of a level, or nullptr; or fewer levels. Only their
///                 `restricted` is found anew.
/// @param first    levels coarser than this are left out, but for `read_by_finer`
/// @throws std::invalid_argument  if there is not a region for each level
template <int Dim>
PartOfLevels<Dim> part_of_levels(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets,
                                 std::vector<IntervalSet<Dim>> const& regions,
                                 std::vector<IntervalSet<Dim>> const& refined = {},
                                 std::vector<LevelSets<Dim> const*> const& kept = {}, int first = 0);

/// How far from a curved ghost the cells lie that it takes its values from.
template <int Dim>
Coord image_reach(Domain<Dim> const& domain);

}  // namespace sparse::amr
