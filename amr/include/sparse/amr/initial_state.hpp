#pragma once
/// The initial state of a simulation.

#include <concepts>
#include <functional>

#include <sparse/base/grid.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::amr {

/// A device functor that gives primitive variables at a position.
template <class Function, class Law>
concept StateAtPosition = requires(Function const& function, Vec<double, Law::dimension> const& x) {
  { function(x) } -> std::convertible_to<typename Law::State>;
};

/// A host function that fills a field of primitive variables on cells of a grid.
template <class Function, class Law>
concept StateOfCells = requires(Function const& function, IntervalSet<Law::dimension> const& cells,
                                Grid<Law::dimension> const& grid,
                                Field<typename Law::Scalar, Law::dimension>& primitive) {
  function(cells, grid, primitive);
};

/// Sets the initial state of each level. It is made from one of two kinds of functions:
///
///     State operator()(Vec<double, Dim> const& x) const;     // on the device, for the centre of each cell
///     void operator()(IntervalSet<Dim> const& cells, Grid<Dim> const& grid, Field<Scalar, Dim>& primitive) const;
///
/// The second kind is called once per level, on the host, with the grid of that level. It fills a field on `cells` with
/// as many components as the law has. So it can read files or call another language.
template <class Law>
class InitialState {
public:
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension;
  using Cells = IntervalSet<Dim>;
  using State = Field<Scalar, Dim>;

  template <StateAtPosition<Law> Function>
  InitialState(Function const& function);
  template <StateOfCells<Law> Function>
  InitialState(Function const& function);

  /// Gives `cells` of a level conserved variables.
  /// @param grid   of the level
  /// @param state  on a set that contains the cells
  void fill(Law const& law, Cells const& cells, Grid<Dim> const& grid, State& state) const {
    fill_(law, cells, grid, state);
  }

private:
  std::function<void(Law const&, Cells const&, Grid<Dim> const&, State&)> fill_;
};

// ---- implementation

namespace detail {

template <class Law, class Function>
struct EvaluateAtCenters {
  static constexpr int Dim = Law::dimension;
  Law law;
  Function function;
  FieldView<typename Law::Scalar> state;
  Vec<double, Dim> origin, spacing;
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    Vec<Coord, Dim> const cell = p.coordinates();
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin[axis] + (cell[axis] + 0.5) * spacing[axis];
    typename Law::State const w = function(x);
    state.store(p.cell, law.conserved(w));
  }
};

template <class Law>
struct StoreConserved {
  Law law;
  FieldView<typename Law::Scalar const> primitive;
  FieldView<typename Law::Scalar> state;
  KOKKOS_FUNCTION void operator()(RunPoint<Law::dimension, 2> const& p) const {
    typename Law::State const w = primitive.template load<Law::component_count>(p.operand(1));
    state.store(p.operand(0), law.conserved(w));
  }
};

template <class Law, class Function>
void fill_from_positions(Law const& law, Function const& function, IntervalSet<Law::dimension> const& cells,
                         Grid<Law::dimension> const& grid, Field<typename Law::Scalar, Law::dimension>& state) {
  for_each("sparse::amr::initialise", Subset<Law::dimension>(cells, state.domain()),
           EvaluateAtCenters<Law, Function>{law, function, state.view(), grid.origin, grid.spacing});
}

template <class Law>
void store_conserved(Law const& law, Field<typename Law::Scalar, Law::dimension> const& primitive,
                     Field<typename Law::Scalar, Law::dimension>& state) {
  for_each("sparse::amr::initialise", CopyPlan<Law::dimension>(primitive.domain(), state.domain(), primitive.domain()),
           StoreConserved<Law>{law, primitive.view(), state.view()});
}

}  // namespace detail

template <class Law>
template <StateAtPosition<Law> Function>
InitialState<Law>::InitialState(Function const& function)
    : fill_([function](Law const& law, Cells const& cells, Grid<Dim> const& grid, State& state) {
        detail::fill_from_positions<Law, Function>(law, function, cells, grid, state);
      }) {}

template <class Law>
template <StateOfCells<Law> Function>
InitialState<Law>::InitialState(Function const& function)
    : fill_([function](Law const& law, Cells const& cells, Grid<Dim> const& grid, State& state) {
        State primitive("initial state", cells, Law::component_count);
        function(cells, grid, primitive);
        detail::store_conserved<Law>(law, primitive, state);
      }) {}

}  // namespace sparse::amr
