#pragma once
/// Levels that are wide beside what a rank knows of them.

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/bodies.hpp>
#include <sparse/shapes/distances.hpp>

#include "amr_levels.hpp"

namespace reference {

/// Random levels in a box that is wide beside what a rank reaches, with round bodies in it.
template <int Dim>
struct WideLevels {
  DomainOptions<Dim> options;
  std::vector<IntervalSet<Dim>> tags;

  explicit WideLevels(unsigned seed) {
    auto engine = random_engine(seed);
    auto const draw = [&](int low, int high) { return random_int(engine, low, high); };
    int const most = Dim == 2 ? 200 : 40;
    options.level_count = draw(2, 3);
    for (int axis = 0; axis < Dim; ++axis) {
      options.cells[axis] = draw(most / 2, most);
      bool const is_periodic = draw(0, 1) == 1;
      for (int side = 0; side < 2; ++side)
        options.sides[axis][side] = is_periodic ? BoundaryKind::periodic : BoundaryKind::outflow;
    }
    sparse::Vec<double, Dim> center;
    for (int axis = 0; axis < Dim; ++axis) center[axis] = 0.3 * options.cells[axis];
    double const radius = 0.04 * most, fine = 1 << (options.level_count - 1);
    if (draw(0, 1) == 1)
      options.bodies.push_back(
          sparse::body_from_distance<Dim>("curved", sparse::BallDistance<Dim>{center, static_cast<float>(radius)}));
    if (draw(0, 1) == 1)
      options.bodies.push_back(
          sparse::body_from_cells<Dim>("faces", sparse::ball<Dim>(2.2 * fine * center, fine * radius)));
    for (int l = 0; l + 1 < options.level_count; ++l) {
      Cells<Dim> some;
      for (int count = draw(1, 40); count > 0; --count) {
        Cell<Dim> cell;
        for (int axis = 0; axis < Dim; ++axis) cell[axis] = draw(0, (options.cells[axis] << l) - 1);
        some.insert(cell);
      }
      tags.push_back(set_of(some));
    }
  }
};

}  // namespace reference
