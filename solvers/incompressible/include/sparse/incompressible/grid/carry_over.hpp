#pragma once
/// A flow goes on after its fluid or its boundary has changed.

#include <sparse/incompressible/grid/state.hpp>

namespace sparse::incompressible {

/// The state of a flow on another grid, for example after a body has grown or shrunk.
///
/// What both grids have keeps its value. New cells, and faces that are computed from now on, begin with the mean of
/// their neighbours, layer by layer (`fill_from_neighbours`). Where no neighbour leads to known values, fluid is at
/// rest and carries nothing. Given velocities on the boundary are those of `to`. Time and step count go on.
///
/// The velocity is not free of divergence: let a method `project` it before its next step.
/// @param from  the grid of `state`; its cells are those of `to` in space
/// @throws std::invalid_argument  if the state does not fit to `from`, or the grids have other cell widths
template <class T, int Dim>
State<T, Dim> carry_over(StaggeredGrid<Dim> const& to, StaggeredGrid<Dim> const& from, State<T, Dim> const& state);

}  // namespace sparse::incompressible
