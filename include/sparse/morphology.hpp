#pragma once
/// Growing and shrinking sets.

#include <sparse/interval_set.hpp>

namespace sparse {

/// Every cell at most `radius` away from the set along every axis (dilation by the square or cube of side
/// 2 radius + 1).
///
/// Axis by axis; along y and z by unions of the set with itself moved by 1, 2, 4, ..., so the cost is that of
/// 1 + (Dim - 1) log2(2 radius + 1) passes.
/// @throws std::invalid_argument  if radius is negative or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Coord radius);

/// The same along one axis only.
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, int axis, Coord radius);

/// Every cell whose whole neighbourhood of that size is in the set (erosion; cells outside the set count as absent).
/// Cost as `expand`.
/// @throws std::invalid_argument  if radius is negative
template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Coord radius);

/// The faces normal to `axis` of the cells: face i lies between cells i - 1 and i, so this is
/// `set | shift(set, axis, 1)`.
template <int Dim>
IntervalSet<Dim> faces(IntervalSet<Dim> const& set, int axis);

}  // namespace sparse
