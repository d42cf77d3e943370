#pragma once
/// The levels of a problem and the multigrid cycles on them.

#include <memory>

#include <sparse/plans/transfer.hpp>
#include <sparse/poisson/method.hpp>

#include "arm_values.hpp"
#include "parts.hpp"
#include "passes/pipeline.hpp"
#include "ranks/ranks.hpp"
#include "singular_means.hpp"

namespace sparse::poisson::detail {

/// A hierarchy of coarser and coarser sets, made by `coarsen`, each with a matrix (see `Multigrid`).
///
/// `T` is the type of the values on the levels. It may be shorter than that of the right-hand side.
template <class T, int Dim>
class Hierarchy {
public:
  /// @param options  valid ones. Cost: grows with the runs of the sets rather than with their cells.
  /// @param ranks    Over ranks each has a part of the large levels, and all of the small ones. `finest` is the matrix
  ///                 of all ranks, values on the finest level are those of the rank's window, which must reach as far
  ///                 as `reach_of` says. Cycles are collective, need right-hand sides that are right up to the last
  ///                 step but one, and leave results that are right in the whole window.
  explicit Hierarchy(Couplings<T, Dim> finest, Multigrid const& options = {},
                     std::shared_ptr<Ranks<Dim> const> ranks = nullptr);
  int level_count() const { return static_cast<int>(levels_.size()) + parts_.level_count(); }
  /// Cells, or their parts, of all levels over the cells of the finest.
  double grid_complexity() const;

  /// x = M b, one cycle that starts from x = 0: a symmetric positive (semi)definite approximation to the inverse.
  /// @param b, x   values of the problem's cells in their order, in device memory
  /// @param first  passes over the finest level that make `b`
  /// @param last   passes over it that use `x`
  template <class B>
  void cycle(B const* b, T* x, Pipeline first = {}, Pipeline last = {}) {
    cycle_from<B>(0, b, x, true, std::move(first), std::move(last));
  }

  /// x = a first approximation to the solution (see `FullMultigrid`).
  ///
  /// Cycles are W-cycles with linear interpolation, whatever the options. V-cycles, or constant interpolation in 3D,
  /// leave too much of smooth errors: relative to the error of the discretisation, these grow from level to level. If
  /// parts of cells follow below the last level, it begins there with eight cycles.
  /// @param b         the right-hand side without what comes from Dirichlet faces
  /// @param boundary  that part, which grows differently with the cell width; or none
  template <class B>
  void full_multigrid(B const* b, B const* boundary, T* x, int cycles);

private:
  /// Values that belong to the finest level come from outside.
  struct Level {
    Couplings<T, Dim> matrix;
    Buffer<T> b, x, sides, offsets, scratch;
    Index stride = 0;  // of sides and offsets, by `stride_of`

    ArmValues<T> arm_values() const { return {sides.data(), stride}; }
    ArmValues<T> offset_values() const { return {offsets.data(), stride}; }
  };

  /// Connected parts below a level that ranks share; all ranks have all of the parts.
  struct PartsTogether {
    distributed::Gathering<Dim> gathering;
    CopyPlan<Dim> to_window;
    Buffer<T> residual, correction, on_window;
  };

  static constexpr int offset_count = 4 * Dim;
  static Index stride_of(Index cell_count) { return (cell_count + 31) / 16 * 16; }

  bool is_coarsest(std::size_t l) const { return l + 1 == levels_.size(); }
  bool is_solved_at_once(std::size_t l) const { return is_coarsest(l) && parts_.is_empty(); }
  /// Chooses the levels that ranks share, and what this rank stores of them.
  void find_windows();
  /// Puts the rows of this rank in place of those of all on these levels.
  void divide();
  bool is_shared(std::size_t l) const { return l < shared_count_; }
  /// Gives values around the rank's own cells those of their owners. Right-hand sides also come to all ranks on the
  /// first level that they do not share.
  void exchange(std::size_t l, T* values) const {
    if (is_shared(l)) ranks_->fill(windows_[l], values);
  }
  void exchange_right_side(std::size_t l) const {
    if (l < windows_.size()) ranks_->fill(windows_[l], levels_[l].b.data());
  }
  /// Prepares linear interpolation.
  void make_linear();
  /// Finds out how far apart centres are. On levels that ranks share it needs the matrices of all of them.
  void make_offsets();
  /// Chooses the level on which means of singular components are removed: the finest one that is so small that this
  /// costs next to nothing. Each coarser level makes a mean four times as large, and on coarse levels small components
  /// are single cells.
  void keep_means_out();
  void remove_means(std::size_t l, T* values) const {
    if (l == means_level_) means_.remove(levels_[l].matrix.context(), values);
  }

  // ---- cycles

  template <class B>
  void cycle_from(std::size_t l, B const* b, T* x, bool from_zero, Pipeline down = {}, Pipeline last = {});
  template <class B>
  void visit(std::size_t l, B const* b, T* x, bool from_zero, Pipeline down, Pipeline last);
  /// x += what the connected parts below the last level make of its residual.
  void correct_by_parts(std::size_t l, T* x);
  /// Sweeps on a shared level without coarser ones, a few between exchanges.
  template <class B>
  void solve_together(std::size_t l, B const* b, T* x, int half, bool from_zero, Pipeline down, Pipeline last);
  /// `count` sweeps that begin with `colour`.
  template <class B>
  void smooth(Pipeline& pipeline, std::size_t l, B const* b, T* x, int colour, int count, bool from_zero) const;
  template <class B>
  void add_sweeps(Pipeline& pipeline, std::size_t l, B const* b, T* x, int colour, int count, bool from_zero) const;
  /// The same where neighbours may have the same colour: damped Jacobi steps, two for each sweep.
  template <class B>
  void add_jacobi(Pipeline& pipeline, std::size_t l, B const* b, T* x, int count, bool from_zero) const;
  /// What the children on each side get from level l, for linear interpolation.
  void make_slopes(std::size_t l) const;

  // ---- full multigrid

  template <class Body>
  void on_cells(std::size_t l, Body const& body) const;
  /// to = means over the children of values of level l. @param zero  values of that level, which become 0
  template <class B>
  void restrict_values(std::size_t l, B const* from, T* zero, T* to) const;
  Buffer<T> dirichlet_parts(std::size_t l) const;
  /// Takes the right-hand side to all coarser levels.
  template <class B>
  void restrict_right_side(B const* b, T* x) const;
  template <class B>
  void add_boundary(B const* boundary, T* x) const;
  void interpolate_solution(std::size_t l, T* x) const;

  Multigrid options_;
  std::vector<Level> levels_;
  PartLevels<T, Dim> parts_;     // below the last level, if there are any
  Buffer<T> residual_;           // of that level then
  std::size_t means_level_ = 0;  // on which means are removed; 0: on none
  SingularMeans means_;
  bool uses_linear_ = false;  // interpolation

  std::shared_ptr<Ranks<Dim> const> ranks_;
  std::size_t shared_count_ = 0;      // of levels
  std::vector<Window<Dim>> windows_;  // of these, and of the one that follows them
  PartsTogether together_;
};

}  // namespace sparse::poisson::detail
