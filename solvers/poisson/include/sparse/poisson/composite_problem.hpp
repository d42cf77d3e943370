#pragma once
/// Poisson and Helmholtz problems on the leaves of several levels.

#include <vector>

#include <sparse/poisson/problem.hpp>

namespace sparse::poisson {

/// `zeroth_order p - div(c grad p) = b` for the means p of the leaves of a hierarchy of levels.
///
/// Cell c of a level covers the cells 2c + {0, 1}^Dim of the next one. A cell with children in the set of the next
/// level is covered; the others are leaves. Cells that are in no level are solid. Level 0 has all cells of the domain.
/// - A cell with one child has all of them, but for solid ones.
/// - Levels are nested: cells of the domain that are at most two away from a covered cell, also along diagonals, are
///   of the level of that cell.
/// Nothing is asked of bodies, but solutions are second order only where bodies stay away from interfaces.
template <int Dim>
struct CompositeProblem {
  std::vector<IntervalSet<Dim>> cells;  ///< [level] covered ones included; fewer than 2^31 each
  Grid<Dim> grid = {};                  ///< of level 0; spacings > 0 are halved from level to level
  double coefficient = 1;               ///< c > 0, unless it is given by face
  double zeroth_order = 0;              ///< >= 0 [coefficient / length^2]
  /// [level][axis] faces of leaves on which p is given, each with the domain on one side only. Levels may be missing at
  /// the end.
  std::vector<std::array<IntervalSet<Dim>, Dim>> dirichlet = {};
  /// [axis] of level 0: cells c and c + period are the same; 0 where nothing repeats. The domain must fit into a
  /// period.
  Vec<Coord, Dim> period = {};
  /// [level][axis] c > 0 on the faces of leaves: those between leaves, those where p is given, and at interfaces those
  /// of the finer level. The same on both sides of a period. Empty if c is constant; else there is a field for each
  /// level and axis, which may have more faces. Values are means over faces, so solutions are second order where c is
  /// smooth.
  std::vector<std::array<std::shared_ptr<Field<double, Dim> const>, Dim>> face_coefficient = {};

  /// The ranks that share the leaves; nullptr: this process has all. All ranks give the same problem, with the cells of
  /// all. Each level is cut by itself. It must outlive whatever is made of the problem.
  distributed::Team* team = nullptr;
  /// As in `Problem`.
  bool has_exact_sums = false;
  /// How cells are dealt out to ranks. Units have at least two cells per axis.
  distributed::PartitionOptions partition = {};
  /// Of level 0, or of one below it, that ranks share; all ranks compute the whole of smaller ones. > 0
  Index least_shared_cells = 32768;
};

/// One field on the leaves of each level.
template <class T, int Dim>
using LevelFields = std::vector<Field<T, Dim>>;

/// Fields on faces: [level][axis].
template <class T, int Dim>
using LevelFaceFields = std::vector<std::array<Field<T, Dim>, Dim>>;

/// The leaves of each level: the cells without children.
/// @throws std::invalid_argument  if a child has no parent
template <int Dim>
std::vector<IntervalSet<Dim>> leaves_of(std::vector<IntervalSet<Dim>> const& cells);

}  // namespace sparse::poisson
