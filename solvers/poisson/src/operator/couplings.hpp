#pragma once
/// The matrix of a Poisson problem as runs of cells that are coupled to their neighbours in the same way.

#include <cstdint>
#include <memory>
#include <vector>

#include <sparse/plans/plan.hpp>
#include <sparse/poisson/problem.hpp>

#include "pipeline.hpp"

namespace sparse::poisson::detail {

/// Consecutive cells of a row whose neighbours lie at constant offsets. Arm 2 axis is the lower one, 2 axis + 1 the
/// upper one (see `face_arms`).
template <class T, int Dim>
struct CouplingRun {
  RowKey key;
  Index first;                   ///< position of the first cell
  Index parent;                  ///< position of its parent in the next coarser set
  Index offset[2 * Dim];         ///< of the neighbours; 0 where there is none
  Coord x;                       ///< of the first cell
  std::int32_t count;            ///< cells
  std::int32_t colour;           ///< of the first cell: sum of its coordinates, modulo 2
  std::uint32_t dirichlet_arms;  ///< bit: p is given at this arm; of the problem's cells
  std::int32_t is_uniform;       ///< whether all cells have these couplings:
  T weight[2 * Dim];             ///< c / h^2; else 1. 0 where there is no neighbour
  T dirichlet, zeroth;           ///< parts of the diagonal
  T extra;                       ///< their sum: what the diagonal has beyond the sum of the weights
  T inverse_diagonal;            ///< 0 for a cell that is coupled to nothing
};

/// What kernels see of a matrix. Cells of runs that are not uniform have their own couplings.
template <class T, int Dim>
struct CouplingView {
  CouplingRun<T, Dim> const* runs;
  Index const* starts;  ///< [run_count + 1] cells before each run
  Index run_count, cell_count;
  T const* lower[Dim];          ///< to the lower neighbour along each axis; 0 where there is none
  T const *dirichlet, *zeroth;  ///< what the diagonal has beyond the sum of the couplings
};

/// Runs of consecutive planes (rows in 2D) that are swept together; they touch the next and the last such group only.
struct RunGroup {
  Index begin, end;  ///< runs
  Index first_cell, end_cell;
  Coord last_plane;
  Index first_parent, end_parent;  ///< positions of their parents, but for those that the last group has, too
};

template <class T, int Dim>
struct Aggregates;
template <class T, int Dim>
struct FinestCells;

/// The symmetric matrix of one level of a hierarchy.
///
/// Row i is `(sum of weights + extra) p_i - sum of weight * p_neighbour`. Cells are numbered as in the problem's set,
/// but moved to begin at 0 along each axis.
template <class T, int Dim>
class Couplings {
public:
  Couplings() = default;
  /// Cost: that of a plan of the set; with face coefficients also that of an array per axis and two more, which stay.
  /// @throws std::invalid_argument  if the problem does not make sense
  explicit Couplings(Problem<Dim> const& problem);

  /// The cells that have a child here and what they are made of, but no matrix yet. Cost: see `complete`.
  Couplings gathered() const;
  /// Makes the matrix of what `fine.gathered()` gave.
  ///
  /// Couplings are those that aggregation gives, shortened by how much further apart the centres of mass are, and so
  /// those of finite volumes: on uniform parts of the set half of the sums, beside cells that are cut off, more.
  /// Source: Braess, Towards algebraic multigrid for elliptic problems of second order, Computing 55 (1995), where
  /// corrections are doubled instead.
  /// Cost: grows with the runs; with the cells only where couplings differ from cell to cell.
  void complete(Couplings& fine);
  /// The same matrix in another precision.
  template <class U>
  static Couplings converted(Couplings<U, Dim> const& other);

  IntervalSet<Dim> const& cells() const { return cells_; }
  Context context() const { return cells_.context(); }
  Index cell_count() const { return cells_.cell_count(); }
  CouplingView<T, Dim> view() const;
  std::vector<RunGroup> const& groups() const { return groups_; }
  Chain chain() const { return {static_cast<Index>(groups_.size()), period_[Dim - 1] > 0, cell_count()}; }
  /// Whether no two neighbours have the same colour; they do across an odd period.
  bool has_two_colours() const;
  /// Whether a coarser set would have the same period in space.
  bool can_coarsen() const;
  /// Cells whose children fall into parts that nothing flows between; 0 on the finest level.
  Index split_cells() const { return split_cells_; }
  /// How cells are put together from those of the problem; none on the finest level.
  Aggregates<T, Dim> const* aggregates() const { return aggregates_.get(); }
  Vec<Coord, Dim> const& period() const { return period_; }
  bool has_period() const { return period_ != Vec<Coord, Dim>{}; }
  FinestCells<T, Dim> finest_cells() const;
  /// Finds out what the cells are made of, if that has been forgotten. @param fine  the finer level, which knows
  void gather_from(Couplings const& fine);
  /// What interpolation to the finer level goes by, 4 Dim values per cell: for each arm how far from a cell's centre
  /// its children on that side are, then how far away the neighbour is (0: there is none). For a level that knows what
  /// its cells are made of.
  Buffer<T> offsets(Index stride) const;
  /// Frees what only `gathered` and `offsets` need.
  void forget_aggregates() { aggregates_.reset(); }

private:
  template <class, int>
  friend class Couplings;
  template <int K>
  void make_runs(Problem<Dim> const& problem, Vec<Coord, Dim> const& origin);
  template <int K>
  void make_coarse_runs();
  template <int K>
  Buffer<T> make_offsets(Index stride) const;
  void make_groups();

  IntervalSet<Dim> cells_;
  Vec<Coord, Dim> period_ = {};
  Vec<double, Dim> axis_weight_ = {};               ///< 1 / h^2 of the problem
  std::shared_ptr<Aggregates<T, Dim>> aggregates_;  ///< for the next coarser level; none on the finest one
  Index split_cells_ = 0;
  Buffer<CouplingRun<T, Dim>> runs_;
  Buffer<Index> starts_;
  /// Lower couplings by axis, Dirichlet faces' part of the diagonal, zeroth order; none if all runs are uniform.
  Field<T, Dim> arrays_;
  std::vector<RunGroup> groups_;
};

}  // namespace sparse::poisson::detail
