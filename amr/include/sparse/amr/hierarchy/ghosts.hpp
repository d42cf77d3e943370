#pragma once
/// Fills the cells around a level: coarse ghosts, ghosts in bodies, cells outside the box.

#include <sparse/amr/domain/boundary.hpp>
#include <sparse/amr/hierarchy/walls.hpp>
#include <sparse/amr/sweep/batches.hpp>
#include <sparse/fields/transfer.hpp>

namespace sparse::amr {

/// The plan of prolongation between levels: parents with their valid neighbours and their children.
template <int Dim>
class Parents : public Plan<Dim, ProlongPoint<Dim>::operand_count> {
public:
  /// What kernels get per cell.
  using Point = ProlongPoint<Dim>;
  Parents() = default;
  /// @param children  cells in the storage of `fine`, whose parents are in that of `coarse`
  Parents(IntervalSet<Dim> const& children, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine);
};

/// The plans that fill the ghosts of one level.
template <int Dim>
struct Ghosts {
  Parents<Dim> parents;  ///< of the coarse ghosts
  /// Cells outside the box, and cells in bodies.
  Sides<Dim> sides;
  Walls<Dim> walls;

  Ghosts() = default;
  /// @param coarser  the sets of the level below; nullptr at level 0
  Ghosts(Domain<Dim> const& domain, LevelSets<Dim> const& sets, LevelSets<Dim> const* coarser, int level);
};

namespace detail {

/// Sets children from a parent and minmod slopes of the conserved variables. If one child would be impossible, all get
/// the parent's state.
template <class Law, bool is_between>
struct FillChildren {
  using T = typename Law::Scalar;
  using State = typename Law::State;
  using Point = ProlongPoint<Law::dimension>;
  static constexpr int Dim = Law::dimension, N = Law::component_count;
  static constexpr int arm_count = 2 * Dim, lane_count = Batch<Point, T>::lane_count;
  Law law;
  FieldView<T const> old, current;  // without `is_between`, only `old` is read
  T weight;
  FieldView<T> fine;

  KOKKOS_FORCEINLINE_FUNCTION static State child_of(State child, State const (&quarter_slope)[Dim], int k, T factor) {
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) child += ((k >> axis) & 1 ? factor : -factor) * quarter_slope[axis];
    return child;
  }
  /// Prefetches the coarser level. It is no longer in the cache, because this level has stepped since.
  KOKKOS_FORCEINLINE_FUNCTION void fetch(Point const& p) const requires is_between {
    auto const fetch_cell = [&](Index cell) SPARSE_INLINE_LAMBDA {
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) {
        __builtin_prefetch(&old(c, cell));
        __builtin_prefetch(&current(c, cell));
      }
    };
    fetch_cell(p.cell);
    SPARSE_UNROLL
    for (int arm = 2; arm < arm_count; ++arm) fetch_cell(p.neighbour(arm));  // neighbours along x lie beside the parent
  }
  /// Prefetches children. The children of a row of parents are scattered in memory, so the processor does not foresee
  /// them.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_children([[maybe_unused]] Point const& p) const {
    if constexpr (is_host_backend) {
      SPARSE_UNROLL
      for (int k = 0; k < Point::child_count; k += 2) {
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) __builtin_prefetch(&fine(c, p.child(p.has_child(k) ? k : k + 1)), 1);
      }
    }
  }
  KOKKOS_FUNCTION void operator()(Batch<Point, T> const& batch) const {
    // [0] the parents, [1 + arm] their neighbours; later the children
    T before[1 + arm_count][N][lane_count], after[1 + arm_count][N][lane_count];
    for (int lane = 0; lane < lane_count; ++lane) {
      Point const p = batch.point(lane);
      SPARSE_UNROLL
      for (int arm = -1; arm < arm_count; ++arm) {
        Index const cell = p.operand(1 + arm);
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) {
          before[1 + arm][c][lane] = old(c, cell);
          if constexpr (is_between) after[1 + arm][c][lane] = current(c, cell);
        }
      }
      fetch_children(p);
    }
    auto const coarse = [&](int place, int lane) SPARSE_INLINE_LAMBDA {
      State value;
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c)
        if constexpr (is_between)
          value[c] = (1 - weight) * before[place][c][lane] + weight * after[place][c][lane];
        else
          value[c] = before[place][c][lane];
      return value;
    };
    T children[Point::child_count][N][lane_count];
    SPARSE_INDEPENDENT_ITERATIONS
    for (int lane = 0; lane < lane_count; ++lane) {
      State const parent = coarse(0, lane);
      State quarter_slope[Dim];
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis) {
        State const below = coarse(1 + 2 * axis, lane), above = coarse(2 + 2 * axis, lane);
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c)
          quarter_slope[axis][c] = T(0.25) * sparse::detail::minmod(parent[c] - below[c], above[c] - parent[c]);
      }
      T factor = 1;
      SPARSE_UNROLL
      for (int k = 0; k < Point::child_count; ++k)
        factor = law.is_possible(child_of(parent, quarter_slope, k, T(1))) ? factor : T(0);
      SPARSE_UNROLL
      for (int k = 0; k < Point::child_count; ++k) {
        State const child = child_of(parent, quarter_slope, k, factor);
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) children[k][c][lane] = child[c];
      }
    }
    for (int lane = 0; lane < batch.count; ++lane) {
      Point const p = batch.point(lane);
      SPARSE_UNROLL
      for (int k = 0; k < Point::child_count; ++k) {
        if (!p.has_child(k)) continue;
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) fine(c, p.child(k)) = children[k][c][lane];
      }
    }
  }
};

}  // namespace detail

/// Gives children values from their parents. The conserved variables are linear in a parent, with limited slopes and
/// the parent's mean; they are constant where one child would be impossible.
/// @param fine, coarse  conserved variables on the storages that `parents` was made for
template <class Law>
void prolong_admissible(FieldView<typename Law::Scalar> fine, Law const& law, Parents<Law::dimension> const& parents,
                        FieldView<typename Law::Scalar const> coarse) {
  if (parents.cell_count() > 0)
    for_each_batch<typename Law::Scalar>("sparse::amr::prolong", parents,
                                         detail::FillChildren<Law, false>{law, coarse, coarse, 0, fine});
}

/// Fills coarse ghosts from level l - 1, at a time between its old and its current state. `weight` 0 means the old
/// state, and `current` is not read. `weight` 1 means the current state, and `old` is not read.
template <class Law>
void fill_from_coarser(FieldView<typename Law::Scalar> state, Law const& law, Ghosts<Law::dimension> const& ghosts,
                       FieldView<typename Law::Scalar const> old, FieldView<typename Law::Scalar const> current,
                       typename Law::Scalar weight) {
  if (weight == 0 || weight == 1)
    prolong_admissible(state, law, ghosts.parents, weight == 0 ? old : current);
  else if (ghosts.parents.cell_count() > 0)
    for_each_batch<typename Law::Scalar>("sparse::amr::prolong_between", ghosts.parents,
                                         detail::FillChildren<Law, true>{law, old, current, weight, state});
}

/// Fills everything around the fluid: first cells outside the box, then ghosts in bodies, then cells outside that take
/// values from these ghosts. Cells of the level and coarse ghosts must be filled before. Parameters as in `fill_sides`.
template <class Law>
void fill_boundaries(FieldView<typename Law::Scalar> state, Law const& law, Ghosts<Law::dimension> const& ghosts,
                     typename Law::State const& inflow, Boundary<Law> const& given, double time) {
  fill_sides(state, law, ghosts.sides, inflow, given, time);
  fill_walls(state, law, ghosts.walls);
  if (ghosts.walls.behind().cell_count() > 0) {  // across periodic sides they may take values from each other
    fill_sides(state, law, ghosts.sides, inflow, given, time, SideSource::solid);
    fill_behind_walls<Law>(state, ghosts.walls);
  }
  fill_sides(state, law, ghosts.sides, inflow, given, time, SideSource::solid);
}

}  // namespace sparse::amr
