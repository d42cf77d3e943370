#pragma once
/// What curved walls change of a staggered grid: lists of the faces and cells beside them, and of no others.

#include <array>
#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// A boundary of the volume around a face, halfway to the next face.
struct CutSide {
  Index beside;  // the next face in storage, or -1: the velocity there is slope times that here plus offset
  double slope, offset;
  double toward, from;  // viscosity brings toward times the velocity there, less from times that here, per time
  Index carrier[2];     // fluid goes through the openings of these faces
  double share[2];      // half of what is open of them
};

/// An open face whose fluxes are not those of the open grid. Its velocity is the mean over its open part, in the middle
/// of that part.
template <int Dim>
struct CutFace {
  Vec<Coord, Dim> face;
  Index position, above, below;  // in storage; the cells in the fluid
  double share;                  // that is open, taken for the fluid part of the volume around it, too
  double friction;               // viscosity takes this times the velocity to the wall, in addition, per time
  double closed_friction;        // of what the sides take, that goes to the wall
  CutSide sides[2 * Dim];
};

template <int Dim>
struct CutCell {
  Vec<Coord, Dim> cell;
  Index in_fluid;
  Index faces[2 * Dim];  // in storage
  double share[2 * Dim];
};

/// A face that is partly closed.
struct CutOpening {
  Index position;
  int axis, cell_count;  // cells of the fluid beside it
  double share;
};

template <int Dim>
struct CutWalls {
  std::array<Buffer<CutFace<Dim>>, Dim> faces;
  FaceSets<Dim> closed;  // of the boundary
  Buffer<CutCell<Dim>> cells;
  Buffer<CutOpening> openings;
};

/// The change of velocity per time at a cut face, times its open share; and the rates at which that would fall if only
/// this velocity changed.
struct CutBalance {
  double gain, viscous_rate, carried_rate;
};
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION CutBalance balance_of(CutFace<Dim> const& face, FieldView<T const> const& velocity,
                                                  int axis, Vec<double, Dim> const& spacing, double viscosity,
                                                  double donor_cell) {
  T const* const u = velocity.data + axis * velocity.stride;
  auto const here = static_cast<double>(u[face.position]);
  CutBalance balance{-viscosity * face.friction * here, viscosity * face.friction, 0};
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    CutSide const& side = face.sides[arm];
    int const across = arm / 2;
    double const there = side.beside >= 0 ? static_cast<double>(u[side.beside]) : side.slope * here + side.offset;
    double out = 0;
    for (int k = 0; k < 2; ++k) out += side.share[k] * static_cast<double>(velocity(across, side.carrier[k]));
    out *= (arm % 2 == 0 ? -1 : 1) / spacing[across];
    double const size = out < 0 ? -out : out;
    balance.gain += viscosity * (side.toward * there - side.from * here) -
                    0.5 * (out * (here + there) + donor_cell * size * (here - there));
    balance.viscous_rate += viscosity * side.from;
    balance.carried_rate += 0.5 * (1 + donor_cell) * size;
  }
  return balance;
}
/// The gradient of the pressure at a cut face.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION double gradient_at(CutFace<Dim> const& face, T const* pressure, double width) {
  return (static_cast<double>(pressure[face.above]) - static_cast<double>(pressure[face.below])) / width;
}

}  // namespace sparse::incompressible::detail
