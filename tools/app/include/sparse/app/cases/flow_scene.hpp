#pragma once
/// The sets that a case describes.

#include <functional>

#include <sparse/base/grid.hpp>
#include <sparse/incompressible/grid/staggered_grid.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/flow_case.hpp>

namespace sparse::app {

/// Fluid, bodies and boundary of a case.
template <int Dim>
struct FlowScene {
  sparse::Grid<Dim> grid;
  sparse::IntervalSet<Dim> solid;
  sparse::incompressible::FlowDomain<Dim> domain;  ///< parts: the case's boundaries, then its obstacles
  sparse::Index padded_count = 0;                  ///< cells that were added to thin obstacles
  /// With curved walls, the number of the obstacle that is nearest to a position. Otherwise empty.
  std::function<std::size_t(sparse::Vec<double, Dim> const& position)> nearest_obstacle = {};
};

/// @throws std::runtime_error  naming what is wrong: an obstacle or a boundary that has no cell or face, a shape of
///                             another dimension; with the path, a file that cannot be read
template <int Dim>
FlowScene<Dim> scene_of(FlowCase const& flow_case);

}  // namespace sparse::app
