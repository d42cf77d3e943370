#pragma once
/// One explicit step of the energy equation: the flow carries cell values, diffusion spreads them.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/plans/plan.hpp>

#include "grid/wall_probes.hpp"

namespace sparse::incompressible {

/// What kernels that transport cell values look up: a cell, in storage; its neighbours, those of `face_arms`, in the
/// fluid; then the upper face along each axis. Then the neighbours behind the neighbours.
template <int Dim>
struct CellOperands {
  using Plan = sparse::Plan<Dim, 1 + 5 * Dim>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int near(int arm) { return 1 + arm; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int upper(int axis) { return 1 + 2 * Dim + axis; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int far(int arm) { return 1 + 3 * Dim + arm; }
  /// @param cells  of the fluid
  static Plan plan(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& cells);
};

/// What a stage of a Runge-Kutta step makes of what convection and diffusion alone would give.
template <class T, int Dim>
struct CellStage {
  Field<T, Dim> const& start;          ///< values of the step's start
  double of_start;                     ///< their part in the result, the rest is that of the stage
  Field<T, Dim> const& last_velocity;  ///< of the step before
  double ahead;                        ///< the stage's velocity is velocity + ahead (velocity - last_velocity)
};

/// The cells of the fluid, with the cells and faces beside them.
///
/// Beside curved walls, values are those at the centres of whole cells, as if temperature went on smoothly into the
/// wall. The flux through a face is multiplied by its open share. A wall with a temperature gives what the slope of a
/// parabola says, through the wall and two points at least one and two cells away, where values are interpolated. So
/// small cells have no large conductances. They would still be too fast for the step, so these have a greater heat
/// capacity than their volume. This changes nothing in steady flows, and no totals; along a wall, it is like 0.03 cell
/// widths of fluid.
template <int Dim>
class CellTransport {
public:
  using Cells = typename CellOperands<Dim>::Plan;

  /// Cost: some passes over the cells.
  explicit CellTransport(StaggeredGrid<Dim> const& grid);

  /// to = values + time_step (diffusivity laplacian(values) - div(velocity values)) in the fluid, by Euler's method.
  /// The fluxes through faces are those of `Convection`, so nothing is lost.
  ///
  /// A boundary with a temperature has that value on its faces. Fluid that flows in has it, and beyond stands the
  /// mirror image. Beyond all other boundaries stands the value inside.
  ///
  /// @param values, to  different fields, one component on the grid's storage
  /// @param velocity    Dim components on the grid's storage, boundary values included
  /// @param donor_cell  see `VelocityTerms`
  /// @throws std::invalid_argument  if a field does not fit or a number makes no sense
  template <class T>
  void operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity, double time_step, double diffusivity,
                  double donor_cell, Field<T, Dim>& to) const;

  /// A stage of a Runge-Kutta step, without a donor-cell share: to = of_start start + (1 - of_start) (values +
  /// time_step (...)). The value in a flux is that of the cubic polynomial
  /// through four values, or the mean where one is missing. At speeds s beyond 2 diffusivity / spacing, the
  /// share 1 - 2 diffusivity / (spacing s) of it is that of Koren's limiter, from upstream. Beyond walls with a
  /// temperature, and where a value is missing, the limiter takes the value upstream.
  template <class T>
  void operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity, double time_step, double diffusivity,
                  CellStage<T, Dim> const& stage, Field<T, Dim>& to) const;

private:
  template <class T, class Scheme>
  void run(Scheme const& scheme, Field<T, Dim> const& values, Field<T, Dim> const& velocity, double time_step,
           double diffusivity, Field<T, Dim>& to) const;

  StaggeredGrid<Dim> grid_;
  Cells cells_, at_temperatures_;
  Buffer<detail::CutTransport<Dim>> cuts_;
  Buffer<detail::WallProbe<Dim>> warm_walls_;
};

}  // namespace sparse::incompressible
