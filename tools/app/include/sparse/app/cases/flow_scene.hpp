#pragma once
/// The sets that a case describes.

#include <vector>

#include <sparse/base/grid.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/shapes/bodies.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/flow_case.hpp>

namespace sparse::app {

/// Fluid, bodies and boundary of a case.
template <int Dim>
struct FlowScene {
  /// The grid of cells, and the solid ones.
  sparse::Grid<Dim> grid;
  sparse::IntervalSet<Dim> solid;
  sparse::incompressible::FlowDomain<Dim> domain;  ///< parts: the case's boundaries, then its obstacles
  sparse::Index padded_count = 0;                  ///< cells that were added to thin obstacles
  /// With curved walls, the number of the obstacle that is nearest to a position. Otherwise empty.
  sparse::BodyNumber<Dim> nearest_obstacle = {};
};

/// The scene of a case.
/// @throws std::runtime_error  naming what is wrong: an obstacle or a boundary that has no cell or face, a shape of
///                             another dimension; with the path, a file that cannot be read
template <int Dim>
FlowScene<Dim> scene_of(FlowCase const& flow_case);

/// The obstacles as bodies whose walls are curved.
/// @throws std::runtime_error  naming the first obstacle that cannot be one
template <int Dim>
std::vector<sparse::Body<Dim>> curved_bodies(FlowCase const& flow_case);
/// The cells of each obstacle. Where obstacles overlap, cells belong to the first one.
/// @throws std::runtime_error  as `scene_of`
template <int Dim>
std::vector<sparse::IntervalSet<Dim>> bodies_of(FlowCase const& flow_case);
/// The same in cells of another box, for example of the finest level.
template <int Dim>
std::vector<sparse::IntervalSet<Dim>> bodies_of(FlowCase const& flow_case, CaseBox const& cells);
/// The scene of a case whose obstacles have other cells, for example none. `bodies_of` gives those of the case.
/// @param bodies  one set for each obstacle, in the box; they share no cell
/// @throws std::invalid_argument  if there are less or more sets than obstacles
/// @throws std::runtime_error     as `scene_of`
template <int Dim>
FlowScene<Dim> scene_of(FlowCase const& flow_case, std::vector<sparse::IntervalSet<Dim>> bodies);

/// What makes the fluid of a case move.
/// @param temperature  number of the carried value that is the temperature, if the case has one
/// @throws std::runtime_error  if a source of heat has no cell in the fluid
template <int Dim>
FlowPhysics<Dim> physics_of(FlowCase const& flow_case, sparse::IntervalSet<Dim> const& fluid, std::size_t temperature);

/// Sets the case's velocity and temperature at the start. Ink stays as it is.
template <int Dim>
void set_start(FlowCase const& flow_case, sparse::incompressible::StaggeredGrid<Dim> const& grid,
               sparse::incompressible::State<double, Dim>& state, std::size_t temperature);

/// The cells of the fluid beside inflows. What flows in has the ink of these cells.
template <int Dim>
sparse::IntervalSet<Dim> cells_beside_inflow(sparse::incompressible::StaggeredGrid<Dim> const& grid);

}  // namespace sparse::app
