#pragma once
/// Semi-Lagrangian advection: takes values from the points that the fluid comes from.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/incompressible/step/advection.hpp>

namespace sparse::incompressible {

/// Memory for `advect`: 3 + Dim values per cell of the grid's storage.
template <class T, int Dim>
class AdvectionScratch {
public:
  explicit AdvectionScratch(StaggeredGrid<Dim> const& grid);

  /// Used by `advect`.
  Field<T, Dim> first, back, least, greatest;
};

/// Carries velocity, or cell values, along for a time step.
///
/// The midpoint rule finds the point that fluid comes from, along a straight line that slides along boundaries. There
/// is a fast path where all cells of a box around a cell are fluid, and the way is less than 3/2 cells on each axis:
/// values are at constant distances in memory. Elsewhere they are found by walking from cell to cell. So longer steps
/// are possible, but slower.
///
/// @param velocity  carries the values: Dim components on the grid's storage, boundary values included
/// @param from, to  other fields on the grid's storage; `from` may be `velocity`. Dim components are a velocity; its
///                  computed faces are written. One component is cell values; the fluid cells are written.
/// @throws std::invalid_argument  if a field does not fit or the time step is not finite
/// Source: Stam, Stable fluids (1999); Selle, Fedkiw, Kim, Liu, Rossignac, An unconditionally stable MacCormack method,
/// J. Sci. Comput. 35 (2008).
template <class T, int Dim>
void advect(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, Field<T, Dim> const& from, Field<T, Dim>& to,
            double time_step, Advection method, AdvectionScratch<T, Dim>& scratch);

}  // namespace sparse::incompressible
