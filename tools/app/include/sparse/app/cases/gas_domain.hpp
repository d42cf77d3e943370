#pragma once
/// Where the gas of a case flows.

#include <vector>

#include <sparse/amr/domain/domain.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/gas_case.hpp>

namespace sparse::app {

/// The box with cells of the finest level. Shapes are made of these.
CaseBox finest_box(GasCase const& c);

/// The domain of a case. Its bodies are the case's obstacles.
/// @throws std::runtime_error  naming what is wrong: an obstacle that has no cell, a boundary that has no face
template <int Dim>
sparse::amr::Domain<Dim> domain_of(GasCase const& c);

/// The obstacles of a case as bodies.
/// @throws std::runtime_error  with the path, for a file that cannot be read
template <int Dim>
std::vector<sparse::Body<Dim>> bodies_of(GasCase const& c);
/// The domain of a case with other bodies, which need no cells in the box.
/// @throws std::runtime_error  if a boundary has no face
template <int Dim>
sparse::amr::Domain<Dim> domain_of(GasCase const& c, std::vector<sparse::Body<Dim>> bodies);

/// A part of a side with a state of its own. If two share faces, the later one counts.
template <int Dim>
struct GasOpening {
  /// The side.
  int axis;
  sparse::FaceSide side;
  sparse::Vec<double, Dim> begin, end;  ///< corners of its faces
  /// Whether gas flows in there, and what the case says.
  bool is_inflow;
  GasBoundary const* boundary;
};
/// All openings of a case, in its order.
template <int Dim>
std::vector<GasOpening<Dim>> openings_of(GasCase const& c);

}  // namespace sparse::app
