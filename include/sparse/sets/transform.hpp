#pragma once
/// Mirroring, transposing and turning sets; slices of 3D sets, and 3D sets from 2D ones.

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// The set mirrored at the grid line or plane `plane` of `axis`: cell c goes to 2 plane - 1 - c. So cells plane - 1 and
/// plane swap places. Cost: two passes over the intervals; along y and z also a sort of the rows.
/// @throws std::invalid_argument  if there is no such axis, or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> mirror(IntervalSet<Dim> const& set, int axis, Coord plane);

/// The set with two of its axes swapped: cell (x, y, z) goes to (y, x, z) for axes 0 and 1.
///
/// Cost to swap y and z: a sort of the rows. Cost to swap x with another axis: n log n in the number n of intervals of
/// the result, and two differences of sets. Only the cells where such an interval begins or ends are visited.
/// @throws std::invalid_argument  if there is no such axis
template <int Dim>
IntervalSet<Dim> transpose(IntervalSet<Dim> const& set, int axis_a, int axis_b);

/// The set after a quarter turn around the origin that takes the axis `from` to the axis `to`. In 2D, `rotate(set, 0,
/// 1)` turns counter-clockwise. Cost: that of `transpose` and `mirror`.
/// @throws std::invalid_argument  if there is no such axis, or both are the same
template <int Dim>
IntervalSet<Dim> rotate(IntervalSet<Dim> const& set, int from, int to);

/// The cells of a 3D set whose coordinate along `axis` is `position`. The result is a 2D set of the other two axes in
/// their order: (y, z) for axis 0, (x, z) for axis 1, (x, y) for axis 2. Empty where the set has no cells.
/// Cost: one pass over the rows, and the intervals of the slice.
/// @throws std::invalid_argument  if there is no such axis
IntervalSet<2> slice(IntervalSet<3> const& set, int axis, Coord position);

/// The 3D set whose slices from `begin` to `end - 1` along `axis` are all `set`.
/// Cost: that of writing its intervals; along axis 0 each cell of `set` becomes one interval.
/// @throws std::invalid_argument  if there is no such axis, the end lies before the begin, or a coordinate is out of
///                                range
IntervalSet<3> extrude(IntervalSet<2> const& set, Coord begin, Coord end, int axis = 2);

}  // namespace sparse
