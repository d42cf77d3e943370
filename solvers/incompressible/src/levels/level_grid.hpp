#pragma once
/// The cells of one level of a flow, and its staggered grid.

#include <functional>
#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/incompressible/grid/staggered_grid.hpp>

#include "face_transfer.hpp"
#include "grid/ranks.hpp"

namespace sparse::incompressible::detail {

/// What is given at boundaries: velocities at the sides of the box, and curved walls of bodies.
template <int Dim>
struct LevelBoundary {
  Vec<double, Dim> inflow = {};
  std::function<double(Vec<double, Dim> const& position)> profile = {};  ///< of inflows; see `BoundaryPart`
  Vec<Vec<Vec<double, Dim>, 2>, Dim> walls = {};                         ///< [axis][0 lower, 1 upper]
  SignedDistance<Dim> surface = {};   ///< of curved walls, which are in cells of the finest level; else empty
  BodyNumber<Dim> nearest_body = {};  ///< of bodies with curved walls
};

/// The cells of a level. Sets lie in the box; with periods, images do not count.
template <int Dim>
struct LevelCells {
  IntervalSet<Dim> cells, covered, all_leaves;  ///< of all ranks
  IntervalSet<Dim> own, leaves;                 ///< cells and leaves that no other rank has
  IntervalSet<Dim> covered_ring;                ///< covered cells at most two away from leaves, also along diagonals
  IntervalSet<Dim> parents;                     ///< leaves of the next coarser level that have the ghosts
  IntervalSet<Dim> ghosts;  ///< cells at most two away from those of the level, also along diagonals
  /// Leaves, and the cells around them that have values, too: of this rank, and of all. Without leaves all cells; steps
  /// leave those alone.
  IntervalSet<Dim> stored, all_stored;
};

/// @param cells  of all levels, nested as `amr::nested_cells` makes them
template <int Dim>
LevelCells<Dim> level_cells(amr::Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells, int level);

/// The levels of one of several ranks. It stores its own leaves, all that their steps read, and what gives the ghosts
/// and the covered cells among this their values. These, and leaves of others, have the values of the whole once leaves
/// have those of their owners.
/// @param all  levels of all ranks
/// @param own    [level] the cells that no other rank owns
/// @param reach  how far from leaves what their steps read may lie, on the finest level; 2 on others
template <int Dim>
std::vector<LevelCells<Dim>> part_of(amr::Domain<Dim> const& domain, std::vector<LevelCells<Dim>> const& all,
                                     std::vector<IntervalSet<Dim>> const& own, Coord reach = 2);

/// The grid of leaves and ring of a level. Faces at the edge of the ring count as outflow: they are computed like
/// others, and mean nothing. Bodies are cells, or with curved walls what these leave no opening of.
/// @param ranks         that share the level, or nullptr; then collective
/// @param period_begin  where periods begin: the lowest coordinates of what all ranks store
/// @throws std::invalid_argument  as `StaggeredGrid`
template <int Dim>
StaggeredGrid<Dim> level_grid(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                              IntervalSet<Dim> const& fluid, int level, LevelRanks<Dim> const* ranks = nullptr,
                              Vec<Coord, Dim> const& period_begin = {});

/// What is known of velocities at the sides of the box, where they are beside these cells.
template <int Dim>
SideFaces<Dim> side_faces_of(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                             IntervalSet<Dim> const& cells, int level);

/// The faces of cells at those sides of the box that are outflows.
template <int Dim>
FaceSets<Dim> outflow_faces(amr::Domain<Dim> const& domain, IntervalSet<Dim> const& cells, int level);

/// Cells c and c + period of a level are the same.
template <int Dim>
Periodicity<Dim> periodicity_of(amr::Domain<Dim> const& domain, int level);

}  // namespace sparse::incompressible::detail
