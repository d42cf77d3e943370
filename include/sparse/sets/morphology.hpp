#pragma once
/// Growing and shrinking sets (dilation and erosion), and operations made of the two.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// The structuring element: which cells are at most r away. `box`: at most r away along every axis (the square or cube
/// of side 2 r + 1). `diamond`: reached by at most r steps across faces. `ball`: centres at most r away.
enum class Element { box, diamond, ball };

/// Every cell at most `radius` away from the set (dilation).
///
/// Cost for boxes: along x, one pass over the intervals. Along y, on the host and where rows have many intervals: one
/// pass over the rows as bits for each 32 cells of the radius. Otherwise, and along z: 1 + log2(2 radius + 1) unions of
/// the set with moved copies. Diamonds and balls are unions of boxes: about `radius` of them in 2D, about radius^2 / 3
/// in 3D.
/// @throws std::invalid_argument  if radius is negative or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box);

/// The same for boxes with a radius per axis.
/// @throws std::invalid_argument  if a radius is negative or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radii);

/// The same along one axis only, by `radius` cells to both sides.
/// @throws std::invalid_argument  if there is no such axis, radius is negative or a cell would leave the range of
///                                coordinates
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, int axis, Coord radius);

/// Every cell whose surrounding cells at most `radius` away all belong to the set (erosion). Cost as `expand`.
/// @throws std::invalid_argument  if radius is negative
template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box);

/// The same for boxes with a radius per axis.
/// @throws std::invalid_argument  if a radius is negative
template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radii);

/// Opening: the cells covered by an element that lies inside the set. Removes parts thinner than 2 radius + 1. Cost as
/// `shrink` and `expand`; so has `close`.
/// @throws std::invalid_argument  if radius is negative
template <int Dim>
IntervalSet<Dim> open(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box) {
  return expand(shrink(set, radius, element), radius, element);
}

/// Closing: the cells not covered by any element that lies outside the set. Fills gaps narrower than 2 radius + 1.
/// @throws std::invalid_argument  as `expand`
template <int Dim>
IntervalSet<Dim> close(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box) {
  return shrink(expand(set, radius, element), radius, element);
}

/// The cells of the set at most `width` away from a cell outside.
/// @throws std::invalid_argument  if width is negative
template <int Dim>
IntervalSet<Dim> inner_layer(IntervalSet<Dim> const& set, Coord width, Element element = Element::box);

/// The cells outside of the set at most `width` away from it.
/// @throws std::invalid_argument  as `expand`
template <int Dim>
IntervalSet<Dim> outer_layer(IntervalSet<Dim> const& set, Coord width, Element element = Element::box);

/// The cells outside of the set by distance. Band i holds the cells at most `distances[i]` away but more than
/// `distances[i - 1]`, which is 0 for the first band. Cost: an `expand` and a difference for each band.
/// @throws std::invalid_argument  if distances are negative or decrease, and as `expand`
template <int Dim>
std::vector<IntervalSet<Dim>> distance_bands(IntervalSet<Dim> const& set, std::vector<Coord> const& distances,
                                             Element element = Element::box);

/// The faces normal to `axis` of the cells. Face i lies between cells i - 1 and i, so this is `set | shift(set, axis,
/// 1)`, and costs as much.
/// @throws std::invalid_argument  if there is no such axis, or a cell ends at the end of the range of coordinates
template <int Dim>
IntervalSet<Dim> faces(IntervalSet<Dim> const& set, int axis);

}  // namespace sparse
