#pragma once
/// Walls defined by the zero of a distance function instead of by faces of cells.

#include <optional>

#include <sparse/shapes/bodies.hpp>

namespace sparse::incompressible {

/// Faces with a smaller open share count as closed. Between two cells of the fluid, such a face is opened to this
/// share.
inline constexpr double least_opening = 1e-3;

/// What a curved wall does to the temperature of the fluid, as `BoundaryPart` says it. With neither it conducts
/// nothing.
struct WallHeat {
  /// Of the wall; neither: no heat goes through it.
  std::optional<double> temperature = {}, heat_flux = {};
};

/// The cells of a set that fluid can flow through: they have an open face towards another cell. All others are inside
/// the solid. Parts of the solid that are thinner than a cell may be missed, and become fluid.
/// @param grid    where the cells are
/// @param period  see `FlowDomain`
/// Cost: some calls of the function per row, on the host, and dozens per cell at the surface.
/// @throws std::invalid_argument  if there is no function, or a distance is not a number
template <int Dim>
IntervalSet<Dim> open_cells(IntervalSet<Dim> const& cells, Grid<Dim> const& grid, SignedDistance<Dim> const& distance,
                            Vec<Coord, Dim> const& period = {});

}  // namespace sparse::incompressible
