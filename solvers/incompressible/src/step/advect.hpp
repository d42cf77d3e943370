#pragma once
/// Semi-Lagrangian advection: what is at a place now was elsewhere a moment ago.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/incompressible/step/advection.hpp>

namespace sparse::incompressible {

/// Room for `advect`: 3 + Dim values per cell of the grid's storage.
template <class T, int Dim>
class AdvectionScratch {
public:
  explicit AdvectionScratch(StaggeredGrid<Dim> const& grid);

  /// For `advect`.
  Field<T, Dim> first, back, least, greatest;
};

/// Carries velocity, or cell values, along for a time step.
///
/// Fluid comes from where the midpoint rule says, along a straight line that boundaries bend. Where a whole box of
/// cells around a cell is fluid and it comes from less than 3/2 cells away on each axis, all values are found at
/// constant distances in memory; elsewhere, by walking from cell to cell. So steps may be longer, which is slower.
///
/// @param velocity  that carries: Dim components on the grid's storage, boundary values included
/// @param from, to  other fields on the grid's storage: Dim components, taken for a velocity, of which the computed
///                  faces are written, or one component, cell values, of which the fluid cells are; `from` may be
///                  `velocity`
/// @throws std::invalid_argument  if a field does not fit or the time step is not finite
/// Source: Stam, Stable fluids (1999); Selle, Fedkiw, Kim, Liu, Rossignac, An unconditionally stable MacCormack method,
/// J. Sci. Comput. 35 (2008).
template <class T, int Dim>
void advect(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, Field<T, Dim> const& from, Field<T, Dim>& to,
            double time_step, Advection method, AdvectionScratch<T, Dim>& scratch);

}  // namespace sparse::incompressible
