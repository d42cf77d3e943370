#pragma once
/// What an incompressible flow is at one time, whatever method takes it to the next.

#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// Moved, never copied, like its fields.
template <class T, int Dim>
struct State {
  Field<T, Dim> velocity;              ///< Dim components on the grid's storage: a on the faces normal to axis a
  Field<T, Dim> pressure;              ///< over density, on the fluid [(length / time)^2]; of mean 0 without outflow
  std::vector<Field<T, Dim>> carried;  ///< one component each on the grid's storage, of which the fluid cells count
  double time = 0;
  Index step_count = 0;

  /// Fluid at rest but on the boundary, and nothing else: in general not free of divergence before the first step.
  /// @param names  of what is carried
  explicit State(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names = {});
};

}  // namespace sparse::incompressible
