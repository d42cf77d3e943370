#pragma once
/// Connected components as a field.

#include <sparse/fields/field.hpp>
#include <sparse/sets/components.hpp>

namespace sparse {

/// The number of its component for each cell of `components.set()`: a field named "component". Cost: one pass over the
/// cells.
/// @throws std::invalid_argument  if there are more components than 32 bits count
template <int Dim>
Field<std::int32_t, Dim> component_field(Components<Dim> const& components);

}  // namespace sparse
