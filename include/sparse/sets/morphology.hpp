#pragma once
/// Growing and shrinking sets (dilation and erosion), and what is made of the two.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// Which cells count as at most r away (the structuring element): those at most r away along every axis (the square or
/// cube of side 2 r + 1), those reached by at most r steps across faces, those whose centres are at most r away.
enum class Element { box, diamond, ball };

/// Every cell at most `radius` away from the set (dilation).
///
/// Cost for boxes: along x that of a pass over the intervals; along y, on the host and where rows have many intervals,
/// a pass over the rows as bits for each 32 cells of the radius; else, and along z, 1 + log2(2 radius + 1) unions of
/// the set with itself moved. Diamonds and balls are unions of boxes, in 2D about `radius` of them, in 3D about
/// radius^2 / 3.
/// @throws std::invalid_argument  if radius is negative or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box);

/// The same along one axis only.
template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, int axis, Coord radius);

/// Every cell with all cells at most `radius` away in the set (erosion; cells outside the set count as absent).
/// Cost as `expand`.
/// @throws std::invalid_argument  if radius is negative
template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box);

/// The cells that an element wholly inside the set covers (opening): loses what is thinner than 2 radius + 1.
/// @throws std::invalid_argument  if radius is negative
template <int Dim>
IntervalSet<Dim> open(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box) {
  return expand(shrink(set, radius, element), radius, element);
}

/// The cells that no element wholly outside the set covers (closing): fills gaps narrower than 2 radius + 1.
/// @throws std::invalid_argument  as `expand`
template <int Dim>
IntervalSet<Dim> close(IntervalSet<Dim> const& set, Coord radius, Element element = Element::box) {
  return shrink(expand(set, radius, element), radius, element);
}

/// The cells of the set at most `width` away from one that is not in it.
/// @throws std::invalid_argument  if width is negative
template <int Dim>
IntervalSet<Dim> inner_layer(IntervalSet<Dim> const& set, Coord width, Element element = Element::box);

/// The cells outside of the set at most `width` away from it.
/// @throws std::invalid_argument  as `expand`
template <int Dim>
IntervalSet<Dim> outer_layer(IntervalSet<Dim> const& set, Coord width, Element element = Element::box);

/// The cells outside of the set by distance: band i holds those more than `distances[i - 1]` (the first: 0) and at most
/// `distances[i]` away from it.
/// @throws std::invalid_argument  if distances are negative or decrease, and as `expand`
template <int Dim>
std::vector<IntervalSet<Dim>> distance_bands(IntervalSet<Dim> const& set, std::vector<Coord> const& distances,
                                             Element element = Element::box);

/// The faces normal to `axis` of the cells: face i lies between cells i - 1 and i, so this is
/// `set | shift(set, axis, 1)`.
template <int Dim>
IntervalSet<Dim> faces(IntervalSet<Dim> const& set, int axis);

}  // namespace sparse
