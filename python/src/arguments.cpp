#include "arguments.hpp"

#include <cmath>
#include <stdexcept>

namespace sparse::python {
namespace {

std::string name_of_type(nb::handle value) { return nb::cast<std::string>(nb::inst_name(value)); }

std::string shown(nb::handle value) {
  std::string text = nb::cast<std::string>(nb::repr(value));
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

template <class T, class Convert>
std::vector<T> sequence(nb::handle value, char const* what, char const* example, Convert const& convert) {
  if (!PySequence_Check(value.ptr()) || PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()))
    throw nb::type_error(
        (std::string(what) + " must be 2 or 3 numbers, such as " + example + ", not " + shown(value)).c_str());
  std::vector<T> result;
  for (nb::handle const item : nb::iter(value)) {
    if (result.size() == 3) {
      result.resize(4);
      break;
    }
    result.push_back(convert(item));
  }
  if (result.size() != 2 && result.size() != 3)
    throw std::invalid_argument(std::string(what) + " must be 2 or 3 numbers, such as " + example + ", not " +
                                shown(value));
  return result;
}

void expect_dimension(std::size_t found, int dim, char const* what) {
  if (found != static_cast<std::size_t>(dim))
    throw std::invalid_argument(std::string(what) + " must have " + std::to_string(dim) + " numbers, not " +
                                std::to_string(found));
}

}  // namespace

long long whole_number(nb::handle value, char const* what) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr()))
    throw nb::type_error(
        (std::string(what) + " must be a whole number, not " + shown(value) + "; use int(...) or round(...)").c_str());
  nb::object const index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  long long const result = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) throw std::invalid_argument(std::string(what) + " is out of range: " + shown(value));
  return result;
}

Coord coordinate(nb::handle value, char const* what) {
  long long const result = whole_number(value, what);
  if (result < -coord_limit || result > coord_limit)
    throw std::invalid_argument(std::string(what) + " must lie between -2^30 and 2^30, and " + std::to_string(result) +
                                " does not");
  return static_cast<Coord>(result);
}

double number(nb::handle value, char const* what) {
  double const result = PyUnicode_Check(value.ptr()) ? -1 : PyFloat_AsDouble(value.ptr());
  if (PyUnicode_Check(value.ptr()) || PyErr_Occurred()) {
    PyErr_Clear();
    throw nb::type_error((std::string(what) + " must be a number, not " + shown(value)).c_str());
  }
  return result;
}

std::vector<Coord> cell(nb::handle value, char const* what) {
  return sequence<Coord>(value, what, "(0, 0)", [&](nb::handle item) { return coordinate(item, what); });
}
std::vector<double> point(nb::handle value, char const* what) {
  return sequence<double>(value, what, "(0.5, 0.5)", [&](nb::handle item) { return number(item, what); });
}
std::vector<Coord> cell(nb::handle value, int dim, char const* what) {
  auto result = cell(value, what);
  expect_dimension(result.size(), dim, what);
  return result;
}
std::vector<double> point(nb::handle value, int dim, char const* what) {
  auto result = point(value, what);
  expect_dimension(result.size(), dim, what);
  return result;
}

int axis_of(nb::handle value, int dim, char const* what) {
  int result = -1;
  if (PyUnicode_Check(value.ptr())) {
    std::string const name = nb::cast<std::string>(value);
    if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z') result = name[0] - 'x';
  } else {
    long long const number = whole_number(value, what);
    if (number >= 0 && number < 3) result = static_cast<int>(number);
  }
  if (result < 0 || result >= dim)
    throw std::invalid_argument(std::string(what) + " must be " +
                                (dim == 2 ? "0 or 1 (\"x\", \"y\")" : "0, 1 or 2 (\"x\", \"y\", \"z\")") + ", not " +
                                shown(value));
  return result;
}

int choice(std::string const& name, std::vector<char const*> const& names, char const* what) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<int>(i);
  std::string message = std::string(what) + " must be ";
  for (std::size_t i = 0; i < names.size(); ++i)
    message += (i == 0 ? "\"" : i + 1 == names.size() ? " or \"" : ", \"") + std::string(names[i]) + "\"";
  throw std::invalid_argument(message + ", not \"" + name + "\"");
}

BoxSide box_side(std::string const& name, int dim, char const* what) {
  std::vector<char const*> names = {"left", "right", "bottom", "top", "back", "front"};
  names.resize(static_cast<std::size_t>(2 * dim));
  int const i = choice(name, names, what);
  return {i / 2, i % 2 == 0 ? FaceSide::lower : FaceSide::upper};
}

nb::object numpy_array(nb::handle value, char const* dtype, std::vector<long long> const& shape, char const* what) {
  nb::module_ const numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("ascontiguousarray")(value, nb::arg("dtype") = dtype);
  } catch (nb::python_error&) {
    throw nb::type_error((std::string(what) + " must be an array of numbers, not " + name_of_type(value)).c_str());
  }
  nb::object const given = numpy.attr("shape")(value);
  bool fits = nb::len(given) == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i)
    fits = shape[i] < 0 || nb::cast<long long>(given[i]) == shape[i];
  if (!fits) {
    std::string wanted = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
      wanted += (i > 0 ? ", " : "") + (shape[i] < 0 ? std::string("n") : std::to_string(shape[i]));
    wanted += shape.size() == 1 ? ",)" : ")";
    throw std::invalid_argument(std::string(what) + " must have the shape " + wanted + ", not " + shown(given));
  }
  return array;
}

void const* address_of(nb::handle array) { return nb::cast<nb::ndarray<nb::ro>>(array).data(); }

std::size_t length_of(nb::handle array, int axis) {
  return nb::cast<nb::ndarray<nb::ro>>(array).shape(static_cast<std::size_t>(axis));
}

}  // namespace sparse::python
