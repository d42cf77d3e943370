#pragma once
/// Fields as arrays for files.

#include <string>
#include <type_traits>
#include <utility>

#include <sparse/fields/field.hpp>
#include <sparse/io/levels/cells.hpp>

namespace sparse::io {

/// The values of a field, copied to the host. The array has the field's name or the given one.
///
/// `array_of<float>(field)` rounds to single precision, which halves the file. Cost: a copy to the host for each
/// component; waits.
template <class Stored = void, class T, int Dim>
CellArray array_of(Field<T, Dim> const& field, std::string name = {}) {
  using Value = std::conditional_t<std::is_void_v<Stored>, T, Stored>;
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(field.cell_count() * field.component_count()));
  for (int c = 0; c < field.component_count(); ++c) {
    std::vector<T> const component = to_host(field, c);
    if constexpr (std::is_same_v<T, Value>) {
      values.insert(values.end(), component.begin(), component.end());
    } else {
      for (T value : component) values.push_back(static_cast<Value>(value));
    }
  }
  return {name.empty() ? field.name() : std::move(name), field.component_count(), std::move(values)};
}

}  // namespace sparse::io
