#pragma once
/// Values for cells that have none yet, from the cells around them. For fields of `float` and `double`.

#include <sparse/fields/field.hpp>

namespace sparse {

/// Fills the cells of `missing` from those of `known`, layer by layer. A cell of a layer takes the mean of its
/// neighbours across faces that have values, so no value leaves the range of the known ones.
///
/// @param component  the one to fill; -1: all of them
/// @return           the cells that no path through `missing` joins to a known cell; their values stay
/// @throws std::invalid_argument  if a set is not in the domain of the field, or there is no such component
/// Cost: some set operations and a pass over each layer.
template <class T, int Dim>
IntervalSet<Dim> fill_from_neighbours(Field<T, Dim>& field, IntervalSet<Dim> const& known,
                                      IntervalSet<Dim> const& missing, int component = -1);

}  // namespace sparse
