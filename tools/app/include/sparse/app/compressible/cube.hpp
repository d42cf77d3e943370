#pragma once
/// The domain of programs that compute in a square or a cube.

#include <sparse/amr/domain/domain.hpp>

namespace sparse::app {

/// The box from 0 to `side` on each axis, with sides of one kind.
/// @param side  [length]
/// @param n     cells of the finest level along each axis, a multiple of 2^(level_count - 1)
/// @throws std::invalid_argument  as `amr::Domain`
template <int Dim>
sparse::amr::Domain<Dim> cube(double side, int n, int level_count, BoundaryKind kind) {
  sparse::amr::DomainOptions<Dim> options;
  options.level_count = level_count;
  options.cells = Vec<Coord, Dim>::filled(n >> (level_count - 1));
  options.grid.spacing = Vec<double, Dim>::filled(side / options.cells[0]);
  options.sides = Vec<Vec<BoundaryKind, 2>, Dim>::filled({kind, kind});
  return sparse::amr::Domain<Dim>(options);
}

}  // namespace sparse::app
