#pragma once
/// Velocities between faces, without divergence.

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// Cell c of the result is in cell c / factor of the set. Cost: a pass over the intervals on the host.
template <int Dim>
IntervalSet<Dim> divided(IntervalSet<Dim> const& set, int factor);
/// The grid whose cells are those of another one, divided by a whole number along each axis. All its boundaries are
/// walls.
template <int Dim>
StaggeredGrid<Dim> divided(StaggeredGrid<Dim> const& grid, int factor);

/// Velocities on a divided grid. See `FineInk`.
template <class T, int Dim>
class FineVelocity {
public:
  FineVelocity(StaggeredGrid<Dim> const& grid, StaggeredGrid<Dim> const& fine, int factor);

  /// to = speed * velocity
  /// @param velocity  on the storage of `grid`, boundary values included
  /// @param to        on the storage of `fine`
  /// Cost: a pass over the faces of both grids.
  void operator()(Field<T, Dim> const& velocity, double speed, Field<T, Dim>& to);

private:
  StaggeredGrid<Dim> grid_, fine_;
  int factor_;
  Field<std::int32_t, Dim> parents_;  // on the fine storage: the position of the cell
  Field<T, Dim> slopes_;              // component Dim a + t: of component a along axis t, per cell
};

}  // namespace sparse::incompressible::detail
