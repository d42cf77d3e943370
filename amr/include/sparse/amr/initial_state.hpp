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
concept StateOfCells = requires(Function const& function, Field<typename Law::Scalar, Law::dimension>& primitive,
                                IntervalSet<Law::dimension> const& cells, Grid<Law::dimension> const& grid) {
  function(primitive, cells, grid);
};

/// Sets the initial state of each level. It is made from one of two kinds of functions:
///
///     State operator()(Vec<double, Dim> const& x) const;     // on the device, for the centre of each cell
///     void operator()(Field<Scalar, Dim>& primitive, IntervalSet<Dim> const& cells, Grid<Dim> const& grid) const;
///
/// The second kind is called once per level, on the host, with the grid of that level. It fills a field on `cells` with
/// as many components as the law has. So it can read files or call another language.
template <class Law>
class InitialState {
public:
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension;
  /// The sets and fields of the second kind of function.
  using Cells = IntervalSet<Dim>;
  using State = Field<Scalar, Dim>;

  /// From a function of positions, or from one that fills a field.
  template <StateAtPosition<Law> Function>
  InitialState(Function const& function);
  template <StateOfCells<Law> Function>
  InitialState(Function const& function);

  /// Gives `cells` of a level conserved variables.
  /// @param state  on a set that contains the cells
  /// @param grid   of the level
  void fill(State& state, Law const& law, Cells const& cells, Grid<Dim> const& grid) const {
    fill_(state, law, cells, grid);
  }

private:
  std::function<void(State&, Law const&, Cells const&, Grid<Dim> const&)> fill_;
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
void fill_from_positions(Field<typename Law::Scalar, Law::dimension>& state, Law const& law, Function const& function,
                         IntervalSet<Law::dimension> const& cells, Grid<Law::dimension> const& grid) {
  for_each("sparse::amr::initialise", Subset<Law::dimension>(cells, state.domain()),
           EvaluateAtCenters<Law, Function>{law, function, state.view(), grid.origin, grid.spacing});
}

template <class Law>
void store_conserved(Field<typename Law::Scalar, Law::dimension>& state, Law const& law,
                     Field<typename Law::Scalar, Law::dimension> const& primitive) {
  for_each("sparse::amr::initialise", CopyPlan<Law::dimension>(primitive.domain(), state.domain(), primitive.domain()),
           StoreConserved<Law>{law, primitive.view(), state.view()});
}

}  // namespace detail

template <class Law>
template <StateAtPosition<Law> Function>
InitialState<Law>::InitialState(Function const& function)
    : fill_([function](State& state, Law const& law, Cells const& cells, Grid<Dim> const& grid) {
        detail::fill_from_positions<Law, Function>(state, law, function, cells, grid);
      }) {}

template <class Law>
template <StateOfCells<Law> Function>
InitialState<Law>::InitialState(Function const& function)
    : fill_([function](State& state, Law const& law, Cells const& cells, Grid<Dim> const& grid) {
        State primitive("initial state", cells, Law::component_count);
        function(primitive, cells, grid);
        detail::store_conserved<Law>(state, law, primitive);
      }) {}

}  // namespace sparse::amr
