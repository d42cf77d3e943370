#pragma once
/// Filling the cells around a level that are not its own.

#include <sparse/amr/boundary.hpp>
#include <sparse/amr/walls.hpp>
#include <sparse/transfer.hpp>

namespace sparse::amr {

/// The parents of cells, with their valid neighbours: the plan of prolongation from level to level.
template <int Dim>
class Parents : public Plan<Dim, TransferPoint<Dim>::operand_count> {
public:
  using Point = TransferPoint<Dim>;
  Parents() = default;
  /// @param children  cells in the storage of `fine`, whose parents are in that of `coarse`
  Parents(IntervalSet<Dim> const& children, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine);
};

/// What fills the ghosts of one level.
template <int Dim>
struct Ghosts {
  Parents<Dim> parents;  ///< of the coarse ghosts
  Sides<Dim> sides;
  Walls<Dim> walls;

  Ghosts() = default;
  /// @param coarser  the sets of the level below; nullptr at level 0
  Ghosts(Domain<Dim> const& domain, LevelSets<Dim> const& sets, LevelSets<Dim> const* coarser, int level);
};

namespace detail {

/// Children from a parent with minmod slopes of the conserved variables; all like the parent if one of them cannot be.
template <class Law, bool is_between>
struct FillChildren {
  using T = typename Law::Scalar;
  using State = typename Law::State;
  using Point = TransferPoint<Law::dimension>;
  static constexpr int Dim = Law::dimension, N = Law::component_count;
  Law law;
  FieldView<T const> old, current;  // without `is_between`, only `old` is read
  T weight;
  FieldView<T> fine;

  KOKKOS_FORCEINLINE_FUNCTION State coarse(Index cell) const {
    State const value = old.template load<N>(cell);
    if constexpr (is_between)
      return (1 - weight) * value + weight * State(current.template load<N>(cell));
    else
      return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION static State child_of(State child, State const (&quarter_slope)[Dim], int k, T factor) {
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) child += ((k >> axis) & 1 ? factor : -factor) * quarter_slope[axis];
    return child;
  }
  KOKKOS_FUNCTION void operator()(Point const& p) const {
    State const parent = coarse(p.cell);
    State quarter_slope[Dim];
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      State const below = coarse(p.neighbour(2 * axis)), above = coarse(p.neighbour(2 * axis + 1));
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c)
        quarter_slope[axis][c] = T(0.25) * sparse::detail::minmod(parent[c] - below[c], above[c] - parent[c]);
    }
    bool are_admissible = true;
    SPARSE_UNROLL
    for (int k = 0; k < Point::child_count; ++k)
      are_admissible = is_possible(law, child_of(parent, quarter_slope, k, T(1))) && are_admissible;
    T const factor = are_admissible ? T(1) : T(0);
    SPARSE_UNROLL
    for (int k = 0; k < Point::child_count; ++k)
      if (p.has_child(k)) fine.store(p.child(k), child_of(parent, quarter_slope, k, factor));
  }
};

}  // namespace detail

/// Gives children values from their parents: limited-linear in the conserved variables, with the parent's mean, and
/// constant in families of which one child would not be admissible.
/// @param coarse, fine  conserved variables on the storages that `parents` was made for
template <class Law>
void prolong_admissible(Law const& law, Parents<Law::dimension> const& parents,
                        FieldView<typename Law::Scalar const> coarse, FieldView<typename Law::Scalar> fine) {
  if (parents.cell_count() > 0)
    for_each("sparse::amr::prolong", parents, detail::FillChildren<Law, false>{law, coarse, coarse, 0, fine});
}

/// Coarse ghosts from level l - 1, at a time between its old and its current one: `weight` 0 is the old one, where
/// `current` is not read, 1 the current one, where `old` is not.
template <class Law>
void fill_from_coarser(Law const& law, Ghosts<Law::dimension> const& ghosts, FieldView<typename Law::Scalar const> old,
                       FieldView<typename Law::Scalar const> current, typename Law::Scalar weight,
                       FieldView<typename Law::Scalar> state) {
  if (weight == 0 || weight == 1)
    prolong_admissible(law, ghosts.parents, weight == 0 ? old : current, state);
  else if (ghosts.parents.cell_count() > 0)
    for_each("sparse::amr::prolong_between", ghosts.parents,
             detail::FillChildren<Law, true>{law, old, current, weight, state});
}

/// Everything around the fluid: cells outside the box, ghosts in bodies, and the cells outside that are beyond these.
/// Cells of the level and coarse ghosts must have their values. Parameters as in `fill_sides`.
template <class Law>
void fill_boundaries(Law const& law, Ghosts<Law::dimension> const& ghosts, FieldView<typename Law::Scalar> state,
                     typename Law::State const& inflow, Boundary<Law> const& given, double time) {
  fill_sides(law, ghosts.sides, state, inflow, given, time);
  fill_walls(law, ghosts.walls, state);
  if (ghosts.walls.behind().cell_count() > 0) {  // they may look at each other across periodic sides
    fill_sides(law, ghosts.sides, state, inflow, given, time, SideSource::solid);
    fill_behind_walls<Law>(ghosts.walls, state);
  }
  fill_sides(law, ghosts.sides, state, inflow, given, time, SideSource::solid);
}

}  // namespace sparse::amr
