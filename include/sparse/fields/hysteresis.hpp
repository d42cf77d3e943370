#pragma once
/// Thresholds that follow a feature from its strong core to its faint parts.

#include <sparse/fields/select.hpp>
#include <sparse/sets/components.hpp>

namespace sparse {

/// The cells with |value| > low that are connected, through such cells, to a cell with |value| > high.
///
/// Keeps faint parts of a feature without keeping faint noise. A NaN is not above anything.
/// Cost: two thresholds, the components of one, one pass over its intervals.
/// @throws std::invalid_argument  if not 0 <= low <= high, or there is no such component
/// Source: Canny, A computational approach to edge detection (1986), section VI.
template <class T, int Dim>
IntervalSet<Dim> threshold_connected(Field<T, Dim> const& field, std::type_identity_t<T> low,
                                     std::type_identity_t<T> high, Neighbours neighbours = Neighbours::faces,
                                     int component = 0) {
  expects(T(0) <= low && low <= high, "threshold_connected: the bounds must be ordered, 0 <= low <= high");
  return components_touching(connected_components(threshold(field, low, component), neighbours),
                             threshold(field, high, component));
}

}  // namespace sparse
