#pragma once
/// Levels as they are carried over when levels change, and saved.

#include <map>
#include <string>
#include <vector>

#include "level.hpp"

namespace sparse::incompressible::detail {

/// What outlives a step, on all cells of a level, covered ones included.
template <class T, int Dim>
struct WholeLevel {
  IntervalSet<Dim> cells, covered;
  FaceStore<Dim> store;
  Field<T, Dim> velocity;
  Field<T, Dim> values;  // those of `Level::values`, on the cells
  int ink_count;         // the last ones of these
};

/// target = source where both have cells, images included: storages of faces differ in the end of a period at which
/// they have the faces of its seam.
template <class T, int Dim>
void copy_faces(Field<T, Dim>& target, Field<T, Dim> const& source, Vec<Coord, Dim> const& period);

/// Some cells of a level with the values of its leaves. Covered cells have 0.
template <class T, int Dim>
WholeLevel<T, Dim> whole_level(amr::Domain<Dim> const& domain, Level<T, Dim>& level, int number,
                               IntervalSet<Dim> const& cells);
/// The same with leaves of other ranks. @param leaves  what `saved_level` has of the leaves among the cells
template <class T, int Dim>
WholeLevel<T, Dim> whole_level(amr::Domain<Dim> const& domain, Level<T, Dim>& level, int number,
                               IntervalSet<Dim> const& cells, Field<T, Dim> const& leaves);

/// The covered cells of each level whose means a change of levels needs: those that cease to be covered, those beside
/// cells that become so, from which children get their values, and where the next coarser level needs means of them.
/// @param wanted  the cells to which `carried_to` will carry the levels
template <class T, int Dim>
std::vector<IntervalSet<Dim>> needed_means(amr::Domain<Dim> const& domain, Levels<T, Dim> const& levels,
                                           std::vector<IntervalSet<Dim>> const& wanted);
/// Gives covered cells the means of their children. @param of  [level] which
template <class T, int Dim>
void take_means(amr::Domain<Dim> const& domain, std::vector<WholeLevel<T, Dim>>& levels,
                std::vector<IntervalSet<Dim>> const& of);

/// Carries whole levels over to other cells. Cells that exist keep their values. The velocity of others is that of
/// `FaceSplits`, their pressures are linear prolongations, and their inks those of `CellSplits`.
template <class T, int Dim>
std::vector<WholeLevel<T, Dim>> carried_to(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                                           std::vector<IntervalSet<Dim>> const& cells,
                                           std::vector<WholeLevel<T, Dim>> const& from);

/// A level just made takes the values of leaves that another had before. Values elsewhere are not changed, velocities
/// may be.
/// @param leaves  of both
template <class T, int Dim>
void keep_values(Level<T, Dim>& level, Level<T, Dim>& before, IntervalSet<Dim> const& leaves);
/// A level just made takes the values of the leaves among the cells of a whole level. Values elsewhere are not changed.
template <class T, int Dim>
void take_values(Level<T, Dim>& level, WholeLevel<T, Dim> const& from);

/// What outlives a step, in one field on the cells that the rank owns of a level: the velocities on the lower faces of
/// leaves, those on their upper faces, and the values of `Level::values`. Covered cells have 0.
template <class T, int Dim>
Field<T, Dim> saved_level(Level<T, Dim>& level);
/// A level just made takes the values of leaves from such a field.
template <class T, int Dim>
void restore_level(Level<T, Dim>& level, Field<T, Dim> const& saved);

}  // namespace sparse::incompressible::detail
