#pragma once
/// Lists of the faces and cells beside curved walls. All others are as in the open grid.

#include <array>
#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// A side of the volume around a face, halfway to the next face.
struct CutSide {
  Index beside;  // the next face in storage, or -1: then the velocity there is `slope` times that here plus `offset`
  double slope, offset;
  double toward, from;  // viscosity adds `toward` times the velocity there minus `from` times that here, per time
  Index carrier[2];     // fluid crosses the side through the openings of these faces
  double share[2];      // half of their open shares
};

/// An open face whose fluxes differ from those of the open grid. Its velocity is the mean over its open part, at the
/// centre of that part.
template <int Dim>
struct CutFace {
  Vec<Coord, Dim> face;
  Index position, above, below;  // position: in storage; above, below: the cells in the fluid
  double share;                  // open share; also stands for the fluid part of the volume around the face
  double friction;               // times viscosity and velocity: additional loss to the wall, per time
  double closed_friction;        // the part of the sides' `from` that goes to the wall
  CutSide sides[2 * Dim];
};

/// What conduction exchanges per capacity at most, over that of the open grid. Stages of Runge and Kutta are stable up
/// to 1.6 at half the longest step.
constexpr double greatest_exchange = 1.25;

template <int Dim>
struct CutCell {
  Vec<Coord, Dim> cell;
  Index in_fluid;
  Index faces[2 * Dim];  // in storage; the first is also the position of the cell
  double share[2 * Dim];
  double volume;    // fluid part
  double capacity;  // the part that counts for what is transported: the volume, or more where it is so small that steps
                    // would be unstable
};

/// A face that is partly closed.
struct CutOpening {
  Index position;
  int axis, cell_count;  // cells of the fluid beside it that no other rank owns
  double share;
};

template <int Dim>
struct CutWalls {
  std::array<Buffer<CutFace<Dim>>, Dim> faces;
  FaceSets<Dim> cut;     // those of `faces`
  FaceSets<Dim> closed;  // boundary faces that are closed
  Buffer<CutCell<Dim>> cells;
  Buffer<CutOpening> openings;
};

/// What convection takes from upstream: a share of the speed beyond that of a cell Reynolds number.
struct Upstream {
  double share = 0, reynolds = 0;
};

/// The change of velocity per time at a cut face, times its open share. The rates are the decay of this gain per unit
/// of the face's own velocity, by viscosity and by convection.
struct CutBalance {
  double gain, viscous_rate, carried_rate;
};
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION CutBalance balance_of(CutFace<Dim> const& face, FieldView<T const> const& velocity,
                                                  int axis, Vec<double, Dim> const& spacing, double viscosity,
                                                  Upstream const& from) {
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
    double const beyond = size - from.reynolds * viscosity * side.toward;
    double const upstream = beyond > 0 ? from.share * beyond : 0;
    balance.gain +=
        viscosity * (side.toward * there - side.from * here) - 0.5 * (out * (here + there) + upstream * (here - there));
    balance.viscous_rate += viscosity * side.from;
    balance.carried_rate += 0.5 * (size + upstream);
  }
  return balance;
}
/// The gradient of the pressure at a cut face.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION double gradient_at(CutFace<Dim> const& face, T const* pressure, double width) {
  return (static_cast<double>(pressure[face.above]) - static_cast<double>(pressure[face.below])) / width;
}

}  // namespace sparse::incompressible::detail
