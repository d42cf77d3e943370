#pragma once
/// The state of an incompressible flow at one time, and initial values. It does not depend on the method.

#include <functional>
#include <type_traits>
#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// Can be moved but not copied, like its fields.
template <class T, int Dim>
struct State {
  Field<T, Dim> velocity;  ///< Dim components on the grid's storage: a on the faces normal to axis a
  Field<T, Dim> pressure;  ///< over density, on the fluid [(length / time)^2]; its mean is 0 without outflow
  std::vector<Field<T, Dim>> carried;  ///< one component each on the grid's storage; only fluid cells count
  /// Of the state, and steps until then.
  double time = 0;
  Index step_count = 0;

  /// Fluid at rest, with the given velocities on the boundary. In general it is not free of divergence before the first
  /// step.
  /// Memory: 1 + Dim values per cell, and one for each carried field.
  /// @param names  of the carried fields
  explicit State(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names = {});
};

/// A vector, or a number, at each position in space.
template <int Dim>
using VectorFunction = std::function<Vec<double, Dim>(Vec<double, Dim> const& position)>;
template <int Dim>
using ScalarFunction = std::function<double(Vec<double, Dim> const& position)>;

/// Sets the velocity of a state: `function(x)[axis]` at the centre x of each face. Given velocities on the boundary
/// stay.
/// Cost: a call of the function per face, on the host.
/// @throws std::invalid_argument  if the state does not fit to the grid, or there is no function
template <class T, int Dim>
void set_velocity(StaggeredGrid<Dim> const& grid, State<T, Dim>& state,
                  std::type_identity_t<VectorFunction<Dim>> const& function);
/// The same for a field. Also sets boundary faces.
/// @param velocity  Dim components on the grid's storage
/// @throws std::invalid_argument  if the field does not fit, or there is no function
template <class T, int Dim>
void set_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim>& velocity,
                  std::type_identity_t<VectorFunction<Dim>> const& function);

/// Sets cell values, for example a carried temperature: `function(x)` at the centre x of each cell of the fluid.
/// @param values  one component on the grid's storage
/// Cost: a call of the function per cell, on the host.
/// @throws std::invalid_argument  if the field does not fit, or there is no function
template <class T, int Dim>
void set_cells(StaggeredGrid<Dim> const& grid, Field<T, Dim>& values,
               std::type_identity_t<ScalarFunction<Dim>> const& function);

}  // namespace sparse::incompressible
