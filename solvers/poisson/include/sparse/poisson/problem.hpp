#pragma once
/// Poisson and Helmholtz problems on a set of cells.

#include <array>
#include <memory>

#include <sparse/base/grid.hpp>
#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>
#include <sparse/fields/field.hpp>

namespace sparse::poisson {

/// `zeroth_order p - div(c grad p) = b` for the means p of the cells of a set.
///
/// The flow through a face between two cells of the set is `c (p_i - p_j) / h`. Through other faces nothing flows
/// (homogeneous Neumann), unless p is given there (Dirichlet). Cells that are not in the set cost nothing. Lengths may
/// have any unit.
template <int Dim>
struct Problem {
  /// Where there are unknowns, one per cell.
  IntervalSet<Dim> cells;
  Grid<Dim> grid = {};      ///< cell widths h = grid.spacing > 0; the matrix does not depend on the origin
  double coefficient = 1;   ///< c > 0, unless it is given by face
  double zeroth_order = 0;  ///< >= 0 [coefficient / length^2]
  /// [axis] faces normal to the axis on which p is given, each with a cell of the set on one side only. Face i lies
  /// between cells i - 1 and i (see sparse/sets/faces.hpp).
  std::array<IntervalSet<Dim>, Dim> dirichlet = {};
  /// [axis] cells c and c + period are the same; 0 where nothing repeats. The set must fit into one period.
  Vec<Coord, Dim> period = {};
  /// [axis] c, at least on the faces between cells and on those where p is given; null if it is constant.
  std::array<std::shared_ptr<Field<double, Dim> const>, Dim> face_coefficient = {};

  /// The ranks that share the cells, each with the rows of a part; nullptr: this process has all. All ranks give the
  /// same problem, with the cells of all. It must outlive whatever is made of the problem.
  distributed::Team* team = nullptr;
  /// Whether ranks add up without rounding. Then results are the same bits for any number of ranks, one included. A
  /// solution takes about half as long again. Else they agree to rounding. Without a team it has no effect; for one
  /// process, `distributed::alone()` is a team.
  bool has_exact_sums = false;
  /// How cells are dealt out to ranks. Units are wider where coarse levels need that.
  distributed::PartitionOptions partition = {};
  /// Of a multigrid level that ranks share; all ranks compute the whole of smaller ones. > 0
  Index least_shared_cells = 32768;
};

}  // namespace sparse::poisson
