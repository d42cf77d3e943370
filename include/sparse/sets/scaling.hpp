#pragma once
/// Sets at half and at double resolution. Cell c of a coarse set covers the 2^Dim cells 2c + {0, 1}^Dim of a fine one.

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// How many of its 2^Dim children a coarse cell needs: one, more than half, or all.
enum class Children { any, majority, all };

/// The coarse cells with enough children in the set. Negative coordinates round down.
/// Cost: one pass over the intervals, two over the row keys; twice that for `majority` and `all`.
template <int Dim>
IntervalSet<Dim> coarsen(IntervalSet<Dim> const& set, Children children = Children::any);

/// All children of the cells. Cost: that of writing them.
/// @throws std::invalid_argument  if a coordinate would leave the range
template <int Dim>
IntervalSet<Dim> refine(IntervalSet<Dim> const& set);

/// The set refined `steps` times, or coarsened -`steps` times. Cost: that of each step.
template <int Dim>
IntervalSet<Dim> rescale(IntervalSet<Dim> set, int steps);

}  // namespace sparse
