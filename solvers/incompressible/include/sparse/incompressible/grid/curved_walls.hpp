#pragma once
/// Walls that are where a distance is 0, instead of faces of cells.

#include <sparse/shapes/bodies.hpp>

namespace sparse::incompressible {

/// A face whose open share is less than this counts as closed. Between two cells of the fluid it is opened by this
/// much.
inline constexpr double least_opening = 1e-3;

/// The cells of a set that fluid can flow through: they have an open face towards another cell. All others are inside
/// the solid. Parts of the solid that are thinner than a cell may be missed. Then fluid flows there.
/// @param grid    where the cells are
/// @param period  see `FlowDomain`
/// Cost: one call of the function per cell, on the host, and dozens per cell at the surface.
/// @throws std::invalid_argument  if there is no function, or a distance is not a number
template <int Dim>
IntervalSet<Dim> open_cells(IntervalSet<Dim> const& cells, Grid<Dim> const& grid, SignedDistance<Dim> const& distance,
                            Vec<Coord, Dim> const& period = {});

}  // namespace sparse::incompressible
