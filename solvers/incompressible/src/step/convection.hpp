#pragma once
/// One explicit step of velocity: the flow carries it, viscosity spreads it.

#include <array>

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/plans/plan.hpp>

namespace sparse::incompressible {

/// What acts on velocity in a step, except pressure.
template <int Dim>
struct VelocityTerms {
  double viscosity = 0;                ///< kinematic, >= 0 [length^2 / time]
  double donor_cell = 0;               ///< from 0, central differences, to 1, upstream ones
  Vec<double, Dim> acceleration = {};  ///< of all of the fluid [length / time^2]
};

/// What a stage of a Runge-Kutta step makes of what convection, viscosity and acceleration alone would give.
template <class T, int Dim>
struct Stage {
  Field<T, Dim> const& start;     ///< velocity of the step's start
  double of_start;                ///< its part in the result, the rest is that of the stage
  Field<T, Dim> const& pressure;  ///< on the fluid
  double pressure_time;           ///< for which the pressure acts on the result
  double upstream = 1;            ///< from 0, the cubic polynomial everywhere, to 1
};

/// The faces whose velocity is computed, with the faces that it depends on.
template <int Dim>
class Convection {
public:
  /// A face, in storage; its neighbours, those of `face_arms`, among the faces of the same axis. Then for each other
  /// axis the upper face of the cell above, and that of the cell below. Then the neighbours behind the neighbours, if
  /// a polynomial may go through all four. At last the upper and the lower cell in the fluid.
  using Faces = Plan<Dim, 1 + 4 * Dim + 2 * (Dim - 1) + 2>;

  /// @param only  if given, only these faces are computed
  /// Cost: some passes over the faces.
  explicit Convection(StaggeredGrid<Dim> const& grid, FaceSets<Dim> const* only = nullptr);

  /// to = velocity + time_step (viscosity laplacian(velocity) - div(velocity velocity) + acceleration) on the computed
  /// faces, by Euler's method. Convection is conservative: it consists of differences of fluxes through the middles
  /// of cells and edges. A flux takes the mean of both sides, and the donor-cell share of the value upstream.
  ///
  /// Beyond boundaries stand mirror images as in `diffuse`, face by face, so walls may be thin. Fluid that flows
  /// through a boundary has the velocity along it that is given there. An outflow carries velocity out, and nothing in.
  /// Viscosity acts there as if nothing changed across the face.
  ///
  /// @param velocity, to  different fields, Dim components on the grid's storage, boundary values included
  /// @throws std::invalid_argument  if a field does not fit or a number makes no sense
  /// Source: Griebel, Dornseifer, Neunhoeffer, Numerical simulation in fluid dynamics (1998), chapter 3.
  template <class T>
  void operator()(Field<T, Dim> const& velocity, double time_step, VelocityTerms<Dim> const& terms,
                  Field<T, Dim>& to) const;

  /// A stage of a Runge-Kutta step, without a donor-cell share: to = of_start start + (1 - of_start) (velocity +
  /// time_step (...)) - pressure_time grad pressure.
  ///
  /// The value in a flux, and viscosity, are those of the cubic polynomial through four values. At speeds s beyond
  /// 2 viscosity / spacing, (s - 2 viscosity / spacing) times a sixth of half their third difference is taken off: in
  /// the limit that is the parabola from upstream; `Stage::upstream` is a share of that. Where one of the four is
  /// missing or cut, or one in the middle is not open, the mean is taken. Friction at boundaries with a given velocity
  /// is that of the parabola through it and two values inside.
  template <class T>
  void operator()(Field<T, Dim> const& velocity, double time_step, VelocityTerms<Dim> const& terms,
                  Stage<T, Dim> const& stage, Field<T, Dim>& to) const;

private:
  template <class T, class Scheme>
  void run(Scheme const& scheme, Field<T, Dim> const& velocity, double time_step, VelocityTerms<Dim> const& terms,
           Field<T, Dim>& to) const;
  StaggeredGrid<Dim> grid_;
  std::array<Faces, Dim> open_, outflow_, at_walls_;
};

}  // namespace sparse::incompressible
