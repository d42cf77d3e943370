#pragma once
/// What callers pass, with errors of one sentence that say what to do.

#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/vec.hpp>

namespace sparse::python {

namespace nb = nanobind;

/// `str(value)`
inline std::string text_of(nb::handle value) { return nb::cast<std::string>(nb::str(value)); }

// `what` begins the message: "ball: radius".

/// @throws TypeError  for anything but a whole number: 2.0 and "2" are refused
long long whole_number(nb::handle value, char const* what);
/// A coordinate, or a number of cells. @throws ValueError  beyond 2^30
Coord coordinate(nb::handle value, char const* what);
/// @throws TypeError  for anything but a number
double number(nb::handle value, char const* what);

/// 2 or 3 coordinates, for example (0, 0).
std::vector<Coord> cell(nb::handle value, char const* what);
/// 2 or 3 numbers.
std::vector<double> point(nb::handle value, char const* what);
/// @throws ValueError  unless there are `dim` of them
std::vector<Coord> cell(nb::handle value, int dim, char const* what);
std::vector<double> point(nb::handle value, int dim, char const* what);

/// 0, 1, 2 or "x", "y", "z". @throws ValueError  if there is no such axis
int axis_of(nb::handle value, int dim, char const* what);

/// One of `names`, by its place. @throws ValueError  listing them
int choice(std::string const& name, std::vector<char const*> const& names, char const* what);

/// A side of a box: "left", "right" (x), "bottom", "top" (y), in 3D "back", "front" (z).
struct BoxSide {
  int axis;
  FaceSide side;
};
/// @throws ValueError  listing the names
BoxSide box_side(std::string const& name, int dim, char const* what);

template <class T, int Dim>
Vec<T, Dim> to_vec(std::vector<T> const& values) {
  Vec<T, Dim> result;
  for (int axis = 0; axis < Dim; ++axis) result[axis] = values[static_cast<std::size_t>(axis)];
  return result;
}

/// An array of numbers as NumPy sees it: converted, contiguous.
/// @throws TypeError   if it is no array of numbers
/// @throws ValueError  unless its shape is `shape`; -1 stands for any length
nb::object numpy_array(nb::handle value, char const* dtype, std::vector<long long> const& shape, char const* what);

/// The address of the values of a contiguous array of NumPy.
void const* address_of(nb::handle array);
/// Its length along an axis.
std::size_t length_of(nb::handle array, int axis = 0);

/// A new array that owns its values, and where they are.
template <class T>
nb::object new_array(std::vector<std::size_t> const& shape, T*& values) {
  std::size_t count = 1;
  for (std::size_t const n : shape) count *= n;
  values = new T[count > 0 ? count : 1];
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(values, shape.size(), shape.data(), owner));
}

/// Calls `body(std::integral_constant<int, dim>)`.
template <class Body>
auto by_dimension(std::size_t dim, Body const& body) {
  if (dim == 2) return body(std::integral_constant<int, 2>());
  return body(std::integral_constant<int, 3>());
}

}  // namespace sparse::python
