#pragma once
/// The force of a flow on a body.

#include <array>

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/plans/plan.hpp>

namespace sparse::incompressible {

/// Force over density [length^(Dim + 1) / time^2].
template <int Dim>
struct Force {
  /// The parts of pressure and of friction.
  Vec<double, Dim> pressure = {}, viscous = {};
  /// What the flow carries through the middles of the cells beside walls, and along walls round corners. It vanishes
  /// with the spacing.
  Vec<double, Dim> carried = {};
  /// The sum of all parts.
  Vec<double, Dim> total() const { return pressure + viscous + carried; }
};

/// How friction at walls of cells follows from velocity.
enum class WallFriction {
  parabola,  ///< the slope at the wall of the parabola through its velocity and two values inside, as in steps of
             ///< `Smac`
  images     ///< from the mirror image beyond the wall, of first order, as in `diffuse` and the paper's step of `Smac`
};

/// Sums forces over the faces of a body.
template <int Dim>
class BodyForces {
public:
  /// @param solid  the cells of the body, none of them in the fluid. Cells that touch no fluid do not matter. With
  ///               curved walls: the cells with their centres in the body. Its walls are the curved walls within two
  ///               cells.
  /// @throws std::invalid_argument  if the body and the fluid share a cell, unless there are curved walls
  BodyForces(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& solid,
             WallFriction friction = WallFriction::parabola);

  /// The force on the body: exactly the momentum per time that stages of `Smac` take from the fluid at its faces. So in
  /// a closed box the forces on all walls add up to nothing, once the flow is steady. With other methods, which do not
  /// keep momentum, this holds for pressure and friction. At curved walls it holds for steady flow, and nothing is
  /// carried. Bodies of cells beside curved walls have no friction here.
  /// Cost: a pass over the faces near the body.
  /// @param pressure      over density, on the fluid [length^2 / time^2]
  /// @param viscosity     >= 0 [length^2 / time]
  /// @param acceleration  body force on all of the fluid. It matters only at curved walls, where the friction in small
  ///                      openings balances all forces there.
  /// @throws std::invalid_argument  if a field does not fit, or the viscosity is negative
  template <class T>
  Force<Dim> operator()(Field<T, Dim> const& velocity, Field<T, Dim> const& pressure, double viscosity,
                        Vec<double, Dim> const& acceleration = {}) const;

private:
  StaggeredGrid<Dim> grid_;
  IntervalSet<Dim> solid_;
  WallFriction friction_;
  // The cells and faces near the curved walls of the body.
  IntervalSet<Dim> near_;
  FaceSets<Dim> near_faces_;
  std::array<Plan<Dim, 4>, Dim> faces_;
  // Computed faces near walls of cells, and those around them.
  std::array<Plan<Dim, 1 + 2 * Dim>, Dim> arms_;
};

}  // namespace sparse::incompressible
