#pragma once
/// A case of incompressible flow as a domain with levels, and the options of its flow.

#include <sparse/incompressible/levels/adaptive_flow.hpp>

#include <sparse/app/cases/flow_case.hpp>

namespace sparse::app {

/// The domain of a case with levels. Its cells are those of level 0; obstacles are made of cells of the finest one.
/// @throws std::runtime_error  naming what levels cannot do yet, or an obstacle or a boundary without any cell or face
template <int Dim>
sparse::amr::Domain<Dim> domain_on_levels(FlowCase const& c);

/// Refines where vorticity is, and around obstacles.
/// @throws std::runtime_error  as above
template <int Dim>
sparse::incompressible::AdaptiveOptions<Dim> options_on_levels(FlowCase const& c);

}  // namespace sparse::app
