#pragma once
/// The divergence of some cells.

#include "grid/body.hpp"

namespace sparse::incompressible::detail {

/// result = factor div velocity for the cells of a plan, at the positions of its first operand.
/// @param velocity  Dim components on the storage of the plan
template <class T, int Dim>
void divergence_at(CellPlan<Dim> const& cells, Field<T, Dim> const& velocity, Vec<double, Dim> const& spacing,
                   double factor, T* result);

/// The same for the cells that curved walls cut.
/// @param positions  of the results of cut cells; -1: none
template <class T, int Dim>
void divergence_at_cuts(StaggeredGrid<Dim> const& grid, Buffer<Index> const& positions, Field<T, Dim> const& velocity,
                        double factor, T* result);

}  // namespace sparse::incompressible::detail
