#pragma once
/// Connected components as a field.

#include <sparse/fields/field.hpp>
#include <sparse/sets/components.hpp>

namespace sparse {

/// A field named "component" on `components.set()`: the number of the component of each cell. Cost: one pass over the
/// cells.
/// @throws std::invalid_argument  if there are more components than 32 bits count
template <int Dim>
Field<std::int32_t, Dim> component_field(Components<Dim> const& components);

}  // namespace sparse
