#pragma once
/// Walls that are where a distance is 0, instead of faces of cells.

#include <functional>

#include <sparse/base/grid.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::incompressible {

/// How far points are from the surface of what is solid [length], negative inside; called on the host. It must not
/// change by more than the distance between two points, and across a period it must repeat itself.
template <int Dim>
using SignedDistance = std::function<double(Vec<double, Dim> const& position)>;

/// Faces of which less than this is open count as closed; those between two cells of the fluid are open by this much.
inline constexpr double least_opening = 1e-3;

/// The cells of a set that fluid can flow through: those that have an open face towards another one. The others are
/// inside of what is solid. Of parts thinner than a cell some, or all, is missed: fluid flows there.
/// @param grid    where the cells are
/// @param period  see `FlowDomain`
/// Cost: a call of the function per cell, on the host, and some dozen per cell at the surface.
/// @throws std::invalid_argument  if there is no function, or a distance is not a number
template <int Dim>
IntervalSet<Dim> open_cells(IntervalSet<Dim> const& cells, Grid<Dim> const& grid, SignedDistance<Dim> const& distance,
                            Vec<Coord, Dim> const& period = {});

}  // namespace sparse::incompressible
