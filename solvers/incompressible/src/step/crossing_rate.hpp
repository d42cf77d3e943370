#pragma once
/// How fast fluid crosses cells.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// The greatest sum over axes of |velocity| / spacing in a cell [1 / time]. Cost: a pass over the cells.
/// @param velocity  Dim components on the grid's storage
/// @throws std::invalid_argument  if the field does not fit
template <class T, int Dim>
double greatest_crossing_rate(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity);

}  // namespace sparse::incompressible::detail
