#pragma once
/// Cells outside the box, and the states they get.

#include <functional>

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/law.hpp>
#include <sparse/amr/sweep/batches.hpp>

namespace sparse::amr {

/// The arguments of a boundary function: a cell outside the box, and the states inside.
template <class Law>
struct BoundaryPoint {
  /// The law, and which side of the box the cell lies beyond.
  using State = typename Law::State;
  /// Gives the states behind walls.
  Law const& law;
  int axis;  ///< normal to the side beyond which the cell lies
  FaceSide side;
  Vec<double, Law::dimension> x;  ///< its centre
  double time;
  State inside;  ///< primitive variables of the nearest cell in the box
  State image;   ///< primitive variables of the mirror cell: as far inside as this cell is outside

  /// The state beyond an open side: that of the nearest cell in the box.
  KOKKOS_FUNCTION State open() const { return inside; }
  /// Subsonic flow that leaves against a given pressure. Like `open` where it is supersonic.
  KOKKOS_FUNCTION State outflow(typename Law::Scalar pressure) const {
    return law.leaving(inside, axis, side, pressure);
  }
  /// States behind a wall at the side: without friction, and where the fluid sticks.
  KOKKOS_FUNCTION State slip() const { return law.mirrored(image, axis, typename Law::Scalar(-1)); }
  KOKKOS_FUNCTION State no_slip() const { return law.reversed(image); }
};

/// A cell can lie beyond several sides. The side with the greatest precedence gives its state. It takes it from cells
/// that already have the states of the other sides. Walls precede functions: at the corners of the box, too, they must
/// mirror the flow along them. Of two functions, that of the last axis counts. For other kinds the order makes no
/// difference.
KOKKOS_FORCEINLINE_FUNCTION constexpr int precedence(BoundaryKind kind) {
  return kind == BoundaryKind::periodic                                ? 3
         : kind == BoundaryKind::wall || kind == BoundaryKind::no_slip ? 2
         : kind == BoundaryKind::given                                 ? 1
                                                                       : 0;
}

/// A cell outside the box and the cells that give its value, as positions in storage.
template <int Dim>
struct SideCell {
  Index cell, inside;  ///< `inside`: the nearest cell in the box along the axis
  Index image;         ///< the cell as far inside as this one is outside; at periodic sides the cell it repeats
  Vec<Coord, Dim> at;
  std::int8_t axis, side;  ///< the side that gives the state
  BoundaryKind kind;       ///< of that side, at this cell
  bool is_behind_solid;    ///< whether a ghost in a body gives its value
};

/// The cells outside the box that a level stores.
template <int Dim>
class Sides {
public:
  Sides() = default;
  /// The cells of storage outside the box of a level. Cost: a pass over the rows of `sets`.
  Sides(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level);

  /// Cells outside along `count` + 1 axes. Their values come from cells outside along `count` axes.
  Buffer<SideCell<Dim>> const& cells(int count) const { return cells_[count]; }
  /// Whether some cells get their values from ghosts in bodies.
  bool reach_solid() const { return reach_solid_; }
  /// Whether cells may lie beyond `BoundaryKind::inflow`, and beyond `BoundaryKind::given`.
  bool have_inflow() const { return have_inflow_; }
  bool have_given() const { return have_given_; }
  /// The grid of the level, and where memory lives.
  Grid<Dim> const& grid() const { return grid_; }
  Context const& context() const { return context_; }

private:
  Vec<Buffer<SideCell<Dim>>, Dim> cells_;
  Grid<Dim> grid_;
  Context context_;
  bool reach_solid_ = false, have_inflow_ = false, have_given_ = false;
};

/// Which cells give their values to cells outside the box. Ghosts in bodies are filled after fluid.
enum class SideSource { fluid, solid };

namespace detail {

/// The arguments of one call to fill cells outside, except the user's function.
template <class Law>
struct SideTask {
  using State = typename Law::State;
  static constexpr int Dim = Law::dimension;
  Law law;
  SideCell<Dim> const* cells;
  Index cell_count;
  FieldView<typename Law::Scalar> state;
  State inflow;  // conserved
  double time;
  Vec<double, Dim> origin, spacing;
  bool wants_behind_solid;
};

template <class Law, class Function>
struct FillSide {
  using State = typename Law::State;
  SideTask<Law> task;
  Function function;

  KOKKOS_FUNCTION void operator()(Index i) const {
    constexpr int N = Law::component_count;
    SideCell<Law::dimension> const side = task.cells[i];
    if (side.is_behind_solid != task.wants_behind_solid) return;
    State value = task.inflow;
    switch (side.kind) {
    case BoundaryKind::inflow:
      break;
    case BoundaryKind::outflow:
      value = task.state.template load<N>(side.inside);
      break;
    case BoundaryKind::periodic:
      value = task.state.template load<N>(side.image);
      break;
    case BoundaryKind::wall:
      value = task.law.conserved(point(side).slip());
      break;
    case BoundaryKind::no_slip:
      value = task.law.conserved(point(side).no_slip());
      break;
    case BoundaryKind::given:
      value = task.law.conserved(State(function(point(side))));
      break;
    }
    task.state.store(side.cell, value);
  }
  KOKKOS_FUNCTION BoundaryPoint<Law> point(SideCell<Law::dimension> const& side) const {
    constexpr int N = Law::component_count;
    Vec<double, Law::dimension> x;
    for (int axis = 0; axis < Law::dimension; ++axis)
      x[axis] = task.origin[axis] + (side.at[axis] + 0.5) * task.spacing[axis];
    return {task.law,
            side.axis,
            static_cast<FaceSide>(side.side),
            x,
            task.time,
            task.law.primitive(task.state.template load<N>(side.inside)),
            task.law.primitive(task.state.template load<N>(side.image))};
  }
};

template <class Law>
struct OpenSide {
  KOKKOS_FUNCTION typename Law::State operator()(BoundaryPoint<Law> const& p) const { return p.open(); }
};

template <class Law, class Function>
void fill_side(Context const& context, SideTask<Law> const& task, Function const& function) {
  for_each_stretch(context, "sparse::amr::fill_sides", task.cell_count, 128, FillSide<Law, Function>{task, function});
}

}  // namespace detail

/// A function that gives the states beyond `BoundaryKind::given`. Type-erased. Empty if there are no such sides.
template <class Law>
using Boundary = std::function<void(Context const&, detail::SideTask<Law> const&)>;

/// A boundary from a function of the point. It is called for each cell outside the box on each fill.
/// @param function  device functor, `State operator()(BoundaryPoint<Law> const&)`, primitive variables
template <class Law, class Function>
Boundary<Law> boundary(Function const& function) {
  return [function](Context const& context, detail::SideTask<Law> const& task) {
    detail::fill_side<Law, Function>(context, task, function);
  };
}

/// A function for `boundary`: outflow against the same pressure everywhere. See `BoundaryPoint::outflow`.
template <class Law>
struct OutflowAgainst {
  /// The pressure outside [p], and the state that leaves against it.
  typename Law::Scalar pressure;
  /// The state beyond the side at this point.
  KOKKOS_FUNCTION typename Law::State operator()(BoundaryPoint<Law> const& p) const { return p.outflow(pressure); }
};

/// Sets the states of the cells outside the box. Images across periodic sides are copies. For a cell beyond several
/// sides, `precedence` decides. Cells of the level and coarse ghosts must be filled before. With `SideSource::solid`,
/// the ghosts in bodies must be filled, too.
///
/// @param state   conserved variables on `storage`
/// @param inflow  primitive variables beyond `BoundaryKind::inflow`
/// @param given   states beyond `BoundaryKind::given`
/// @throws std::invalid_argument  if a side is `BoundaryKind::given` and `given` is empty
template <class Law>
void fill_sides(FieldView<typename Law::Scalar> state, Law const& law, Sides<Law::dimension> const& sides,
                typename Law::State const& inflow, Boundary<Law> const& given, double time,
                SideSource source = SideSource::fluid) {
  if (source == SideSource::solid && !sides.reach_solid()) return;
  expects(!sides.have_given() || given, "fill_sides: a side is BoundaryKind::given, but no boundary function is");
  for (int count = 0; count < Law::dimension; ++count) {
    auto const& cells = sides.cells(count);
    detail::SideTask<Law> const task{law,
                                     cells.data(),
                                     cells.size(),
                                     state,
                                     law.conserved(inflow),
                                     time,
                                     sides.grid().origin,
                                     sides.grid().spacing,
                                     source == SideSource::solid};
    if (sides.have_given())
      given(sides.context(), task);
    else
      detail::fill_side<Law, detail::OpenSide<Law>>(sides.context(), task, {});
  }
}

}  // namespace sparse::amr
