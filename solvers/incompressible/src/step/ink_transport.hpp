#pragma once
/// Ink: cell values that the flow carries, by fluxes through faces.

#include <optional>
#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

#include "grid/cut_groups.hpp"
#include "ink_stage.hpp"
#include "transport.hpp"

namespace sparse::incompressible {

/// Carries cell values so that their total changes only by what flows through boundaries.
template <class T, int Dim>
class InkTransport {
public:
  /// Memory, once used: per ink a value per cell of the grid's storage, at curved walls two. Cost: some passes over the
  /// cells.
  explicit InkTransport(StaggeredGrid<Dim> const& grid);

  /// Different fields of one component on the grid's storage: before and after a step.
  struct Ink {
    Field<T, Dim> const& values;
    Field<T, Dim>& to;
    double diffusivity = 0;  ///< >= 0 [length^2 / time]; nothing passes walls
  };

  /// Carries values for a time step. The velocity changes at a constant rate from the first to the second one; both
  /// may be the same field.
  ///
  /// The value in a flux is that of the cell upstream plus half a gain, by Koren's limiter. The order is two away from
  /// extrema. There are s >= 2 stages: s - 1 of Euler's method and one more, in means that are of second order. No
  /// value leaves the range of those around it while time_step times the sum of |velocity| / spacing + diffusivity
  /// / spacing^2 over the faces of a cell is at most s - 1. So long steps take more stages. That holds if velocities
  /// have no divergence; what they have changes values in proportion.
  ///
  /// Fluid that flows in through a boundary has the value inside: sources beside it fill it. Walls let nothing
  /// through. At curved walls fluxes count open shares, and cells count their fluid part. Cells of less than half a
  /// volume are one with a neighbour (see `CellGroups`). Of inks that spread, they are not: values are those at the
  /// centres of whole cells, as in `CellTransport`, and small cells take more stages.
  ///
  /// @param velocity    Dim components on the grid's storage, boundary values included
  /// @return            s
  /// @throws std::invalid_argument  if a field does not fit or the time step makes no sense
  /// @throws std::runtime_error     if more than 100000 stages would be needed
  /// Cost: s passes over the cells, and one over each velocity. Three inks cost less than three times one.
  /// Source: stages: Ketcheson, Highly efficient strong stability-preserving Runge-Kutta methods with low-storage
  /// implementations, SIAM J. Sci. Comput. 30 (2008); joined cells: Kirkpatrick, Armfield, Kent, J. Comput. Phys. 184
  /// (2003).
  int operator()(std::vector<Ink> const& inks, Field<T, Dim> const& velocity, Field<T, Dim> const& velocity_after,
                 double time_step);
  /// The same for one ink.
  int operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity, Field<T, Dim> const& velocity_after,
                 double time_step, Field<T, Dim>& to) {
    return (*this)({{values, to}}, velocity, velocity_after, time_step);
  }

  // ---- for flows on levels, where the levels exchange values after each stage

  struct Step {
    Field<T, Dim> const &velocity, &velocity_after;
    double time_step;
    int stage_count;
  };
  /// The greatest sum of |velocity| / spacing over the faces of a cell, and that of diffusivity / spacing^2 [1 / time].
  /// @param inks  that the velocity carries
  double greatest_rate(std::vector<Ink> const& inks, Field<T, Dim> const& velocity);
  double greatest_rate(std::vector<Ink> const& inks) const;
  /// s of a step.
  /// @throws std::runtime_error  as above
  static int stage_count(double rate, double time_step);
  /// Stage 0, 1, ..., s - 1 of a step. All of them, one after the other, are a step.
  void take_stage(std::vector<Ink> const& inks, Step const& step, int stage);
  /// What a stage has made of ink k.
  Field<T, Dim>& after(std::vector<Ink> const& inks, Step const& step, int stage, std::size_t k);
  /// How a stage carries ink.
  detail::InkStage<T, Dim> kernel_of(Step const& step, int stage) const;

private:
  struct Cells {
    detail::CellGroups<Dim> groups;           // beside curved walls
    typename CellOperands<Dim>::Plan others;  // all other cells of the fluid
  };
  Cells cells(double least_volume) const;
  /// Those for inks that spread, or for others.
  Cells const& cells_of(bool spreads);
  template <int Count, bool spreads>
  void run(std::vector<Ink> const& inks, std::size_t first, Step const& step, int stage);
  void make_room(std::size_t count);

  StaggeredGrid<Dim> grid_;
  Cells in_groups_;
  std::optional<Cells> alone_;                   // each cell beside a curved wall is a group; once they are needed
  std::vector<Field<T, Dim>> between_, joined_;  // of each ink
};

}  // namespace sparse::incompressible
