#pragma once
/// Polygons as sets.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// A closed line through these points, in units of the cell width. The last point is joined to the first one, and may
/// repeat it.
using Loop = std::vector<Vec<double, 2>>;

/// Which points are inside when loops are nested or cross.
enum class FillRule {
  even_odd,  ///< a ray to infinity crosses the loops an odd number of times: loops in loops are holes
  non_zero,  ///< the loops wind around the point: only loops of the opposite direction make holes
};

/// The cells whose centres lie inside a polygon of any number of loops, which may touch, cross and repeat themselves.
///
/// Decided without rounding. A centre exactly on the boundary belongs when the inside is on its right, or above it for
/// a horizontal edge. So polygons that share an edge neither overlap nor leave a gap; boxes follow the same rule.
/// Cost: proportional to the crossings of edges with rows (times the logarithm of the number of edges), not to the
/// area.
/// @throws std::invalid_argument  if a loop has fewer than three points, or a coordinate is not finite or not between
///                                -2^30 + 1 and 2^30
IntervalSet<2> polygon(std::vector<Loop> const& loops, FillRule rule = FillRule::even_odd,
                       Context const& context = Context());
IntervalSet<2> polygon(Loop const& loop, FillRule rule = FillRule::even_odd, Context const& context = Context());

}  // namespace sparse
