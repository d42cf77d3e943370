#pragma once
/// The sets at the edges of a level: cells outside the box, and faces at walls and at other levels.

#include <sparse/amr/hierarchy/level_sets.hpp>

namespace sparse::amr {

/// The faces normal to `axis` between a cell of `here` and a cell of `there`.
template <int Dim>
IntervalSet<Dim> faces_between(IntervalSet<Dim> const& here, IntervalSet<Dim> const& there, int axis);

/// Completes level l with `outside`, `wall_faces`, `sticking_faces` and the interfaces.
/// @param level           has its cells and storage, with the ghosts among it
/// @param covered_beside  the covered cells beside leaves
template <int Dim>
void add_edges(Domain<Dim> const& domain, LevelSets<Dim>& level, IntervalSet<Dim> const& covered_beside, int l);

}  // namespace sparse::amr
