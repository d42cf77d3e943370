#pragma once
/// Polygons as sets.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// A closed line through these points, in units of the cell width; the last one is joined to the first one, and may
/// repeat it.
using Loop = std::vector<Vec<double, 2>>;

/// What is inside when loops lie in each other, or cross.
enum class FillRule {
  even_odd,  ///< what a ray to infinity leaves by an odd number of crossings: loops in loops are holes
  non_zero,  ///< what the loops wind around: only loops of the opposite direction make holes
};

/// The cells whose centres lie inside a polygon of any number of loops, which may touch, cross and repeat themselves.
///
/// Decided without rounding. A centre exactly on the boundary belongs when the inside is on its right (of a horizontal
/// edge: above it), as with boxes; so polygons that share an edge neither overlap nor leave a gap.
/// Cost: that of the crossings of edges with rows (times the logarithm of the number of edges), not of the area.
/// @throws std::invalid_argument  if a loop has fewer than three points, or a coordinate is not finite or not between
///                                -2^30 + 1 and 2^30
IntervalSet<2> polygon(std::vector<Loop> const& loops, FillRule rule = FillRule::even_odd,
                       Context const& context = Context());
IntervalSet<2> polygon(Loop const& loop, FillRule rule = FillRule::even_odd, Context const& context = Context());

}  // namespace sparse
