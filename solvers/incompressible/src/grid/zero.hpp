#pragma once
/// Fields that begin as 0.

#include <sparse/fields/algebra.hpp>

namespace sparse::incompressible::detail {

template <class T, int Dim>
Field<T, Dim> zero(char const* name, IntervalSet<Dim> const& domain, int component_count = 1) {
  Field<T, Dim> field(name, domain, component_count);
  fill(field, 0);
  return field;
}

}  // namespace sparse::incompressible::detail
