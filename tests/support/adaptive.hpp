#pragma once
/// What tests of flows on levels share.

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>
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

/// A unit cube, or square, with periods or walls.
template <int Dim>
DomainOptions<Dim> unit_box(Coord cells, int level_count, BoundaryKind sides) {
  DomainOptions<Dim> box;
  box.cells = Cell<Dim>::filled(cells);
  box.level_count = level_count;
  box.grid.spacing = Point<Dim>::filled(1.0 / cells);
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {sides, sides};
  return box;
}

/// A ball and its images in unit boxes.
template <int Dim>
struct PeriodicBall {
  Point<Dim> middle;
  double radius;
  KOKKOS_FUNCTION double operator()(Point<Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      double const way = x[axis] - middle[axis] - std::round(x[axis] - middle[axis]);
      square += way * way;
    }
    return std::sqrt(square) - radius;
  }
};

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

/// A ball that runs through the domain, smaller on each level.
template <int Dim>
RegionCriterion<Dim> moving_ball(double radius, Point<Dim> const& start, Point<Dim> const& velocity) {
  return {[=](RegionPlace<Dim> const& place) {
    auto const end = place.grid.to_physical(point_of(place.box.end));
    auto center = start;
    for (int axis = 0; axis < Dim; ++axis) {
      double const length = end[axis] - place.grid.origin[axis];
      center[axis] += velocity[axis] * place.time;
      center[axis] -= length * std::floor((center[axis] - place.grid.origin[axis]) / length);
    }
    return sparse::ball<Dim>(place.grid.to_cells(center), radius * std::pow(0.6, place.level) / place.grid.spacing[0]);
  }};
}

/// A flow round a body, whose levels change.
template <class T, int Dim>
struct AroundABall {
  DomainOptions<Dim> box;
  AdaptiveOptions<Dim> options;

  AroundABall() {
    box.cells = Cell<Dim>::filled(Dim == 2 ? 32 : 12);
    box.cells[0] *= 2;
    box.level_count = Dim == 2 ? 3 : 2;
    box.grid.spacing = Point<Dim>::filled(1.0 / 8);
    for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
    box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
    auto const middle = Point<Dim>::filled(0.5 * box.cells[1] * box.grid.spacing[1]);
    box.bodies = {
        sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{middle, 0.3}, BoundaryKind::no_slip)};
    options.viscosity = 0.02;
    options.inflow[0] = 1;
    options.criteria = {sparse::incompressible::vorticity(0.1), sparse::incompressible::near_surface(0.2)};
    options.stop.tolerance = precise<T>(1e-4, 1e-6);
  }
  Domain<Dim> domain() const { return Domain<Dim>(box); }
};

/// Whether two flows have the same bits on all leaves of the first, which may be one rank's of several.
template <class T, int Dim>
testing::AssertionResult are_same(AdaptiveFlow<T, Dim> const& a, AdaptiveFlow<T, Dim> const& b) {
  if (a.time() != b.time() || a.step_count() != b.step_count() || a.update_count() != b.update_count())
    return testing::AssertionFailure() << "other times or steps";
  if (a.level_count() != b.level_count()) return testing::AssertionFailure() << "other levels";
  for (int l = 0; l < a.level_count(); ++l) {
    if (!(a.cells(l) == b.cells(l))) return testing::AssertionFailure() << "other cells of level " << l;
    auto const &of_a = a.state(l), &of_b = b.state(l);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const of_leaves = a.grid(l).domain().periodicity().stored(faces(a.leaves(l), axis));
      if (values_on(of_a.velocity, axis, of_leaves) != values_on(of_b.velocity, axis, of_leaves))
        return testing::AssertionFailure() << "another velocity along " << axis << " on level " << l;
    }
    if (values_on(of_a.pressure, 0, a.leaves(l)) != values_on(of_b.pressure, 0, a.leaves(l)))
      return testing::AssertionFailure() << "another pressure on level " << l;
    for (std::size_t k = 0; k < of_a.carried.size(); ++k)
      if (values_on(of_a.carried[k], 0, a.leaves(l)) != values_on(of_b.carried[k], 0, a.leaves(l)))
        return testing::AssertionFailure() << "another ink on level " << l;
  }
  return testing::AssertionSuccess();
}

}  // namespace reference
