#pragma once
/// One explicit step of the energy equation: the flow carries cell values, diffusion spreads them.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/plans/plan.hpp>

namespace sparse::incompressible {

/// The cells of the fluid, with the cells and faces beside them.
template <int Dim>
class CellTransport {
public:
  /// A cell, in storage; its neighbours, those of `face_arms`, in the fluid; then the upper face along each axis.
  using Cells = Plan<Dim, 1 + 3 * Dim>;

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

private:
  StaggeredGrid<Dim> grid_;
  Cells cells_, at_temperatures_;
};

}  // namespace sparse::incompressible
