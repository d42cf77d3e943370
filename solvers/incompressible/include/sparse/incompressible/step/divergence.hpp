#pragma once
/// How much flows out of cells.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// result = factor div velocity [1 / time]. Cost: one pass over the cells.
/// @param result  one component on the fluid
/// @throws std::invalid_argument  if a field does not fit
template <class T, int Dim>
void divergence(Field<T, Dim>& result, StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                double factor = 1);

/// The greatest |div velocity| of a cell, and its root mean square [1 / time].
struct Divergence {
  /// Over all cells [1/s].
  double greatest = 0, root_mean_square = 0;
};
/// The size of the divergence of a velocity. Cost: two passes over the cells; waits. With curved walls three passes,
/// and a field.
/// @throws std::invalid_argument  if the field does not fit
template <class T, int Dim>
Divergence divergence_of(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

}  // namespace sparse::incompressible
