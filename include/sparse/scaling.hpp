#pragma once
/// Sets at half and at double resolution. Cell c of a coarse set covers the 2^Dim cells 2c + {0, 1}^Dim of a fine one.

#include <sparse/interval_set.hpp>

namespace sparse {

/// The coarse cells with at least one child in the set. Negative coordinates round down.
/// Cost: two passes over the intervals, a binary search for each child row.
template <int Dim>
IntervalSet<Dim> coarsen(IntervalSet<Dim> const& set);

/// All children of the cells.
/// @throws std::invalid_argument  if a coordinate would leave the range
template <int Dim>
IntervalSet<Dim> refine(IntervalSet<Dim> const& set);

}  // namespace sparse
