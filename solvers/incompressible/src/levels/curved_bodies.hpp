#pragma once
/// Bodies with curved walls on levels.

#include <vector>

#include <sparse/amr/domain/domain.hpp>

namespace sparse::incompressible::detail {

/// The distance to each body of a domain, and its periodic images.
/// @throws std::invalid_argument  if there is no body, or one has no distance or no friction
template <int Dim>
std::vector<SignedDistance<Dim>> surfaces_of_bodies(amr::Domain<Dim> const& domain);
/// The least of some distances.
template <int Dim>
SignedDistance<Dim> nearest_of(std::vector<SignedDistance<Dim>> const& distances);

/// The same domain with bodies of cells that their surfaces leave no opening of: all but `open_cells`. Cells between
/// bodies are of all that are near. Cost: a pass over the rows of the finest box for each body.
/// @param surface  of all bodies
template <int Dim>
amr::Domain<Dim> with_closed_cells(amr::Domain<Dim> const& domain, SignedDistance<Dim> const& surface);

}  // namespace sparse::incompressible::detail
