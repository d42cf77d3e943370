#pragma once
/// A case of incompressible flow as a domain with levels, and the options of its flow.

#include <string>
#include <vector>

#include <sparse/incompressible/levels/adaptive_flow.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/flow_case.hpp>

namespace sparse::app {

/// The box with cells of the finest level. Obstacles and sources are made of these.
CaseBox finest_box(FlowCase const& c);

/// The domain of a case with levels. Its cells are those of level 0; obstacles are made of cells of the finest one.
/// @throws std::runtime_error  naming what levels cannot do yet, or an obstacle or a boundary without any cell or face
template <int Dim>
sparse::amr::Domain<Dim> domain_on_levels(FlowCase const& c);

/// The domain of a case whose obstacles have other cells, for example none.
/// @param bodies  one set for each obstacle, of the finest level; they share no cell
/// @throws std::invalid_argument  if there are less or more sets than obstacles
/// @throws std::runtime_error     as above
template <int Dim>
sparse::amr::Domain<Dim> domain_on_levels(FlowCase const& c, std::vector<sparse::IntervalSet<Dim>> const& bodies);

/// A wall with its name in files; one that gives no heat has none.
struct HeatWall {
  sparse::incompressible::InkWall wall;
  std::string name;
};
/// The walls that give heat, and those that take parts of these: boundaries in their order, then obstacles.
std::vector<HeatWall> heat_walls_of(FlowCase const& c);

/// Refines where vorticity is, and around obstacles.
/// @throws std::runtime_error  as above
template <int Dim>
sparse::incompressible::AdaptiveOptions<Dim> options_on_levels(FlowCase const& c);

}  // namespace sparse::app
