#pragma once
/// Plans with operands beyond the sides of a space that repeats itself.

#include <vector>

#include <sparse/incompressible/grid/periodicity.hpp>
#include <sparse/plans/plan.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::incompressible::detail {

/// What a plan looks up for a cell c: the stored cell that c + offset is.
template <int Dim>
struct Target {
  SetView set;
  Vec<Coord, Dim> offset = {};  ///< at most 1 in size along axes with a period
};

/// A plan over stored cells. Cost: that of a plan for each of the up to 3^Dim sides, edges and corners of the space.
template <int Dim, int K>
Plan<Dim, K> periodic_plan(IntervalSet<Dim> const& cells, Target<Dim> const (&targets)[K],
                           Periodicity<Dim> const& periodicity, std::uint32_t required = 1) {
  std::vector<Plan<Dim, K>> parts;
  int side_count = 1;
  for (int axis = 0; axis < Dim; ++axis) side_count *= 3;
  for (int code = 0; code < side_count; ++code) {
    auto where = cells.bounds();
    Vec<Coord, Dim> side;  // -1: the first cells along an axis, 1: the last ones, 0: the others
    bool is_asked = true;
    for (int axis = 0, rest = code; axis < Dim; ++axis, rest /= 3) {
      side[axis] = (rest + 1) % 3 - 1;
      Coord const begin = periodicity.begin[axis], period = periodicity.period[axis];
      if (period == 0) {
        is_asked = is_asked && side[axis] == 0;
        continue;
      }
      where.begin[axis] = side[axis] > 0 ? begin + period - 1 : side[axis] < 0 ? begin : begin + 1;
      where.end[axis] = side[axis] < 0 ? begin + 1 : side[axis] > 0 ? begin + period : begin + period - 1;
    }
    if (!is_asked) continue;
    Operand operands[K];
    for (int k = 0; k < K; ++k) {
      auto offset = targets[k].offset;
      for (int axis = 0; axis < Dim; ++axis)
        if (side[axis] * offset[axis] > 0) offset[axis] -= side[axis] * periodicity.period[axis];
      operands[k] = operand<Dim>(targets[k].set, offset);
    }
    if (!periodicity.is_any()) return Plan<Dim, K>(cells, operands, required);
    parts.emplace_back(cells & box<Dim>(where.begin, where.end, cells.context()), operands, required);
  }
  return Plan<Dim, K>(parts);
}

}  // namespace sparse::incompressible::detail
