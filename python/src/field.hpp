#pragma once
/// Fields of any dimension and type as one type of Python.

#include <cstdint>
#include <utility>
#include <variant>

#include <sparse/fields/field.hpp>

#include "set.hpp"

namespace sparse::python {

/// What Python knows as `Field`.
struct AnyField {
  using Any = std::variant<Field<double, 2>, Field<double, 3>, Field<float, 2>, Field<float, 3>, Field<std::int32_t, 2>,
                           Field<std::int32_t, 3>, Field<std::int64_t, 2>, Field<std::int64_t, 3>>;
  Any any;
  Alive alive = {};

  template <class T, int Dim>
  AnyField(Field<T, Dim>&& field) : any(std::move(field)) {}

  template <class Body>
  auto visit(Body&& body) {
    return std::visit(std::forward<Body>(body), any);
  }
  template <class Body>
  auto visit(Body&& body) const {
    return std::visit(std::forward<Body>(body), any);
  }
};

/// The dtype of NumPy for a type of values.
template <class T>
inline constexpr char const* dtype_of = std::is_same_v<T, double>         ? "float64"
                                        : std::is_same_v<T, float>        ? "float32"
                                        : std::is_same_v<T, std::int32_t> ? "int32"
                                                                          : "int64";

/// Calls `body(T())` for a dtype: "f8", "float32", numpy.int32, ...
/// @throws ValueError  if it is none of float64, float32, int32 and int64
template <class Body>
auto by_dtype(nb::handle dtype, char const* what, Body const& body) {
  nb::object const numpy = nb::module_::import_("numpy");
  std::string name;
  try {
    name = nb::cast<std::string>(numpy.attr("dtype")(dtype).attr("name"));
  } catch (nb::python_error&) {
    name = text_of(dtype);
  }
  switch (choice(name, {"float64", "float32", "int32", "int64"}, what)) {
  case 0:
    return body(double());
  case 1:
    return body(float());
  case 2:
    return body(std::int32_t());
  default:
    return body(std::int64_t());
  }
}

/// The values of a field as an array of NumPy without a copy: (n,) or (components, n). `owner` keeps the memory.
template <class T>
nb::object values_array(FieldView<T> view, Index cells, int components, nb::handle owner) {
  static std::remove_const_t<T> nothing{};
  T* const data = view.data != nullptr ? view.data : &nothing;
  auto const n = static_cast<std::size_t>(cells);
  if (components == 1) {
    std::size_t const shape[] = {n};
    return nb::cast(nb::ndarray<nb::numpy, T>(data, 1, shape, owner));
  }
  std::size_t const shape[] = {static_cast<std::size_t>(components), n};
  std::int64_t const strides[] = {view.stride, 1};
  return nb::cast(nb::ndarray<nb::numpy, T>(data, 2, shape, owner, strides));
}

/// Writes an array of shape (n,), or (components, n), into a field.
template <class T, int Dim>
void copy_into(Field<T, Dim>& field, nb::handle values, char const* what) {
  long long const n = field.cell_count();
  int const components = field.component_count();
  nb::object const array = components == 1 ? numpy_array(values, dtype_of<T>, {n}, what)
                                           : numpy_array(values, dtype_of<T>, {components, n}, what);
  auto const* const from = static_cast<T const*>(address_of(array));
  for (int c = 0; c < components && n > 0; ++c) std::copy(from + c * n, from + (c + 1) * n, field.component(c));
}

void bind_field(nb::module_& m);
void bind_nodes(nb::module_& m);
void bind_poisson(nb::module_& m);

}  // namespace sparse::python
