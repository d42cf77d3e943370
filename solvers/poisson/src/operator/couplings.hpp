#pragma once
/// The matrix of a Poisson problem as runs of cells that are coupled to their neighbours in the same way.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <sparse/plans/plan.hpp>
#include <sparse/poisson/problem.hpp>

#include "operator/seams.hpp"
#include "passes/pipeline.hpp"

namespace sparse::poisson::detail {

/// Consecutive cells of a row whose neighbours lie at constant offsets. In 3D runs are short, and kernels read as many
/// bytes of them as of values, so they are small. Arm 2 axis goes to the lower neighbour, arm
/// 2 axis + 1 to the upper one (see `face_arms`).
template <class T, int Dim>
struct CouplingRun {
  RowKey key;
  Index first;                   ///< position of the first cell
  Index parent;                  ///< position of its parent in the next coarser set
  std::int32_t offset[2 * Dim];  ///< of the neighbours; 0 where there is none
  Coord x;                       ///< of the first cell
  std::int32_t count;            ///< cells
  std::uint16_t colour;          ///< of the first cell: sum of its coordinates, modulo 2
  std::uint16_t dirichlet_arms;  ///< bit: p is given at this arm; on the finest level only
  std::uint16_t is_uniform;      ///< whether all cells have the couplings below
  std::uint16_t is_foreign;      ///< whether another rank owns the cells, so that sums here leave them out
  T weight[2 * Dim];             ///< c / h^2, or 1 if not uniform; 0 where there is no neighbour
  T dirichlet, zeroth;           ///< parts of the diagonal
  T extra;                       ///< their sum; the diagonal is this plus the sum of the weights
  T inverse_diagonal;            ///< 0 if the diagonal is 0
};

/// What kernels see of a matrix. In runs that are not uniform each cell has couplings of its own, in arrays.
template <class T, int Dim>
struct CouplingView {
  CouplingRun<T, Dim> const* runs;
  Index const* starts;  ///< [run_count + 1] cells before each run
  Index run_count, cell_count;
  T const* lower[Dim];          ///< to the lower neighbour along each axis; 0 where there is none
  T const *dirichlet, *zeroth;  ///< parts of the diagonal beside the sum of the couplings
};

/// Runs of consecutive planes (rows in 2D) that are swept together. A group touches only the one before and after it.
struct RunGroup {
  Index begin, end;  ///< runs
  Index first_cell, end_cell;
  Coord last_plane;
  Index first_parent, end_parent;  ///< positions of their parents, without those of the group before
};

/// Where the cells of a problem lie among those of a composite problem.
template <int Dim>
struct LevelPlace {
  IntervalSet<Dim> storage;                  ///< contains the cells. Values are numbered as in this set
  IntervalSet<Dim> neighbours;               ///< if not empty, more cells of storage that may be neighbours
  bool has_arrays = false;                   ///< each cell gets couplings of its own
  Vec<IntervalSet<Dim>, 2 * Dim> rims = {};  ///< [arm] cells with a coarser leaf there; only with `parents`
  double rim_share = 0;                      ///< what that adds to the diagonal, in units of c / h^2
  IntervalSet<Dim> parents;                  ///< if not empty, the set in which `parent` is the position of the parent
  IntervalSet<Dim> marks;                    ///< without parents: `parent` is the position in this set, or -1
};

/// @throws std::invalid_argument  if a number of a problem does not make sense; faces are not looked at
template <int Dim>
void expect_valid(Problem<Dim> const& problem);

/// The rows that a rank has of those of all cells.
template <int Dim>
struct RowsOfRank {
  IntervalSet<Dim> cells;         ///< values are numbered as in this set
  IntervalSet<Dim> own;           ///< part of these, for sums
  IntervalSet<Dim> parents = {};  ///< as in `LevelPlace`
  Vec<Coord, Dim> origin = {};    ///< of the coordinates of the matrix in those of the sets
};

template <class T, int Dim>
struct Aggregates;
template <class T, int Dim>
struct FinestCells;

/// The symmetric matrix of one level of a hierarchy.
///
/// Row i is `(sum of weights + extra) p_i - sum of weight * p_neighbour`. Cells are numbered as in the problem's set.
/// Their coordinates are shifted to begin at 0 along each axis.
template <class T, int Dim>
class Couplings {
public:
  Couplings() = default;
  /// Cost: that of a plan of the set. Face coefficients take an array per axis and two more, which stay.
  /// @throws std::invalid_argument  if the problem does not make sense
  explicit Couplings(Problem<Dim> const& problem);
  /// The same for one level of a composite problem.
  Couplings(Problem<Dim> const& problem, LevelPlace<Dim> const& place);
  /// Makes the rows of covered cells, of a level with arrays, from those of their children, as `complete` does.
  /// Couplings to neighbours that are not covered stay. @param cells, covered, finer  sets of both levels
  void cover(Couplings const& fine, IntervalSet<Dim> const& cells, IntervalSet<Dim> const& covered,
             IntervalSet<Dim> const& finer, double zeroth_order);

  /// The next coarser level: its cells and what they are made of, but no matrix yet. Cost: see `complete`.
  Couplings gathered() const;
  /// Makes the matrix of a level that comes from `fine.gathered()`.
  ///
  /// A coupling is the sum of the fine ones, divided by how much further apart the centres of mass are. So it is that
  /// of a finite volume method: half of the sum where the set is uniform, more beside cells that are cut off. Source:
  /// Braess, Towards algebraic multigrid for elliptic problems of second order, Computing 55 (1995). That paper doubles
  /// corrections instead. Cost: grows with the runs. It grows with the cells only where couplings differ from cell to
  /// cell.
  void complete(Couplings& fine);
  /// The rows of some cells. Where a neighbour is not among them, the cell itself stands in for it. Cost: a plan, and
  /// on the host a pass over the runs of both.
  Couplings within(RowsOfRank<Dim> const& rank) const;
  /// Takes the couplings of cells from the same matrix with rows for neighbours, too, which know those on upper sides.
  void take_arrays(Couplings&& other) { arrays_ = std::move(other.arrays_); }
  /// Tells where the parents of the cells lie in a set that has all of them.
  void find_parents(IntervalSet<Dim> const& coarse);
  /// The same matrix in another precision.
  template <class U>
  static Couplings converted(Couplings<U, Dim> const& other);

  IntervalSet<Dim> const& cells() const { return cells_; }
  Context context() const { return cells_.context(); }
  Index cell_count() const { return cells_.cell_count(); }
  CouplingView<T, Dim> view() const;
  std::vector<RunGroup> const& groups() const { return groups_; }
  Chain chain() const { return {static_cast<Index>(groups_.size()), period()[Dim - 1] > 0, cell_count()}; }
  /// The best factor for `Multigrid::relaxation`. Jacobi's method leaves most, g, of an error that is too rough for the
  /// next coarser level if it is rough along the axis of the weakest coupling alone. Then 2 / (1 + sqrt(1 - g^2)) is
  /// best. Axes along which there is one cell do not count.
  double relaxation() const;
  /// Whether neighbours always have different colours. Across an odd period they have the same.
  bool has_two_colours() const { return seams_.are_even(); }
  /// Number of cells whose children are not connected with each other inside the cell; 0 on the finest level.
  Index split_cells() const { return split_cells_; }
  /// What each cell is made of; null on the finest level.
  Aggregates<T, Dim> const* aggregates() const { return aggregates_.get(); }
  Seams<Dim> const& seams() const { return seams_; }
  Vec<Coord, Dim> const& period() const { return seams_.period; }
  bool has_period() const { return period() != Vec<Coord, Dim>{}; }
  FinestCells<T, Dim> finest_cells() const;
  /// Finds out again what the cells are made of. @param fine  the finer level, which must still know that of its own
  void gather_from(Couplings const& fine);
  /// Distances for interpolation to the finer level, 4 Dim values per cell. For each arm: from the cell's centre to its
  /// children on that side. Then for each arm: to the neighbour, or 0 where there is none. The level must know what its
  /// cells are made of.
  Buffer<T> offsets(Index stride) const;
  /// Forgets what cells are made of, which only `gathered` and `offsets` need.
  void forget_aggregates() { aggregates_.reset(); }

private:
  template <class, int>
  friend class Couplings;
  /// @tparam groups  of operands; the first one adds at least those that the problem needs
  template <unsigned groups>
  void make_runs_with(Problem<Dim> const& problem, Vec<Coord, Dim> const& origin,
                      LevelPlace<Dim> const* place = nullptr);
  template <unsigned groups>
  void make_runs(Problem<Dim> const& problem, Vec<Coord, Dim> const& origin, LevelPlace<Dim> const* place);
  template <unsigned groups>
  void make_coarse_runs();
  template <unsigned groups>
  Buffer<T> make_offsets(Index stride) const;
  void make_groups();

  IntervalSet<Dim> cells_;
  Seams<Dim> seams_;
  Vec<double, Dim> axis_weight_ = {};               ///< 1 / h^2 of the finest level
  Vec<Coord, Dim> extent_ = {};                     ///< of the cells of all ranks
  std::shared_ptr<Aggregates<T, Dim>> aggregates_;  ///< for the next coarser level; none on the finest one
  Index split_cells_ = 0;
  Buffer<CouplingRun<T, Dim>> runs_;
  Buffer<Index> starts_;
  /// Components: lower couplings by axis, the part of the diagonal from Dirichlet faces, the zeroth-order part. Empty
  /// if all runs are uniform.
  Field<T, Dim> arrays_;
  std::vector<RunGroup> groups_;
};

}  // namespace sparse::poisson::detail
