#pragma once
/// The values that a computed face sees beyond a boundary parallel to its own axis.

#include "view.hpp"

namespace sparse::incompressible::detail {

/// Visits the one or two fluid cells beside a face normal to `axis`. Calls `visit(share, mirror, value, cell)` for
/// each cell that has a boundary face normal to `across` on the side of `step`. `value` is the mirror image of
/// `inside`. `cell` lies beyond the boundary. The shares of the fluid cells add up to 1.
template <class T, int Dim, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void visit_images(GridView<Dim> const& grid, Vec<Coord, Dim> const& face, Index position,
                                              int axis, int across, int step, T inside, Visit const& visit) {
  Vec<Coord, Dim> cells[2] = {face, face};
  --cells[1][axis];
  Index const positions[2] = {position, grid.beside(position, axis, false)};
  T const share = grid.is_fluid(positions[0]) && grid.is_fluid(positions[1]) ? T(0.5) : T(1);
  for (int side = 0; side < 2; ++side) {
    if (!grid.is_fluid(positions[side])) continue;
    auto beyond = cells[side];
    beyond[across] += step;
    int const kind = grid.kind(across, step < 0 ? positions[side] : grid.beside(positions[side], across, true));
    if (kind < FaceKind::boundary) continue;
    Mirror const mirror = mirror_of(grid.condition(kind), axis);
    visit(share, mirror, static_cast<T>(mirror.slope) * inside + static_cast<T>(mirror.offset), beyond);
  }
}

}  // namespace sparse::incompressible::detail
