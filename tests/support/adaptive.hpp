#pragma once
/// What tests of flows on levels share.

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/incompressible.hpp>

namespace reference {

using sparse::amr::Domain;
using sparse::amr::DomainOptions;
using sparse::incompressible::AdaptiveFlow;
using sparse::incompressible::AdaptiveOptions;
using sparse::incompressible::RegionCriterion;
using sparse::incompressible::RegionPlace;

template <int Dim>
Point<Dim> point_of(Cell<Dim> const& cell) {
  Point<Dim> point;
  for (int axis = 0; axis < Dim; ++axis) point[axis] = cell[axis];
  return point;
}

/// The greatest |u - exact| on the faces of leaves.
template <class T, int Dim, class Function>
double greatest_error(AdaptiveFlow<T, Dim> const& flow, Function const& exact) {
  double greatest = 0;
  for (int l = 0; l < flow.level_count(); ++l)
    for (int axis = 0; axis < Dim; ++axis) {
      auto const stored = flow.grid(l).domain().periodicity().stored(faces(flow.leaves(l), axis));
      for (auto const& [face, value] : values_on(flow.state(l).velocity, axis, stored)) {
        auto middle = point_of(face);
        for (int b = 0; b < Dim; ++b) middle[b] += b == axis ? 0 : 0.5;
        greatest = std::max(greatest, std::abs(value - exact(flow.grid(l).space().to_physical(middle))[axis]));
      }
    }
  return greatest;
}

}  // namespace reference
