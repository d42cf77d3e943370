#pragma once
/// Plans with operands beyond the sides of a space that repeats itself.

#include <algorithm>
#include <cstdlib>
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
  Vec<Coord, Dim> offset = {};  ///< less than a period in size
};

/// Cells of a period along an axis from which all targets are reached alike, or one cell.
struct Stretch {
  Coord begin, end;
};

/// The stretches of an axis: the middle, then the last and the first cells, from which `reach` leads across the seam.
inline std::vector<Stretch> stretches_of(Coord begin, Coord period, Coord reach) {
  std::vector<Stretch> list;
  Coord const low = std::min(reach, period), high = std::max(low, period - reach);
  if (low < high) list.push_back({begin + low, begin + high});
  for (Coord i = period; i > high; --i) list.push_back({begin + i - 1, begin + i});
  for (Coord i = low; i > 0; --i) list.push_back({begin + i - 1, begin + i});
  return list;
}

/// A plan over stored cells. Cost: that of a plan for each combination of the stretches of the axes.
template <int Dim, int K>
Plan<Dim, K> periodic_plan(IntervalSet<Dim> const& cells, Target<Dim> const (&targets)[K],
                           Periodicity<Dim> const& periodicity, std::uint32_t required = 1) {
  if (cells.is_empty()) return {};
  std::vector<Stretch> stretches[Dim];
  std::size_t part_count = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    Coord reach = 1;
    for (auto const& target : targets) reach = std::max(reach, std::abs(target.offset[axis]));
    stretches[axis] = stretches_of(periodicity.begin[axis], periodicity.period[axis], reach);
    part_count *= std::max<std::size_t>(stretches[axis].size(), 1);
  }
  std::vector<Plan<Dim, K>> parts;
  auto const bounds = cells.bounds();
  for (std::size_t code = 0; code < part_count; ++code) {
    Operand operands[K];
    Vec<Coord, Dim> offsets[K];
    for (int k = 0; k < K; ++k) offsets[k] = targets[k].offset;
    auto where = bounds;
    bool is_all = true, is_none = false;
    std::size_t rest = code;
    for (int axis = 0; axis < Dim; ++axis) {
      if (stretches[axis].empty()) continue;
      auto const [begin, end] = stretches[axis][rest % stretches[axis].size()];
      rest /= stretches[axis].size();
      where.begin[axis] = begin;
      where.end[axis] = end;
      is_all = is_all && begin <= bounds.begin[axis] && bounds.end[axis] <= end;
      is_none = is_none || bounds.end[axis] <= begin || end <= bounds.begin[axis];
      Coord const first = periodicity.begin[axis], period = periodicity.period[axis];
      for (auto& offset : offsets) {
        if (begin + offset[axis] < first)
          offset[axis] += period;
        else if (end - 1 + offset[axis] >= first + period)
          offset[axis] -= period;
      }
    }
    for (int k = 0; k < K; ++k) operands[k] = operand<Dim>(targets[k].set, offsets[k]);
    if (is_all) return Plan<Dim, K>(cells, operands, required);
    if (is_none) continue;
    parts.emplace_back(cells & box<Dim>(where.begin, where.end, cells.context()), operands, required);
  }
  return Plan<Dim, K>(parts);
}

}  // namespace sparse::incompressible::detail
