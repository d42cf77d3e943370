#pragma once
/// Bodies with curved walls on levels.

#include "level_grid.hpp"

namespace sparse::incompressible::detail {

/// Gives the boundary the surfaces of all bodies of a domain.
/// @throws std::invalid_argument  if there is no body, or one has no distance or no friction
template <int Dim>
void set_surfaces(LevelBoundary<Dim>& sides, amr::Domain<Dim> const& domain);

/// The same domain with bodies of cells that their surfaces leave no opening of: all but `open_cells`. Cells between
/// bodies are of all that are near. Cost: a pass over the rows of the finest box for each body.
/// @param surface  of all bodies
template <int Dim>
amr::Domain<Dim> with_closed_cells(amr::Domain<Dim> const& domain, SignedDistance<Dim> const& surface);

}  // namespace sparse::incompressible::detail
